/** How a page renews the login after another one that was left while it did so. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

// Of a page, all that is asked for as it loads.
const home = 'http://localhost:3000';
Object.assign(globalThis, {
  document: { documentElement: { dataset: { home } } },
  location: new URL('/console/', home),
});
const { sendRenewal } = await import('../../console/login/early.ts');

/** What a browser keeps for all pages of an address. */
const kept = new Map<string, string>();
const localStorage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};
let sentAt: number[];
let answer: (response: Response) => void;

beforeEach(() => {
  kept.clear();
  sentAt = [];
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  Object.assign(globalThis, { localStorage });
  mock.method(globalThis, 'fetch', () => {
    sentAt.push(Date.now());
    return new Promise<Response>((resolve) => {
      answer = resolve;
    });
  });
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

test('a renewal waits for the answer to one whose page was left, so that no cookie is sent twice', async () => {
  void sendRenewal();
  mock.timers.tick(400);
  void sendRenewal();
  mock.timers.tick(2599);
  await settled();
  assert.deepEqual(sentAt, [1_000_000]);
  mock.timers.tick(1);
  await settled();
  assert.deepEqual(sentAt, [1_000_000, 1_003_000]);
});

test('a renewal after one that was answered is sent at once', async () => {
  const renewed = sendRenewal();
  answer(new Response());
  await renewed;
  void sendRenewal();
  await settled();
  assert.equal(sentAt.length, 2);
});

test('a clock that was set back holds a renewal up for no longer', async () => {
  kept.set('countersign.renewal', '9000000');
  void sendRenewal();
  mock.timers.tick(3000);
  await settled();
  assert.equal(sentAt.length, 1);
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
