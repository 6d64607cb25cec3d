/** A restriction under a wrong name is refused by every gate: dropped in silence, it would be one that does not hold. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allOperations, allRoutes, loadApi } from '../../src/extensions/nodeOperations.ts';
import { useCaseIn } from '../../src/usecase/useCase.ts';
import { everyEngine } from '../support/engines.ts';
import { requestOf } from '../support/exampleRequest.ts';
import { callStandard, taskMessage } from '../support/standardPeer.ts';
import { ADMIN_KEY, type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const { examples } = await loadApi();

/** Administrative writes whose unknown members are ignored: the contract's own, of the sandbox, or without a restriction in them. */
const OPEN = new Set(['createSpt', 'simulatePolicy', 'replayDraft', 'setEscalation']);

const [sqlite] = everyEngine();

describe('a restriction under a wrong name', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
  });
  after(() => world.close());

  test('is refused in the body of every administrative write, and named', async () => {
    const written = allRoutes.filter(
      ({ method, useCase, path }) =>
        (method === 'POST' || method === 'PUT') &&
        (useCaseIn(allOperations, useCase).permission === 'admin' || path === '/ap2/delegations') &&
        !OPEN.has(useCase),
    );
    let asked = 0;
    for (const route of written) {
      const input = (examples as Loose)[route.useCase]?.input ?? {};
      const [path, body] = requestOf(route, input);
      if (body === undefined) continue;
      const { status, body: answer, text } = await world.rest(route.method, path, { ...body, onlyForTeaShops: true });
      assert.equal(status, 400, `${route.useCase}: ${text}`);
      assert.ok(
        answer.error.details.some(({ path: at }: Loose) => at === 'onlyForTeaShops'),
        `${route.useCase}: ${text}`,
      );
      asked += 1;
    }
    assert.ok(asked > 15, `${asked} writes`);
  });

  test('makes no key that is bound to no agent, no agent without its limits and no principal without its agents', async () => {
    const { did } = world.agent;
    for (const [path, body, wrong, near] of [
      ['/ap2/admin/api-keys', { name: 'x', permissions: ['write'], agentDids: [did] }, 'agentDids', 'agents'],
      ['/ap2/admin/principals', { did: world.principal.did, name: 'x', Agents: [did] }, 'Agents', 'agents'],
      ['/ap2/agents', { name: 'x', publicKey: did.slice(8), owner_user_id: 'usr_x' }, 'owner_user_id', 'ownerUserId'],
    ] as const) {
      const { status, body: answer } = await world.rest('POST', path, body);
      assert.equal(status, 400);
      assert.deepEqual(answer.error.details, [
        { path: wrong, message: `is not a known member; did you mean ${near}?` },
      ]);
    }
  });

  test('makes no key of an empty list of agents, which would act for all', async () => {
    const { status, body } = await world.rest('POST', '/ap2/admin/api-keys', {
      name: 'x',
      permissions: ['write'],
      agents: [],
    });
    assert.deepEqual([status, body.error.details[0].path], [400, 'agents']);
    assert.match(body.error.message, /leave it out/);
  });

  test('buys nothing over REST, at any depth', async () => {
    const body = world.intentBody(5) as Loose;
    for (const [request, path] of [
      [{ ...body.request, note: 'for tea' }, undefined],
      [{ ...body.request, merchant: SHOP }, 'request.merchant'],
      [{ ...body.request, merchantDomain: SHOP }, 'request.merchantDomain'],
      [{ ...body.request, mcc: '5411' }, 'request.mcc'],
      [{ ...body.request, vendor_hints: { domain: SHOP } }, 'request.vendor_hints'],
      [{ ...body.request, vendorHints: { domian: SHOP } }, 'request.vendorHints.domian'],
      [{ ...body.request, vendorHints: { Domain: SHOP } }, 'request.vendorHints.Domain'],
    ] as const) {
      const { status, body: answer } = await world.rest('POST', '/ap2/intents', { ...body, request });
      assert.equal(status, path === undefined ? 200 : 400);
      if (path !== undefined) assert.equal(answer.error.details[0].path, path);
    }
    for (const wrong of [{ delegation_id: 'dlg_x' }, { merchant: SHOP }, { country: 'CH' }]) {
      const { status, text } = await world.rest('POST', '/ap2/intents', { ...body, ...wrong });
      assert.equal(status, 400, text);
    }
  });

  test('buys nothing over A2A, in our own dialect or as a data part, nor beside a mandate', async () => {
    const body = world.intentBody(5) as Loose;
    const wrong = { ...body, request: { ...body.request, vendorHints: { domian: SHOP } } };
    const said = await world.say('IntentMandate', wrong);
    assert.equal(said.error.code, -32602, JSON.stringify(said));
    for (const data of [
      { 'countersign.intent': wrong },
      { 'countersign.purchase': { intent: wrong } },
      {
        'ap2.mandates.IntentMandate': { natural_language_description: 'tea', intent_expiry: '2099-01-01T00:00:00Z' },
        'countersign.about': { agentDid: world.agent.did, max_amount: 5, currency: 'USD' },
      },
      {
        'ap2.mandates.PaymentMandateSdJwt': 'a~b~',
        'countersign.about': { agentDid: world.agent.did, principalDID: world.principal.did },
      },
    ]) {
      const { body: answer } = await callStandard(world, 'SendMessage', { message: taskMessage(data) });
      assert.equal(answer.error?.code, -32602, JSON.stringify(answer));
      assert.match(JSON.stringify(answer.error), /did you mean/);
    }
  });

  test('buys nothing over MCP, and the tools say so in their schemas', async () => {
    const call = async (method: string, params: object) => {
      const response = await fetch(`${world.node.address}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${ADMIN_KEY}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const text = await response.text();
      return JSON.parse(text.includes('data: ') ? (text.split('data: ')[1] ?? '') : text).result as Loose;
    };
    const given = { maxAmount: 5, currency: 'USD', agentDid: world.agent.did };
    for (const [wrong, near] of [
      [{ merchant: SHOP }, /merchant: .*merchantDomain/],
      [{ onlyForTeaShops: true }, /onlyForTeaShops: is not a known member/],
    ] as const) {
      const { isError, content } = await call('tools/call', {
        name: 'request_intent',
        arguments: { ...given, ...wrong },
      });
      assert.equal(isError, true);
      assert.match(content[0].text, near);
    }
    const { tools } = await call('tools/list', {});
    assert.deepEqual(
      tools.filter(({ inputSchema }: Loose) => inputSchema.additionalProperties !== false),
      [],
    );
  });
});
