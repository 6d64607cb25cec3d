/** The OpenRPC document: every method of the gateway, its examples and real answers as its schemas say. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { methods } from '../../src/gates/a2a/methods.ts';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof } from '../support/peer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

describe('the OpenRPC document', () => {
  let world: World;
  let documented: Loose;
  let ajv: Ajv2020;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    documented = (await world.rest('GET', '/openrpc.json', undefined, {})).body;
    ajv = new Ajv2020({ strict: false, validateSchema: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema(documented, 'openrpc');
  });
  after(() => world.close());

  const check = (pointer: string, value: unknown) => {
    const valid = ajv.compile({ $ref: `openrpc#${pointer}` });
    assert.ok(valid(value), `${pointer}: ${ajv.errorsText(valid.errors)}\n${JSON.stringify(value)}`);
  };
  const at = (name: string) => documented.methods.findIndex((method: Loose) => method.name === name);

  test('it has every method, where each is to be reached, and only references that lead somewhere', () => {
    assert.match(documented.openrpc, /^1\.3\./);
    assert.deepEqual(documented.methods.map((method: Loose) => method.name).sort(), Object.keys(methods).sort());
    assert.equal(documented.servers[0].url, `${world.node.baseUrl}/a2a/gateway`);
    assert.match(documented.servers[1].url, /^ws:/);
    for (const [, name] of JSON.stringify(documented).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      assert.ok(documented.components.schemas[name as string], name);
    }
    for (const method of documented.methods) {
      assert.ok(method.summary && method.result && method.errors.length > 0 && method.examples.length > 0, method.name);
      const codes = method.errors.map((error: Loose) => error.code);
      assert.ok(codes.every(Number.isInteger), method.name);
    }
  });

  test('each example is one that its schemas allow', () => {
    for (const [index, method] of documented.methods.entries()) {
      for (const example of method.examples) {
        for (const { name, value } of example.params) {
          const place = method.params.findIndex((param: Loose) => param.name === name);
          assert.notEqual(place, -1, `${method.name} has no parameter ${name}`);
          check(`/methods/${index}/params/${place}/schema`, value);
        }
        check(`/methods/${index}/result/schema`, example.result.value);
      }
    }
  });

  test('real answers are as it says', async () => {
    const message = `/methods/${at('a2a/message')}/result/schema`;
    const intent = await world.say('IntentMandate', world.intentBody(5));
    check(message, intent.result);
    const { intentVc } = intent.result.message.body;
    const cart = await world.say('CartMandate', { intentVc, cartVc: world.cart(5) });
    check(message, cart.result);
    const { approvalToken } = cart.result.message.body;
    check(message, (await world.say('PaymentMandate', { approvalToken })).result);
    const refused = await world.say('IntentMandate', world.intentBody(5000));
    assert.equal(refused.error.code, -32000);
    check('/components/schemas/Refusal', refused.error.data);

    const params = { contextId: 'described', agentDid: world.agent.did, userDid: world.principal.did };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a2a/session.create', params });
    const request = { baseUrl: world.node.baseUrl, method: 'POST', path: '/a2a/gateway', body };
    const session = await world.rpc(body, { 'X-DID-Proof': makeDidProof(world.agent, request) });
    check(`/methods/${at('a2a/session.create')}/result/schema`, session.body.result);
  });
});
