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
};
let sentAt: number[];
let answer: (response: Response) => void;
let fail: (error: Error) => void;

beforeEach(() => {
  kept.clear();
  sentAt = [];
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  Object.assign(globalThis, { localStorage });
  mock.method(globalThis, 'fetch', () => {
    sentAt.push(Date.now());
    return new Promise<Response>((resolve, reject) => {
      answer = resolve;
      fail = reject;
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
  mock.timers.tick(4599);
  await settled();
  assert.deepEqual(sentAt, [1_000_000]);
  mock.timers.tick(301);
  await settled();
  assert.equal(sentAt.length, 2);
});

test('of two that have waited, one begins, and the other waits for its answer', async () => {
  const chances = [0, 0.5];
  mock.method(Math, 'random', () => chances.shift() ?? 0);
  void sendRenewal();
  void sendRenewal();
  void sendRenewal();
  mock.timers.tick(5000);
  await settled();
  mock.timers.tick(150);
  await settled();
  assert.equal(sentAt.length, 2);
});

test('a renewal that got no answer is waited for all the same, since its cookie may be on its way', async () => {
  const renewed = sendRenewal();
  fail(new TypeError('The page was left.'));
  await assert.rejects(renewed);
  void sendRenewal();
  await settled();
  assert.equal(sentAt.length, 1);
});

test('a renewal after one that was answered is sent at once', async () => {
  const renewed = sendRenewal();
  answer(new Response());
  await renewed;
  void sendRenewal();
  await settled();
  assert.equal(sentAt.length, 2);
});

test('a clock that was set back holds no renewal up', async () => {
  kept.set('countersign.renewal', '9000000');
  void sendRenewal();
  await settled();
  assert.equal(sentAt.length, 1);
});

test('a browser that keeps nothing for a page renews all the same', async () => {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  Object.assign(globalThis, { localStorage: { getItem: refuse, setItem: refuse } });
  const renewed = sendRenewal();
  await settled();
  answer(new Response('whole'));
  assert.equal(await (await renewed).text(), 'whole');
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
