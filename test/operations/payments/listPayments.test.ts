/** Payments and approvals are listed by merchant and by time, over REST: what a filter gives is what a plain look gives. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeId, RANDOM_BYTES } from '../../../protocol/wire/id.ts';
import { insertApprovalRequest } from '../../../src/store/statements/people/approvals.ts';
import { insertPayment } from '../../../src/store/statements/purchases/payments.ts';
import { run } from '../../../src/store/store.ts';
import { dice } from '../../support/dice.ts';
import { everyEngine } from '../../support/engines.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

/** So lately that housekeeping leaves them alone. */
const START = Date.now() - 20 * 24 * 3600 * 1000;
const MINUTE = 60_000;
const STATUSES = ['CAPTURED', 'REFUNDED', 'FAILED'] as const;
const DECISIONS = ['approved', 'denied', 'expired'] as const;
const MERCHANTS = ['shop.example', 'rare.example', 'xn--caf-dma.example'] as const;

interface Row {
  readonly id: string;
  readonly at: number;
  readonly agentDid: string;
  readonly merchant: string;
  readonly status: string;
}

for (const engine of everyEngine()) {
  describe(`lists by merchant and time on ${engine.name}`, () => {
    let world: World;
    const { below } = dice(`lists on ${engine.name}`);
    const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
    const payments: Row[] = [];
    const approvals: Row[] = [];

    before(async () => {
      world = await makeWorld(engine);
      const agents = [world.agent.did, (await world.newAgent()).did];
      const { store } = world.node.deps;
      const { tenantId } = world.node;
      let at = START;
      for (let number = 0; number < 120; number += 1) {
        at += below(3) === 0 ? 0 : below(5 * MINUTE);
        const random = new Uint8Array(RANDOM_BYTES);
        random[1] = number;
        // The clock was set back after the id of some was made.
        const id = (prefix: string) => makeId(prefix, at + below(2) * below(MINUTE / 2), random);
        const common = { at, agentDid: pick(agents), merchant: pick(MERCHANTS) };
        const payment = { ...common, id: id('pm_'), status: pick(STATUSES) };
        const approval = { ...common, id: id('apr_'), status: pick(DECISIONS) };
        payments.push(payment);
        approvals.push(approval);
        await store.write(tenantId, function* () {
          yield* insertPayment(paymentRow(tenantId, payment, number));
          yield* insertApprovalRequest(approvalRow(tenantId, approval, number));
          const sql = 'UPDATE approval_requests SET status = ? WHERE id = ?';
          yield* run(sql, approval.status, approval.id);
        });
      }
    });
    after(() => world.close());

    const kinds = [
      { path: '/ap2/payments', rows: payments, idOf: (item: Loose) => item.mandateId },
      { path: '/ap2/approvals', rows: approvals, idOf: (item: Loose) => item.id },
    ];

    test('give what a plain look gives, page by page, with each combination of filters', async () => {
      for (let round = 0; round < 60; round += 1) {
        const { path, rows, idOf } = pick(kinds);
        const sample = pick(rows);
        const [one, other] = [pick(rows).at, pick(rows).at].toSorted((a, b) => a - b) as [number, number];
        const filter: Record<string, string> = {};
        if (below(2) === 0) filter.merchant = sample.merchant;
        if (below(3) === 0) filter.status = sample.status;
        if (below(3) === 0) filter.agentDid = sample.agentDid;
        if (below(2) === 0) filter.from = new Date(one).toISOString();
        if (below(2) === 0) filter.to = new Date(other).toISOString();
        const expected = rows.filter(
          (row) =>
            (filter.merchant ?? row.merchant) === row.merchant &&
            (filter.status ?? row.status) === row.status &&
            (filter.agentDid ?? row.agentDid) === row.agentDid &&
            row.at >= (filter.from === undefined ? 0 : one) &&
            row.at <= (filter.to === undefined ? Number.POSITIVE_INFINITY : other),
        );
        const ids: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const page = new URLSearchParams({ ...filter, limit: '7', ...(cursor === '' ? {} : { cursor }) });
          const { status, body, text } = await world.rest('GET', `${path}?${page}`);
          assert.equal(status, 200, text);
          ids.push(...body.data.map(idOf));
          cursor = body.cursor;
        }
        const newest = expected.map(({ id }) => id).toSorted((a, b) => (a < b ? 1 : -1));
        assert.deepEqual(ids, newest, JSON.stringify({ path, filter }));
      }
    });

    test('take a merchant as it is written, and both ends of a time', async () => {
      const named = await world.rest('GET', `/ap2/payments?limit=200&merchant=${encodeURIComponent('CAFÉ.example')}`);
      assert.equal(named.body.data.length, payments.filter(({ merchant }) => merchant.startsWith('xn--')).length);
      const { at } = payments[50] as Row;
      const moment = encodeURIComponent(new Date(at).toISOString().replace('Z', '+00:00'));
      const { body } = await world.rest('GET', `/ap2/payments?from=${moment}&to=${moment}`);
      assert.equal(body.data.length, payments.filter((row) => row.at === at).length);
    });

    test('refuse what cannot be, and say which parameter it is', async () => {
      for (const path of ['/ap2/payments', '/ap2/approvals', '/ap2/evidence/search']) {
        const late = await world.rest('GET', `${path}?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z`);
        assert.equal(late.status, 400, path);
        assert.deepEqual(late.body.error.details, [{ path: 'from', message: 'must not lie after "to"' }]);
        const odd = await world.rest('GET', `${path}?to=yesterday`);
        assert.equal(odd.status, 400, path);
        assert.equal(odd.body.error.details[0].path, 'to');
      }
      for (const path of ['/ap2/payments', '/ap2/approvals']) {
        const odd = await world.rest('GET', `${path}?merchant=${encodeURIComponent('not a domain')}`);
        assert.equal(odd.status, 400, path);
        assert.equal(odd.body.error.details[0].path, 'merchant');
      }
    });
  });
}

function paymentRow(tenantId: string, row: Row, number: number): Parameters<typeof insertPayment>[0] {
  return {
    tenant_id: tenantId,
    mandate_id: row.id,
    transaction_id: `txn_${number}`,
    context_id: null,
    intent_id: `intent_${number}`,
    agent_did: row.agentDid,
    principal_did: row.agentDid,
    status: row.status as 'CAPTURED',
    amount_minor: 100,
    captured_minor: 0,
    refunded_minor: 0,
    currency: 'USD',
    merchant: row.merchant,
    rail: 'CARD_RAIL',
    rail_id: null,
    credential: '{}',
    error_code: null,
    error_message: null,
    created_at: row.at,
    authorized_at: row.at,
    cart_hash: null,
    print: null,
    description: null,
    governed_did: null,
    mcc: null,
    by_mandate: null,
    checkout_key: null,
    credential_formats: null,
  };
}

function approvalRow(tenantId: string, row: Row, number: number): Parameters<typeof insertApprovalRequest>[0] {
  return {
    id: row.id,
    tenant_id: tenantId,
    agent_did: row.agentDid,
    principal_did: row.agentDid,
    intent_id: `intent_${number}`,
    transaction_id: `txn_${number}`,
    context_id: null,
    cart_hash: `sha256:${number}`,
    amount_minor: 100,
    currency: 'USD',
    merchant: row.merchant,
    items: '[]',
    causes: '[]',
    created_at: row.at,
    expires_at: row.at,
    cart: '{}',
    paying: null,
    remind_at: null,
    ends_with: null,
    escalate_at: null,
  };
}
