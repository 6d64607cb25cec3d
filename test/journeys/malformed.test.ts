/** What is wrong gets a clear answer: the documented 4xx or JSON-RPC error, never a 5xx, and the node lives on. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allRoutes } from '../../src/extensions/nodeOperations.ts';
import { everyEngine } from '../support/engines.ts';
import { type Json, type JsonObject, makeMessage, makePeer } from '../support/peer.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';

const AUTH = { Authorization: `Bearer ${ADMIN_KEY}` };

/** Bodies that no route takes. */
const BROKEN_BODIES: readonly (readonly [string, string])[] = [
  ['cut off', '{"agentDid":'],
  ['not an object', '[1,2]'],
  ['null', 'null'],
  ['a duplicate name', '{"a":1,"a":2}'],
  ['__proto__', '{"__proto__":{"a":1}}'],
  ['an escaped __proto__', '{"\\u005f_proto__":1}'],
  ['a number that is not finite', '{"a":1e400}'],
  ['a lone surrogate', '{"a":"\\ud800"}'],
  ['33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
];

/** Intents with one thing wrong: the member that the answer must name, and what stands there; undefined: nothing. */
const WRONG_INTENTS: readonly (readonly [string, Json | undefined])[] = [
  ['agentDid', undefined],
  ['agentDid', 'did:key:zNothing'],
  ['agentDid', 'did:web:example.com'],
  ['principalDid', 7],
  ['request', undefined],
  ['request.maxAmount', '5'],
  ['request.maxAmount', 0],
  ['request.maxAmount', -1],
  ['request.maxAmount', 1.001],
  ['request.maxAmount', 1e20],
  ['request.currency', 'usd'],
  ['request.currency', 'XAU'],
  ['request.vendorHints.domain', 'http://shop.example/x'],
  ['request.vendorHints.domain', '127.0.0.1'],
  ['request.vendorHints.mcc', '54'],
  ['request.vendorHints.country', 'usa'],
  ['expiresAt', 'tomorrow'],
  ['expiresAt', '2001-01-01T00:00:00Z'],
  ['expiresAt', '2999-01-01T00:00:00Z'],
  ['idempotencyKey', ''],
  ['idempotencyKey', 'k'.repeat(256)],
];

/** Puts a value where a path leads, or takes away what is there. */
function put(body: JsonObject, path: string, value: Json | undefined): void {
  const names = path.split('.');
  const last = names.pop() as string;
  const parent = names.reduce((object, name) => object[name] as JsonObject, body);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}

const WRONG_QUERIES = [
  '/ap2/intents?limit=0',
  '/ap2/intents?limit=201',
  '/ap2/intents?limit=ten',
  '/ap2/intents?limit=',
  '/ap2/intents?cursor=nonsense',
  '/ap2/intents?cursor=%22%22',
  '/ap2/intents?status=OPEN',
  '/ap2/intents?agentDid=me',
  '/ap2/payments?status=paid',
  '/ap2/agents?status=DEAD',
  '/ap2/evidence/verify?fromSeq=0',
  '/ap2/evidence/verify?fromSeq=9&toSeq=3',
  '/ap2/evidence/export?last=0',
  '/ap2/evidence/export?format=xml',
  '/ap2/evidence/export?from=yesterday',
  '/ap2/evidence/search?actorDid=x',
];

const WRONG_RULES: readonly (readonly [string, Json])[] = [
  ['rules.version', {}],
  ['rules.spending', { version: '2.0', spending: {} }],
  ['rules.spend.amount_cap', { version: '2.0', spend: { amount_cap: -1, currency: 'USD' } }],
  [
    'rules.risk.velocity_limit.time_window',
    { version: '2.0', risk: { velocity_limit: { max_transactions: 1, time_window: '1y' } } },
  ],
];

for (const engine of everyEngine().slice(0, 1)) {
  describe(`malformed requests on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine, { EXTENSIONS: '' });
    });
    after(async () => {
      assert.equal((await world.rest('GET', '/readyz', undefined, {})).status, 200, 'the node is healthy afterwards');
      await world.close();
    });

    for (const [name, body] of BROKEN_BODIES) {
      test(`a body that is ${name} is a 400 on every route that takes one, and a JSON-RPC error`, async () => {
        for (const route of allRoutes.filter((route) => route.method === 'POST' || route.method === 'PUT')) {
          const path = route.path.replace(':did', world.agent.did).replace(/:\w+/g, 'x');
          const reply = await world.rest(route.method, path, body, AUTH);
          assert.equal(reply.status, 400, `${route.method} ${path}: ${reply.text}`);
          assert.equal(reply.body.error.code, 'BAD_REQUEST');
        }
        const answer = await world.rpc(body);
        assert.ok([-32700, -32600].includes(answer.body.error?.code ?? answer.body[0]?.error.code), answer.text);
      });
    }

    for (const [path, value] of WRONG_INTENTS) {
      test(`an intent wrong at ${path} is a 400 that names it, and -32602 between agents (${String(value).slice(0, 30)})`, async () => {
        const body = world.intentBody(5);
        put(body, path, value);
        const reply = await world.rest('POST', '/ap2/intents', body);
        assert.equal(reply.status, 400, reply.text);
        assert.ok(
          reply.body.error.details.some((detail: Loose) => detail.path === path),
          reply.text,
        );
        assert.match(reply.body.error.requestId, /^req_/);
        if (path === 'idempotencyKey') return;
        const answer = await world.say('IntentMandate', body);
        assert.equal(answer.error.code, -32602, JSON.stringify(answer));
      });
    }

    for (const path of WRONG_QUERIES) {
      test(`GET ${path} is a 400`, async () => {
        const reply = await world.rest('GET', path);
        assert.equal(reply.status, 400, reply.text);
      });
    }

    for (const [path, rules] of WRONG_RULES) {
      test(`rules wrong at ${path} are a 400 that names it`, async () => {
        const reply = await world.rest('POST', '/ap2/admin/policies', { name: 'x', rules });
        assert.equal(reply.status, 400, reply.text);
        assert.ok(
          reply.body.error.details.some((detail: Loose) => detail.path === path),
          reply.text,
        );
      });
    }

    test('a cart that does not add up, or an intent credential of another issuer, is a 400', async () => {
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(5));
      const wrongSum = world.cart(5);
      (wrongSum.credentialSubject as JsonObject).total = 4;
      const request = { intentVc: intent.body.intentVc, cartVc: wrongSum };
      assert.equal((await world.rest('POST', '/ap2/carts/validate', request)).status, 400);
      const forged = { ...intent.body.intentVc, issuer: makePeer().did };
      const other = await world.rest('POST', '/ap2/carts/validate', { intentVc: forged, cartVc: world.cart(5) });
      assert.equal(other.status, 400, other.text);
    });

    test('what is not there is a 404, what is not served a 405, and a body too long a 413', async () => {
      for (const path of ['/ap2', '/ap2/intents/', '/ap2/intents/intent_x', '/ap2/payments/pm_x', '/nothing']) {
        assert.equal((await world.rest('GET', path)).status, 404, path);
      }
      const patched = await world.rest('PATCH', '/ap2/intents', {});
      assert.equal(patched.status, 405);
      assert.match(patched.headers.get('allow') ?? '', /GET.*POST/);
      const long = await world.rest('POST', '/ap2/intents', `{"a":"${'x'.repeat(300_000)}"}`, AUTH);
      assert.equal(long.status, 413);
      assert.equal((await world.rpc(`{"a":"${'x'.repeat(300_000)}"}`)).status, 413);
      const token = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: 'apt_nothing' });
      assert.equal(token.status, 404);
    });

    test('a body that is not JSON by its type is a 415', async () => {
      const reply = await world.rest('POST', '/ap2/intents', '{}', { ...AUTH, 'Content-Type': 'text/plain' });
      assert.equal(reply.status, 415);
      assert.equal((await world.rpc('{}', { 'Content-Type': 'text/plain' })).status, 415);
    });

    test('a caller without credential, with a malformed one or one of production is a 401', async () => {
      assert.equal((await world.rest('GET', '/ap2/agents', undefined, {})).body.error.code, 'UNAUTHORIZED');
      for (const Authorization of [
        'Bearer x',
        'Basic abc',
        `Bearer ak_live_${'a'.repeat(32)}`,
        `Bearer ak_test_${'b'.repeat(32)}`,
      ]) {
        const reply = await world.rest('GET', '/ap2/agents', undefined, { Authorization });
        assert.equal(reply.status, 401, Authorization);
        assert.equal(reply.body.error.code, 'INVALID_API_KEY', Authorization);
      }
    });

    const rpcErrors: readonly (readonly [string, Json, number])[] = [
      ['an empty batch', [], -32600],
      ['a batch of 51', Array.from({ length: 51 }, () => ({})), -32600],
      ['a string', 'hello', -32600],
      ['a request without id', { jsonrpc: '2.0', method: 'a2a/message' }, -32600],
      ['an id that is null', { jsonrpc: '2.0', id: null, method: 'a2a/message' }, -32600],
      ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'a2a/message' }, -32600],
      ['version 1', { jsonrpc: '1.0', id: 1, method: 'a2a/message' }, -32600],
      ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'a2a/steal' }, -32601],
      ['the method toString', { jsonrpc: '2.0', id: 1, method: 'toString' }, -32601],
      ['no params', { jsonrpc: '2.0', id: 1, method: 'a2a/message' }, -32602],
      ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'a2a/message', params: [1] }, -32602],
      ['a message without body', { jsonrpc: '2.0', id: 1, method: 'a2a/message', params: { message: {} } }, -32602],
      [
        'a session without proof',
        { jsonrpc: '2.0', id: 1, method: 'a2a/session.get', params: { contextId: 'x' } },
        -32001,
      ],
    ];
    for (const [name, body, code] of rpcErrors) {
      test(`${name} is the JSON-RPC error ${code}`, async () => {
        const answer = await world.rpc(body === 'hello' ? '"hello"' : body);
        assert.equal(answer.status, 200);
        assert.equal(answer.body.error.code, code, answer.text);
      });
    }

    test('a message unsigned, forged, stale, for another node or by a stranger is -32001', async () => {
      const to = world.node.deps.issuer.did;
      const body = world.intentBody(5);
      const content = { type: 'IntentMandate', to, body };
      const signed = makeMessage(world.agent, content);
      const { proof: _proof, ...unsigned } = signed;
      const stranger = makePeer();
      const wrong: JsonObject[] = [
        unsigned,
        { ...signed, created: new Date(Date.now() + 1000).toISOString() },
        { ...signed, body: world.intentBody(6) },
        makeMessage(world.agent, { ...content, created: new Date(Date.now() - 301_000).toISOString() }),
        makeMessage(world.agent, { ...content, created: new Date(Date.now() + 62_000).toISOString() }),
        makeMessage(world.agent, { ...content, to: world.agent.did }),
        makeMessage(stranger, content),
        { ...makeMessage(stranger, content), from: world.agent.did },
      ];
      for (const message of wrong) {
        const answer = await world.rpc({ jsonrpc: '2.0', id: 1, method: 'a2a/message', params: { message } });
        assert.equal(answer.body.error?.code, -32001, answer.text);
      }
      const otherAgent = await world.newAgent();
      const answer = await world.say('IntentMandate', world.intentBody(5, { agent: otherAgent }));
      assert.equal(answer.error.code, -32001, 'an agent cannot ask for another');
    });
  });
}
