/** Stock clients buy over MCP, of today's protocol and of the one before, with a person's touch in between. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { everyEngine } from '../../support/engines.ts';
import { MandateParties, referenceOf } from '../../support/mandates.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import { makePerson, type Person } from '../../support/person.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { sessionOf } from '../acp/acpShop.ts';

const ABOUT = { name: 'a model’s host', version: '1.0.0' };
/** Over what the sandbox's policy asks a person about, and below its cap for them. */
const WITH_PERSON = 150;

const TOOLS = [
  'request_intent',
  'validate_cart',
  'pay',
  'authorize_http_payment',
  'settle_http_payment',
  'check_status',
  'wait_for_approval',
  'policy_explain',
  'check_limits',
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

interface Caller {
  readonly protocol: string;
  call(name: string, input: object): Promise<Loose>;
  list(): Promise<Loose[]>;
  close(): Promise<void>;
}

interface Host {
  readonly opens?: (url: string) => Promise<string>;
  /** What it was asked to elicit. */
  readonly asked?: Loose[];
}

async function today(world: World, { opens, asked }: Host = {}): Promise<Caller> {
  const client = new Client(ABOUT, {
    versionNegotiation: { mode: 'auto' },
    capabilities: opens === undefined ? {} : { elicitation: { url: {} } },
  });
  if (opens !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }: Loose) => {
      asked?.push(params);
      return { action: (await opens(params.url)) as never };
    });
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.node.address}/mcp`), withKey()));
  return {
    protocol: String(client.getNegotiatedProtocolVersion()),
    call: (name, input) => client.callTool({ name, arguments: input as never }, { timeout: 60_000 }),
    list: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
}

async function before2026(world: World): Promise<Caller> {
  const client = new FormerClient(ABOUT);
  const transport = new FormerTransport(new URL(`${world.node.address}/mcp`), withKey());
  await client.connect(transport as never);
  return {
    protocol: String(transport.protocolVersion),
    call: (name, input) => client.callTool({ name, arguments: input as never }),
    list: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
}

function withKey() {
  return { requestInit: { headers: { Authorization: `Bearer ${ADMIN_KEY}` } } };
}

for (const engine of everyEngine()) {
  describe(`MCP over HTTP on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      person = makePerson(world);
      await person.enroll();
    });
    after(() => world.close());

    const intend = (caller: Caller, amount: number) =>
      caller.call('request_intent', {
        maxAmount: amount,
        currency: 'USD',
        merchantDomain: 'shop.example',
        agentDid: world.agent.did,
      });

    for (const [name, open, protocol] of [
      ['today’s stock client', today, '2026-07-28'],
      ['the stock client before', before2026, '2025-11-25'],
    ] as const) {
      test(`${name} lists the tools in their order, each with an object at the root of its schemas, and buys`, async () => {
        const caller = await open(world);
        assert.equal(caller.protocol, protocol);
        const tools = await caller.list();
        assert.deepEqual(
          tools.map((each: Loose) => each.name),
          TOOLS,
        );
        for (const { inputSchema, outputSchema } of tools) {
          assert.equal(inputSchema.type, 'object');
          assert.equal(outputSchema.type, 'object');
        }
        const intent = await intend(caller, 40);
        assert.equal(intent.structuredContent.allowed, true, JSON.stringify(intent));
        assert.match((intent as Loose).content[0].text, /^Allowed up to 40\.00 USD, as /);
        const { intentId } = intent.structuredContent;
        const cart = await caller.call('validate_cart', { intentId, cartVc: world.cart(40) });
        const paid = await caller.call('pay', { approvalToken: cart.structuredContent.approvalToken });
        const { mandateId, allowed, railResponse } = paid.structuredContent;
        assert.deepEqual([allowed, railResponse.status], [true, 'requires_capture'], JSON.stringify(paid));
        const record = (await caller.call('check_status', { id: mandateId })).structuredContent;
        assert.equal(record.status, 'AUTHORIZED');
        const listed = await caller.call('list_purchases', { limit: 5 });
        assert.equal(listed.structuredContent.data[0].mandateId, mandateId);
        assert.match((listed as Loose).content[0].text, /: 40\.00 USD to shop\.example, AUTHORIZED/);
        const evidence = await caller.call('get_evidence', { transactionId: record.transactionId });
        assert.equal(evidence.structuredContent.chainValid, true);
        await caller.close();
      });
    }

    test('a model whose client gives it the texts of results alone buys by them', async () => {
      const caller = await today(world);
      const read = async (name: string, input: object) => {
        const { content, structuredContent }: Loose = await caller.call(name, input);
        const texts = content.map(({ text }: Loose) => text);
        assert.equal(new Set(texts).size, texts.length, 'no text stands twice');
        const data = JSON.parse(texts.at(-1));
        assert.deepEqual(data, structuredContent);
        return data;
      };
      const { intentId } = await read('request_intent', { agentDid: world.agent.did, maxAmount: 40, currency: 'USD' });
      const { approvalToken } = await read('validate_cart', { intentId, cartVc: world.cart(40) });
      const { mandateId } = await read('pay', { approvalToken });
      const { status, transactionId } = await read('check_status', { id: mandateId });
      assert.equal(status, 'AUTHORIZED');
      await read('get_evidence', { transactionId });
      await caller.close();
    });

    test('a person touches their passkey on a page that the host opens, and the call ends with the approval', async () => {
      const opened: string[] = [];
      const asked: Loose[] = [];
      const caller = await today(world, {
        asked,
        async opens(url) {
          opened.push(url);
          await person.decide(url.slice(url.lastIndexOf('/') + 1));
          return 'accept';
        },
      });
      const { intentId } = (await intend(caller, WITH_PERSON)).structuredContent;
      // With a key as well: the cart comes twice, and the second time is no repetition of the first.
      const input = { intentId, cartVc: world.cart(WITH_PERSON), idempotencyKey: 'the cart' };
      const cart = await caller.call('validate_cart', input);
      assert.equal(cart.structuredContent.allowed, true, JSON.stringify(cart));
      assert.equal(opened.length, 1);
      // A page and no form: what hosts make of a schema differs, and of a pattern in one above all.
      assert.deepEqual(
        asked.map(({ mode, requestedSchema }) => [mode, requestedSchema]),
        [['url', undefined]],
      );
      const id = String(opened[0]).split('/').at(-1) as string;
      const shown = async (more: object) => (await caller.call('check_status', { id, ...more })).structuredContent;
      assert.equal((await shown({ decision: true })).decision.outcome, 'approved');
      assert.equal((await shown({})).decision, undefined);
      const paid = await caller.call('pay', { approvalToken: cart.structuredContent.approvalToken });
      assert.equal(paid.structuredContent.allowed, true);
      await caller.close();
    });

    test('a person who says no, in the host or on the page, is not asked again, and the cart stays refused', async () => {
      for (const [action, decide] of [
        ['decline', undefined],
        ['accept', 'deny'],
      ] as const) {
        let asked = 0;
        const caller = await today(world, {
          async opens(url) {
            asked += 1;
            if (decide !== undefined) await person.decide(url.slice(url.lastIndexOf('/') + 1), decide);
            return action;
          },
        });
        const { intentId } = (await intend(caller, WITH_PERSON)).structuredContent;
        const cart = await caller.call('validate_cart', { intentId, cartVc: world.cart(WITH_PERSON) });
        assert.equal(cart.structuredContent.allowed, false, JSON.stringify(cart));
        // A no on the page ends the intent as well.
        const ended = decide === 'deny' ? ['INTENT_EXPIRED'] : [];
        assert.deepEqual(cart.structuredContent.reasonCodes, [...ended, 'HP_REQUIRED']);
        assert.equal(asked, 1);
        await caller.close();
      }
    });

    test('a host that opens no pages gets the link, waits, and sends the cart again with the proof', async () => {
      const caller = await before2026(world);
      const { intentId } = (await intend(caller, WITH_PERSON)).structuredContent;
      const cartVc = world.cart(WITH_PERSON);
      const refused = await caller.call('validate_cart', { intentId, cartVc });
      const { approval, reasonCodes } = refused.structuredContent;
      assert.deepEqual(reasonCodes, ['HP_REQUIRED']);
      assert.match(refused.content[0].text, new RegExp(approval.url));
      await person.decide(approval.id);
      const waited = await caller.call('wait_for_approval', { approvalId: approval.id, waitSeconds: 5 });
      assert.equal(waited.structuredContent.status, 'approved');
      const { hpProof } = waited.structuredContent;
      const cart = await caller.call('validate_cart', { intentId, cartVc, hpProof });
      assert.equal(cart.structuredContent.allowed, true, JSON.stringify(cart));
      await caller.close();
    });

    for (const [name, open] of [
      ['today’s stock client', today],
      ['the stock client before', before2026],
    ] as const) {
      test(`${name}, which checks answers once it has listed the tools, takes the answer of each tool`, async () => {
        const caller = await open(world);
        // Of its own, since the policy limits how often one buys.
        const agent = await world.newAgent();
        await person.enroll(agent);
        const { did } = agent;
        const called = new Set<string>();
        const call = async (tool: string, input: object) => {
          called.add(tool);
          const answer = await caller.call(tool, input);
          // Of an error the client checks nothing.
          assert.equal(answer.isError ?? false, false, `${tool}: ${JSON.stringify(answer)}`);
          return answer.structuredContent;
        };
        const listed = await caller.list();
        const { intentId } = await call('request_intent', {
          maxAmount: WITH_PERSON + 30,
          currency: 'USD',
          merchantDomain: 'shop.example',
          agentDid: did,
        });
        const cartVc = world.cart(WITH_PERSON);
        const { approval } = await call('validate_cart', { intentId, cartVc });
        await person.decide(approval.id);
        const { hpProof } = await call('wait_for_approval', { approvalId: approval.id, waitSeconds: 5 });
        const { approvalToken } = await call('validate_cart', { intentId, cartVc, hpProof });
        const { mandateId } = await call('pay', { approvalToken });
        const { transactionId } = await call('check_status', { id: mandateId });
        for (const id of [intentId, approval.id, transactionId]) await call('check_status', { id });
        const challenges = [mppChallenge({ id: `of ${name}` })];
        const url = 'https://reports.example/report';
        const authorized = await call('authorize_http_payment', { url, challenges, agentDid: did });
        assert.equal(authorized.send.header.name, 'Authorization');
        const settled = await call('settle_http_payment', { mandateId: authorized.mandateId, status: 402 });
        assert.equal(settled.status, 'CANCELED');
        const session = sessionOf(`cs_${name}`);
        const acp = await call('pay_acp_checkout', { agentDid: did, merchantDomain: 'tea.example', session });
        assert.equal(acp.paymentData.instrument.credential.type, 'spt');
        const elsewhere = { merchant: 'tea.example', amount: 5, currency: 'USD', channel: 'card', agentDid: did };
        const reserve = (idempotencyKey: string) => call('reserve_payment', { ...elsewhere, idempotencyKey });
        const [kept, dropped] = [await reserve(`kept by ${name}`), await reserve(`dropped by ${name}`)];
        const evidence = { kind: 'order', reference: `order of ${name}` };
        assert.equal((await call('commit_payment', { mandateId: kept.mandateId, evidence })).status, 'CAPTURED');
        const released = await call('release_payment', { mandateId: dropped.mandateId, reason: 'not_paid' });
        assert.equal(released.status, 'CANCELED');
        const page = { method: 'GET', url: 'https://tea.example/', profile: 'tap' };
        const { headers } = await call('sign_http_request', { mandateId: kept.mandateId, ...page });
        assert.match(headers['Signature-Input'], /;tag="agent-payer-auth"$/);
        await call('policy_explain', { amount: 5, currency: 'USD' });
        await call('check_limits', { agentDid: did });
        await call('list_purchases', { limit: 2 });
        await call('get_evidence', { transactionId });
        const parties = new MandateParties(Date.now);
        const issuer = { name, kind: 'agent-provider', jwk: parties.provider.jwk };
        assert.equal((await world.rest('POST', '/ap2/admin/mandate-issuers', issuer)).status, 201);
        const issue = async () => {
          const { paymentMandate, nonce, checkoutJwtHash } = parties.close(parties.open());
          const { payment_token } = await call('issue_payment_credential', {
            payment_mandate_chain_id: paymentMandate,
            payment_nonce: nonce,
            checkout_jwt_hash: checkoutJwtHash,
            agent_did: did,
          });
          return { payment_token, reference: referenceOf(paymentMandate) };
        };
        await call('revoke_payment_credential', { payment_token: (await issue()).payment_token });
        const { payment_token, reference } = await issue();
        const { payment_receipt } = await call('initiate_payment', { payment_token });
        await call('verify_payment_receipt', { payment_receipt, reference });
        assert.deepEqual([...called].sort(), listed.map((each: Loose) => each.name).sort());
        await caller.close();
      });
    }

    test('a refusal is a result with its reasons, and a wrong call one that says what is wrong', async () => {
      const caller = await today(world);
      const refused = await intend(caller, 5000);
      assert.equal(refused.isError, undefined);
      assert.equal(refused.structuredContent.allowed, false);
      assert.match(refused.content[0].text, /^Refused\. /);
      const explained = await caller.call('policy_explain', { amount: 5000, currency: 'USD' });
      assert.deepEqual(explained.structuredContent.reasonCodes, refused.structuredContent.reasonCodes);
      const wrong = await caller.call('request_intent', { currency: 'USD' });
      assert.equal(wrong.isError, true);
      assert.match(wrong.content[0].text, /^BAD_REQUEST: maxAmount: /);
      const unnamed = await caller.call('request_intent', { maxAmount: 5, currency: 'USD' });
      assert.match(unnamed.content[0].text, /^BAD_REQUEST: agentDid: names the agent that buys/);
      await caller.close();
    });
  });
}
