/** What a node finds of its own health, for an operator who runs it alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../src/store/store.ts';
import { everyEngine } from '../../support/engines.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import { ADMIN_KEY, type Loose, makeWorld } from '../../support/world.ts';

const DAY = 24 * 3600 * 1000;

for (const engine of everyEngine()) {
  test(`a new node is healthy, and says so without a secret, on ${engine.name}`, async (t) => {
    const world = await makeWorld(engine);
    t.after(() => world.close());
    const { status, body, text } = await world.rest('GET', '/ap2/admin/health');
    assert.equal(status, 200, text);
    assert.deepEqual([body.healthy, body.environment, body.engine], [true, 'sandbox', engine.name]);
    assert.equal(body.issuer, world.node.deps.issuer.did);
    const rail = {
      name: 'CARD_RAIL',
      movesMoney: false,
      partialCapture: true,
      partialRefund: true,
      takesEvidence: false,
    };
    const tokens = {
      name: 'SPT_RAIL',
      movesMoney: false,
      partialCapture: false,
      partialRefund: false,
      takesEvidence: false,
    };
    const transfers = {
      name: 'X402_RAIL',
      movesMoney: true,
      partialCapture: false,
      partialRefund: false,
      takesEvidence: false,
    };
    const elsewhere = {
      name: 'EXTERNAL_RAIL',
      movesMoney: false,
      partialCapture: true,
      partialRefund: true,
      takesEvidence: false,
    };
    assert.deepEqual(body.rails, [rail, tokens, transfers, elsewhere]);
    assert.ok(body.checks.length >= 8 && body.checks.every(({ level }: Loose) => level !== 'fault'), text);
    assert.ok(!text.includes(ADMIN_KEY));
  });

  test(`a payment that its rail does not answer for is a fault, in its own tenant alone, on ${engine.name}`, async (t) => {
    const world = await makeWorld(engine);
    t.after(() => world.close());
    const payments = async (): Promise<Loose> => {
      const { body } = await world.rest('GET', '/ap2/admin/health');
      return body.checks.find(({ check }: Loose) => check === 'payments');
    };
    const { deps, tenantId } = world.node;
    const stuck = (tenant: string, key: string) =>
      run(
        `INSERT INTO rail_attempts (attempt_key, tenant_id, payment_id, operation, parameters, state, tries, node_id, next_at, created_at)
         VALUES (?, ?, 'pm_1', 'authorize', '{}', 'OPEN', 3, ?, ?, 1)`,
        ...[key, tenant, deps.settings.nodeId, Date.now() + DAY],
      );
    await deps.store.write(tenantId, () => stuck('other', 'a'));
    assert.equal((await payments()).level, 'ok');
    await deps.store.write(tenantId, () => stuck(tenantId, 'b'));
    const { level, message, remedy } = await payments();
    assert.equal(level, 'fault');
    assert.match(message, /1 payment is without an answer of the rail; the authorize of pm_1 waits/);
    assert.match(remedy, /countersign payment show pm_1/);
    for (let more = 0; more < 98; more++) await deps.store.write(tenantId, () => stuck(tenantId, `c${more}`));
    assert.match((await payments()).message, /^99 payments are without/);
    for (let more = 0; more < 2; more++) await deps.store.write(tenantId, () => stuck(tenantId, `d${more}`));
    assert.match((await payments()).message, /^100 payments or more are without/, 'no more of them are counted');
  });
}

test('what is wrong has a remedy: a damaged file, a full disk, a clock that was set back, an old backup', async () => {
  const node = await memoryNode();
  const healthy = async () => (await node.run('showHealth', {})).healthy;
  assert.equal(await healthy(), true);
  let last: number | undefined = node.clock.now;
  node.clock.now += 9 * DAY;
  Object.assign(node.deps.data, { backups: { lastAt: () => last } });
  Object.assign(node.deps.metrics, { timesSetBack: () => 2 });
  const levels = async () => {
    const { checks } = await node.run('showHealth', {});
    for (const { level, remedy } of checks) assert.equal(remedy === undefined, level === 'ok');
    return Object.fromEntries(checks.map(({ check, level }: Loose) => [check, level]));
  };
  const { backup, clock, database } = await levels();
  assert.deepEqual([backup, clock, database], ['warning', 'warning', 'ok']);
  assert.equal(await healthy(), true);
  last = node.clock.now;
  node.deps.data.file.damage = 'a page is empty.';
  Object.assign(node.deps.data, { freeSpace: () => ({ bytes: 1, folder: '/data' }) });
  const then = await levels();
  assert.deepEqual([then.backup, then.database, then.disk], ['ok', 'fault', 'fault']);
  assert.equal(await healthy(), false);
});
