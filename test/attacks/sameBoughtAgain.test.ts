/** An agent that plans again, with new keys, intents and carts, buys the same once, by any gate. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { saidBy, sendTo } from '../support/standardPeer.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';

const AT_ONCE = 12;
const SUSPECTED = ['DUPLICATE_SUSPECTED'];

for (const engine of everyEngine()) {
  describe(`the same bought again on ${engine.name}`, () => {
    let world: World;
    let agent: Peer;
    let addresses: string[];
    let stopOther = async () => {};
    before(async () => {
      world = await makeWorld(engine);
      addresses = [world.node.address];
      if (engine.name === 'sqlite') return;
      const other = await world.another();
      addresses.push(other.address);
      stopOther = () => other.stop();
    });
    beforeEach(async () => {
      agent = await world.newAgent();
      await policy({ window: '10m', action: 'deny' });
    });
    after(async () => {
      await stopOther();
      await world.close();
    });

    const policy = async (duplicate?: object) => {
      const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } };
      const made = { ...rules, ...(duplicate === undefined ? {} : { risk: { duplicate } }) };
      const reply = await world.rest('POST', '/ap2/admin/policies', { name: 'Same', rules: made });
      assert.equal(reply.status, 201, reply.text);
    };
    /** To one node after the other. */
    const post = async (path: string, body: object, at = 0): Promise<Loose> => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_KEY}` };
      const url = `${addresses[at % addresses.length]}${path}`;
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      assert.equal(response.status, 200, await response.clone().text());
      return response.json();
    };
    const intend = async (): Promise<Loose> => {
      const body = world.intentBody(10, { agent, idempotencyKey: randomUUID() });
      return (await world.rest('POST', '/ap2/intents', body)).body.intentVc;
    };
    const validate = async (at = 0): Promise<Loose> =>
      post('/ap2/carts/validate', { intentVc: await intend(), cartVc: world.cart(10) }, at);
    const codesOf = (answers: Loose[]) => answers.flatMap(({ reasonCodes }) => reasonCodes ?? ['ALLOWED']).sort();
    const one = ['ALLOWED', ...Array.from({ length: AT_ONCE - 1 }, () => SUSPECTED[0])];

    test('in twelve carts at once one is approved, and the first payment is what all later ones are told of', async () => {
      const tries = Array.from({ length: AT_ONCE }, (_, at) => at);
      const answers = await Promise.all(tries.map(validate));
      assert.deepEqual(codesOf(answers), one);
      const { approvalToken } = answers.find(({ allowed }) => allowed);
      const paid = mandateIdOf(await post('/ap2/payments/mandate', { approvalToken }));
      for (const at of [0, 1]) assert.equal((await validate(at)).duplicateOf.mandateId, paid);
    });

    test('with twelve approvals from before the rule, paid at once, is paid once', async () => {
      await policy();
      const tokens: string[] = [];
      for (let count = 0; count < AT_ONCE; count += 1) tokens.push((await validate()).approvalToken);
      await policy({ window: '10m', action: 'deny' });
      const answers = await Promise.all(
        tokens.map((approvalToken, at) => post('/ap2/payments/mandate', { approvalToken }, at)),
      );
      assert.deepEqual(codesOf(answers), one);
    });

    test('is answered alike over REST, both dialects of A2A, and MCP', async () => {
      const first = mandateIdOf(await purchase(world, 10, { agent }));
      const payment = await world.client.getPayment({ mandateId: first });
      const duplicateOf = {
        mandateId: first,
        transactionId: payment.transactionId,
        status: 'AUTHORIZED',
        createdAt: payment.createdAt,
        resultUrl: `${world.node.baseUrl}/ap2/payments/${first}`,
      };
      const cart = async () => ({ intentVc: await intend(), cartVc: world.cart(10) });
      const overRest = (await world.rest('POST', '/ap2/carts/validate', await cart())).body;
      const overGateway = (await world.say('CartMandate', await cart(), { from: agent })).error.data;
      const overStandard = saidBy(await sendTo(world, { 'countersign.cart': await cart() }))['countersign.refusal'];
      const client = new Client({ name: 'a model’s host', version: '1.0.0' });
      const requestInit = { headers: { Authorization: `Bearer ${ADMIN_KEY}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${world.node.address}/mcp`), { requestInit }));
      const { intentVc, cartVc } = await cart();
      const intentId = intentVc.credentialSubject.mandateId;
      const called = await client.callTool({ name: 'validate_cart', arguments: { intentId, cartVc } as never });
      await client.close();
      const overMcp = called.structuredContent as Loose;
      for (const [gate, answer] of Object.entries<Loose>({ overRest, overGateway, overStandard, overMcp })) {
        assert.deepEqual(answer.reasonCodes, SUSPECTED, gate);
        assert.deepEqual(answer.duplicateOf, duplicateOf, gate);
        assert.match(
          answer.details.DUPLICATE_SUSPECTED.message,
          new RegExp(`ago and is authorized \\(${first}\\)`),
          gate,
        );
      }
    });

    test('waits for a person in a task of the standard dialect, which names the first payment', async () => {
      await policy({ window: '10m', action: 'presence' });
      const first = mandateIdOf(await purchase(world, 10, { agent }));
      const task = await sendTo(world, { 'countersign.cart': { intentVc: await intend(), cartVc: world.cart(10) } });
      assert.equal(task.status.state, 'TASK_STATE_AUTH_REQUIRED');
      assert.match(saidBy(task)['countersign.approval'].id, /^apr_/);
      assert.equal(saidBy(task)['countersign.duplicateOf'].mandateId, first);
    });

    test('names the first payment to no agent that may not read it', async () => {
      const other = await world.newAgent();
      const principal = (await world.newAgent('the principal')) as Peer;
      const registered = { did: principal.did, name: 'Anna', agents: [agent.did, other.did] };
      assert.equal((await world.rest('POST', '/ap2/admin/principals', registered)).status, 201);
      const paid = mandateIdOf(await purchase(world, 10, { agent, principal }));
      const intent = await world.say('IntentMandate', world.intentBody(10, { agent: other, principal }), {
        from: other,
      });
      const { intentVc } = intent.result.message.body;
      const answer = await world.say('CartMandate', { intentVc, cartVc: world.cart(10) }, { from: other });
      assert.deepEqual(answer.error.data.reasonCodes, SUSPECTED);
      assert.ok(!JSON.stringify(answer).includes(paid));
      assert.equal(answer.error.data.duplicateOf, undefined);
    });
  });
}
