/** A row that a worker fails at waits longer each time, keeps no other row waiting, and no round overlaps the next. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '../../protocol/wire/fault.ts';
import { intents } from '../../src/store/statements/purchases/intents.ts';
import { sharedPaymentTokens } from '../../src/store/statements/purchases/sharedPaymentTokens.ts';
import { patience, workOff } from '../../src/workers/patience.ts';
import { engines } from '../support/engines.ts';
import { addRows } from '../support/oldRows.ts';
import { until } from '../support/until.ts';
import { makeWorld } from '../support/world.ts';

const FAILING = 450;

function bench() {
  const clock = { now: 0 };
  const logged: string[] = [];
  const log = { info() {}, warn() {}, error: (_event: string, { row }: { row?: unknown }) => logged.push(String(row)) };
  const waiting = patience({ log }, 'test', () => clock.now);
  const rows = new Set(Array.from({ length: FAILING + 300 }, (_, at) => `${at < FAILING ? 'bad' : 'good'} ${at}`));
  const tries = new Map<string, number>();
  let underWay = 0;
  const round = async (fault: (row: string) => Error | undefined) => {
    assert.equal(underWay, 0, 'a round has ended before the next begins');
    return workOff({ stopping: new AbortController().signal }, waiting, {
      list: async (limit: number) => [...rows].slice(0, limit),
      keyOf: (row: string) => row,
      async settle(row: string) {
        tries.set(row, (tries.get(row) ?? 0) + 1);
        underWay += 1;
        // Those that fail fail at once; those that do not take longer.
        const error = fault(row);
        if (error === undefined) await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        if (error !== undefined) throw error;
        rows.delete(row);
      },
    });
  };
  return { clock, logged, waiting, rows, tries, round, underWay: () => underWay };
}

const broken = (row: string) => (row.startsWith('bad') ? new Error('broken') : undefined);

describe('a worker', () => {
  test('gets to every row in one round, however many fail before it', async () => {
    const { rows, round, logged, waiting } = bench();
    assert.equal(await round(broken), FAILING + 300);
    assert.deepEqual([rows.size, waiting.waiting, logged.length], [FAILING, FAILING, FAILING]);
  });

  test('tries a failing row again after waits that grow, and forgets it once it is gone', async () => {
    const { clock, rows, tries, round, waiting } = bench();
    const times: number[] = [];
    for (clock.now = 0; clock.now < 200_000; clock.now += 500) {
      const before = tries.get('bad 0') ?? 0;
      await round(broken);
      if ((tries.get('bad 0') ?? 0) > before) times.push(clock.now);
    }
    assert.deepEqual(times, [0, 1000, 6000, 36_000, 156_000]);
    rows.clear();
    await round(broken);
    assert.equal(waiting.waiting, 0);
  });

  test('blames no row where the store cannot answer, and waits for what it began', async () => {
    const { waiting, round, rows, underWay } = bench();
    const away = round((row) => (row === 'bad 0' ? new Fault('UNAVAILABLE', 'away') : undefined));
    await assert.rejects(away, { code: 'UNAVAILABLE' });
    assert.deepEqual([waiting.waiting, underWay()], [0, 0]);
    await round(() => undefined);
    assert.equal(rows.size, 0);
  });
});

for (const engine of engines()) {
  test(`intents and tokens run out in time behind hundreds of broken ones on ${engine.name}`, async (t) => {
    const world = await makeWorld(engine, { LOG_LEVEL: 'fatal', INTENT_TTL_SECONDS: '1' });
    t.after(() => world.close());
    const { store } = world.node.deps;
    const { tenantId } = world.node;
    // No calendar has such a time, and no table such a currency.
    const cells = { status: 'ACTIVE', expires_at: -9e15, reserved_minor: 0, max_minor: 1, currency: '???' };
    await addRows(store, intents, { tenantId, time: 1, count: FAILING, cells });
    const token = { status: 'ACTIVE', expires_at: 1, currency: '???', amount_minor: 1 };
    await addRows(store, sharedPaymentTokens, { tenantId, time: 1, count: FAILING, cells: token });
    const { body: intent } = await world.rest('POST', '/ap2/intents', world.intentBody(5));
    const spt = { amount: 5, currency: 'USD', merchantDomain: 'shop.example', expiresIn: 1 };
    const made = await world.rest('POST', '/admin/spt', spt);
    assert.equal(made.status, 201, made.text);
    const { mandateId } = intent.intentVc.credentialSubject;
    await until(
      'both ends',
      async () => {
        const { data } = (await world.rest('GET', '/ap2/evidence/search?limit=10')).body;
        const ended = (type: string, id: string) =>
          data.some((event: { eventType: string }) => event.eventType === type && JSON.stringify(event).includes(id));
        return ended('INTENT_EXPIRED', mandateId) && ended('SPT_EXPIRED', made.body.id);
      },
      60_000,
    );
  });
}
