/** Every request to the MCP endpoint gets a clear answer, never a 5xx, and the node lives on. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { everyEngine } from '../../support/engines.ts';
import { changeAt } from '../../support/mutate.ts';
import { rounds } from '../../support/rounds.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';

const TOOLS = [
  'request_intent',
  'validate_cart',
  'pay',
  'authorize_http_payment',
  'settle_http_payment',
  'check_status',
  'wait_for_approval',
  'policy_explain',
  'list_purchases',
  'get_evidence',
  'issue_payment_credential',
  'revoke_payment_credential',
  'initiate_payment',
  'verify_payment_receipt',
  'pay_acp_checkout',
  'reserve_payment',
  'commit_payment',
  'release_payment',
  'sign_http_request',
];
const RUNS = { numRuns: rounds(1500, 150) };
const [sqlite] = everyEngine();

describe('a malformed message over MCP', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
  });
  after(() => world.close());

  const send = async (body: string, more: Record<string, string> = {}) => {
    const response = await fetch(`${world.node.address}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${ADMIN_KEY}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...more,
      },
      body,
    });
    return { status: response.status, text: await response.text() };
  };

  test('of any kind is answered with less than 500 and without a trace', async () => {
    const message = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
        id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
        method: fc.oneof(fc.constantFrom('initialize', 'tools/list', 'tools/call', 'resources/read'), fc.string()),
        params: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const anything = fc.oneof(message, fc.jsonValue(), fc.array(message, { maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(anything, fc.boolean(), async (value, isModern) => {
        const { status, text } = await send(
          JSON.stringify(value),
          isModern ? { 'MCP-Protocol-Version': '2026-07-28' } : {},
        );
        assert.ok(status < 500, `${status} ${text}`);
        assert.doesNotMatch(text, /node_modules|\.ts:\d|at async/);
      }),
      RUNS,
    );
  });

  test('that calls a tool with anything gets a result that says what is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TOOLS), fc.dictionary(fc.string(), fc.jsonValue()), async (name, given) => {
        const params = { name, arguments: given };
        const { status, text } = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }), {
          'MCP-Protocol-Version': '2025-11-25',
        });
        assert.ok(status < 500, `${status} ${text}`);
        assert.doesNotMatch(text, /"INTERNAL_ERROR|-32603|node_modules/);
      }),
      RUNS,
    );
    const { status } = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    assert.equal(status, 200);
  });

  test('that is a good one but for a member gets a result or an error, and no trace', async () => {
    const intentId = 'intent_01m81h85015fhs2dgvnwjjtnpt';
    const good = (): Loose[] => [
      { name: 'request_intent', arguments: { maxAmount: 1, currency: 'USD', agentDid: world.agent.did, mcc: '5411' } },
      { name: 'validate_cart', arguments: { intentId, cartVc: world.cart(1), hpProof: {}, idempotencyKey: 'once' } },
      { name: 'pay', arguments: { approvalToken: 'apt_none', instrument: 'pm_card_visa' } },
      {
        name: 'authorize_http_payment',
        arguments: {
          url: 'https://shop.example/',
          received: { error: { data: { challenges: [{ id: 'c' }] } } },
          method: 'GET',
        },
      },
      { name: 'settle_http_payment', arguments: { challengeId: 'c', receipt: 'e30', problem: {}, status: 402 } },
      { name: 'check_status', arguments: { id: intentId } },
      { name: 'wait_for_approval', arguments: { approvalId: 'apr_none', waitSeconds: 0 } },
      { name: 'policy_explain', arguments: { amount: 1, currency: 'USD', merchantDomain: 'shop.example' } },
      { name: 'list_purchases', arguments: { limit: 1, cursor: 'x', status: 'AUTHORIZED' } },
      { name: 'get_evidence', arguments: { transactionId: 'txn_none' } },
    ];
    const places = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 });
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('toString', '\u0000', 1e308, 'x'.repeat(5000)));
    const version = fc.constantFrom('2025-11-25', '2025-06-18', '1999-01-01', '');
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 9 }), places, value, version, async (at, way, put, asked) => {
        const params = good()[at] as Loose;
        changeAt(params, way, put);
        const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
        const { status, text } = await send(message, { 'MCP-Protocol-Version': asked });
        assert.ok(status < 500, `${status} ${text} to ${message}`);
        assert.doesNotMatch(text, /"INTERNAL_ERROR|-32603|node_modules|\.ts:\d/, message);
      }),
      RUNS,
    );
  });
});

test('what fails inside is answered without a word of it', async () => {
  const world = await makeWorld(sqlite as NonNullable<typeof sqlite>, { GATES: '0', LOG_LEVEL: 'silent' });
  try {
    Object.assign(world.node.deps.policies, {
      compiled() {
        throw new Error('the inside of the node');
      },
    });
    const params = { name: 'policy_explain', arguments: {} };
    const response = await fetch(`${world.node.address}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${ADMIN_KEY}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const text = await response.text();
    assert.match(text, /Something went wrong here; it has been logged/);
    assert.doesNotMatch(text, /the inside/);
  } finally {
    await world.close();
  }
});
