/** The tools of AP2's samples over MCP: a mandate becomes a payment token, is paid with, given back, and its receipt checked. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { IntentParties } from '../../support/intents.ts';
import { budget, MandateParties, referenceOf } from '../../support/mandates.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';

const [sqlite] = everyEngine();

describe('mandates over MCP', () => {
  let world: World;
  const parties = new MandateParties(Date.now);
  const intents = new IntentParties(Date.now);
  before(async () => {
    world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
    const { jwk } = parties.provider;
    await world.rest('POST', '/ap2/admin/mandate-issuers', { name: 'Provider', kind: 'agent-provider', jwk });
    await world.rest('POST', '/ap2/admin/mandate-issuers', intents.issuerKey);
  });
  after(() => world.close());

  const call = async (name: string, input: Loose): Promise<Loose> => {
    const response = await fetch(`${world.node.address}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${ADMIN_KEY}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    });
    const text = await response.text();
    const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '');
    return JSON.parse(json).result;
  };
  const issue = async (body: Loose) =>
    (
      await call('issue_payment_credential', {
        payment_mandate_chain_id: body.paymentMandate,
        verifiable_intent: body.verifiableIntent,
        payment_nonce: body.nonce,
        checkout_jwt_hash: body.checkoutJwtHash,
        agent_did: world.agent.did,
      })
    ).structuredContent;

  test('a payment token is issued, paid with, and its receipt checked', async () => {
    const body = parties.close(parties.open());
    const { payment_token, expires_at } = await issue(body);
    assert.ok(Date.parse(expires_at) > Date.now());
    const paid = (await call('initiate_payment', { payment_token })).structuredContent;
    assert.equal(paid.status, 'requires_capture');
    const reference = referenceOf(body.paymentMandate);
    const check = { payment_receipt: paid.payment_receipt, reference };
    const { valid, claims, payment_status } = (await call('verify_payment_receipt', check)).structuredContent;
    assert.deepEqual([valid, claims.status, payment_status], [true, 'Success', 'AUTHORIZED']);
    const other = (await call('verify_payment_receipt', { ...check, reference: 'other' })).structuredContent;
    assert.deepEqual(other, { valid: false, reason: 'It is for another mandate.', not_compared: [] });
  });

  test('layers of Verifiable Intent are exchanged for a payment token, and not beside a chain', async () => {
    const body = intents.immediate();
    assert.ok((await issue(body)).payment_token);
    assert.equal((await issue(body)).error, 'MANDATE_USED');
    const both = { ...parties.close(parties.open()), verifiable_intent: body.verifiableIntent };
    const { isError, content } = await call('issue_payment_credential', {
      payment_mandate_chain_id: both.paymentMandate,
      verifiable_intent: body.verifiableIntent,
      payment_nonce: both.nonce,
      checkout_jwt_hash: both.checkoutJwtHash,
      agent_did: world.agent.did,
    });
    assert.equal(isError, true);
    assert.match(content[0].text, /exactly one of the two/);
  });

  test('a refusal is a result with its first code and a receipt', async () => {
    const open = parties.open();
    await issue(parties.close(open));
    const { error, message, receipt } = await issue(parties.close(open));
    assert.deepEqual([error, receipt.split('.').length], ['MANDATE_USED', 3]);
    assert.match(message, /allows one payment/);
  });

  test('a token that is given back pays nothing, and its budget is free again', async () => {
    const open = parties.open(budget(20, 'USD'));
    const { payment_token } = await issue(parties.close(open));
    assert.equal((await issue(parties.close(open))).error, 'SPENDING_LIMIT_EXCEEDED');
    assert.deepEqual((await call('revoke_payment_credential', { payment_token })).structuredContent, { revoked: true });
    assert.equal((await call('initiate_payment', { payment_token })).isError, true);
    assert.ok((await issue(parties.close(open))).payment_token);
  });

  test('no other token is given back by it, and none that was paid with', async () => {
    const none = await call('revoke_payment_credential', { payment_token: 'apt_none' });
    assert.match(none.content[0].text, /^NOT_FOUND/);
    const { payment_token } = await issue(parties.close(parties.open()));
    await call('initiate_payment', { payment_token });
    assert.match((await call('revoke_payment_credential', { payment_token })).content[0].text, /^CONFLICT/);
  });
});
