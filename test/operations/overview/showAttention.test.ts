/** What needs a person, as it comes and goes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DisputeStatus } from '../../../protocol/payment.ts';
import { putDispute } from '../../../src/store/statements/purchases/disputes.ts';
import { run } from '../../../src/store/store.ts';
import { everyEngine } from '../../support/engines.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import { askForApproval, makePerson } from '../../support/person.ts';
import { type Loose, makeWorld } from '../../support/world.ts';

const DAY = 24 * 3600 * 1000;

test('an endpoint that fails is named whole to who may administer, and by its host to others', async () => {
  const node = await memoryNode();
  const url = 'https://hooks.example/a-secret-path';
  const { id } = await node.run('createWebhook', { url, events: ['policy.updated'] });
  const { deps, owner, clock } = node;
  await deps.store.write(owner.tenantId, () =>
    run('UPDATE webhooks SET failing_since = ? WHERE id = ?', clock.now, id),
  );
  clock.now += 6 * DAY;
  const messageTo = async (caller: typeof owner) => {
    const { items } = await node.run('showAttention', {}, caller);
    return items.find(({ kind }: Loose) => kind === 'webhook')?.message;
  };
  assert.equal(await messageTo(owner), `Nothing has reached ${url}.`);
  assert.equal(await messageTo({ ...owner, permissions: new Set(['read']) }), 'Nothing has reached hooks.example.');
});

for (const engine of everyEngine()) {
  test(`an approval needs a person until it is decided, on ${engine.name}`, async (t) => {
    const world = await makeWorld(engine);
    t.after(() => world.close());
    const attention = async (): Promise<Loose> => (await world.rest('GET', '/ap2/admin/attention')).body;
    assert.deepEqual((await attention()).items, []);
    await makePerson(world).enroll();
    const { approval } = await askForApproval(world);
    const { items, counts } = await attention();
    assert.deepEqual([items.length, counts.approval, counts.payment], [1, 1, 0]);
    const [{ kind, message, until, approvalId, url }] = items;
    assert.deepEqual([kind, approvalId, url], ['approval', approval.id, approval.url]);
    assert.match(message, / asks for 150\.00 USD at shop\.example\.$/);
    assert.ok(Date.parse(until) > Date.now());
    await world.rest('POST', `/ap2/approvals/${approval.id}/deny`, {});
    assert.deepEqual((await attention()).items, []);
  });

  test(`payments without an outcome and open disputes are found, on ${engine.name}`, async (t) => {
    const world = await makeWorld(engine);
    t.after(() => world.close());
    const { deps, tenantId } = world.node;
    const insert = (number: number, status: string, more = 'NULL, NULL') =>
      run(
        `INSERT INTO payments (tenant_id, mandate_id, transaction_id, intent_id, agent_did, principal_did, status,
           amount_minor, captured_minor, refunded_minor, currency, merchant, rail, credential, created_at, authorized_at,
           attention, attention_at)
         VALUES (?, ?, ?, ?, 'a', 'a', ?, 500, 0, 0, 'USD', 'shop.example', 'CARD_RAIL', '{}', 1, 1, ${more})`,
        ...[tenantId, `pm_${number}`, `txn_${number}`, `intent_${number}`, status],
      );
    await deps.store.write(tenantId, function* () {
      for (const number of [1, 2, 3]) yield* insert(number, 'UNKNOWN');
      yield* insert(4, 'UNKNOWN', "'Look.', 7");
      yield* insert(5, 'CAPTURED');
      for (const number of [6, 7]) yield* insert(number, 'DISPUTED');
      const dispute = { tenant_id: tenantId, agent_did: 'a', amount_minor: 84, currency: 'USD', reason: null };
      const unsubmitted = { submissions: 0, submitting_at: null, submitting_by: null };
      const open = { ...dispute, ...unsubmitted, status: 'needs_response', closed_at: null, told_at: null } as const;
      const put = (mandate_id: string, id: string, opened_at: number, due_by: number | null, status: DisputeStatus) =>
        putDispute({ ...open, mandate_id, id, rail_dispute_id: id, opened_at, due_by, status });
      yield* put('pm_6', 'dsp_1', 8, null, 'under_review');
      yield* put('pm_6', 'dsp_2', 9, 200, 'needs_response');
      yield* put('pm_7', 'dsp_3', 10, 100, 'needs_response');
      for (const status of ['won', 'lost', 'inquiry', 'inquiry_closed'] as const) {
        yield* put('pm_7', `dsp_${status}`, 1, 1, status);
      }
    });
    const { items, counts } = (await world.rest('GET', '/ap2/admin/attention')).body;
    assert.deepEqual(
      items.map((item: Loose) => [item.kind, item.mandateId, item.since, item.dueBy].filter(Boolean).join(' ')),
      [
        'payment pm_4 1970-01-01T00:00:00.007Z',
        ...[3, 2, 1].map((number) => `payment pm_${number} 1970-01-01T00:00:00.001Z`),
        'dispute pm_7 1970-01-01T00:00:00.010Z 1970-01-01T00:00:00.100Z',
        'dispute pm_6 1970-01-01T00:00:00.009Z 1970-01-01T00:00:00.200Z',
        'dispute pm_6 1970-01-01T00:00:00.008Z',
      ],
    );
    assert.deepEqual([counts.payment, counts.dispute], [4, 3]);
  });
}

describe('what needs a person', () => {
  test('has a dispute since it was recorded, until it ends', async () => {
    const node = await memoryNode();
    const { did } = await node.agent();
    const mandateId = await node.pay(did);
    await node.run('capturePayment', { mandateId });
    await node.run('demoDispute', { mandateId });
    const at = new Date(node.clock.now).toISOString();
    node.clock.now += 1000;
    const [item] = (await node.run('showAttention', {})).items;
    assert.deepEqual([item.kind, item.mandateId, item.since], ['dispute', mandateId, at]);
    await node.run('demoDisputeEnd', { mandateId, outcome: 'lost' });
    assert.deepEqual((await node.run('showAttention', {})).items, []);
  });

  test('has a node that was not backed up for seven days, and one that was never', async () => {
    const node = await memoryNode();
    let last: number | undefined;
    Object.assign(node.deps.data, { backups: { lastAt: () => last } });
    const items = async () =>
      (await node.run('showAttention', {})).items.map((item: Loose) => `${item.kind}: ${item.message}`);
    assert.deepEqual(await items(), []);
    node.clock.now += 7 * DAY;
    assert.deepEqual(await items(), [
      'backup: No backup of this node was ever made. Make one: countersign backup FILE',
    ]);
    last = node.clock.now;
    assert.deepEqual(await items(), []);
    node.clock.now += 8 * DAY;
    assert.deepEqual(await items(), ['backup: The last backup is 8 days old. Make one: countersign backup FILE']);
  });

  test('has what the node found wrong with itself', async () => {
    const node = await memoryNode();
    node.deps.data.file.damage = 'a page is empty.';
    node.deps.evidence.checkpoints.faults.set(node.owner.tenantId, 'The chain is shorter than its checkpoint.');
    const { items, counts } = await node.run('showAttention', {});
    assert.deepEqual([items.map((item: Loose) => item.kind), counts.node], [['node', 'node'], 2]);
  });
});
