/** Chains of mandates at nodes: used once however many ask at once, within their budget on two nodes, and over kill -9. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { makeAgent } from '../../client/index.ts';
import { type ChildNode, freePort, startChild } from '../support/child.ts';
import { everyEngine, type TestDatabase } from '../support/engines.ts';
import { IntentParties, intentBudget } from '../support/intents.ts';
import { budget, checkoutJwt, MandateParties, referenceOf } from '../support/mandates.ts';
import { ADMIN_KEY, type Loose } from '../support/world.ts';

const PARALLEL = 50;

for (const engine of everyEngine()) {
  describe(`chains of mandates on ${engine.name}`, () => {
    const parties = new MandateParties(Date.now);
    const intents = new IntentParties(Date.now);
    const { did: agentDid, publicKey } = makeAgent();
    const nodes: ChildNode[] = [];
    let dataDir: string;
    let database: TestDatabase;
    let start: (at: number) => Promise<ChildNode>;

    const ask = async (path: string, body?: Loose, at = 0): Promise<Loose> => {
      const node = nodes[at % nodes.length] as ChildNode;
      const response = await fetch(node.address + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      assert.ok(response.ok, `${path}: ${text}`);
      return { ...JSON.parse(text), text };
    };
    const present = (body: Loose, at = 0) => ask('/ap2/payment-credentials', { agentDid, ...body }, at);

    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'countersign-mandates-'));
      database = await engine.open();
      await database.store.close();
      const ports = [await freePort(), await freePort()].slice(0, engine.name === 'sqlite' ? 1 : 2).map(String);
      const env = {
        DATA_DIR: dataDir,
        BASE_URL: `http://127.0.0.1:${ports[0]}`,
        BOOTSTRAP_API_KEY: ADMIN_KEY,
        SANDBOX_RATE_PER_MINUTE: '10000000',
        SANDBOX_BURST: '10000000',
        ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
      };
      start = (at) => startChild({ ...env, PORT: String(ports[at]) });
      for (const at of ports.keys()) nodes.push(await start(at));
      await ask('/ap2/agents', { name: 'buyer', publicKey });
      const { jwk } = parties.provider;
      await ask('/ap2/admin/mandate-issuers', { name: 'Provider', kind: 'agent-provider', jwk });
      await ask('/ap2/admin/mandate-issuers', intents.issuerKey);
      const rules = { version: '2.0', spend: { amount_cap: 100_000 } };
      await ask('/ap2/admin/policies', { name: 'wide', rules, activate: true });
    });
    after(async () => {
      for (const node of nodes) await node.kill();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    });

    test('of twelve presentations at once, one is allowed', async () => {
      const [open, checkout] = [parties.open(budget(900, 'USD')), checkoutJwt()];
      const same = parties.close(open, { checkout });
      const bodies = Array.from({ length: 12 }, (_, index) => (index % 2 ? same : parties.close(open, { checkout })));
      const answers = await Promise.all(bodies.map((body, index) => present(body, index)));
      const refused = answers.filter(({ allowed }) => !allowed);
      assert.equal(refused.length, 11);
      for (const { reasonCodes } of refused) assert.deepEqual(reasonCodes, ['MANDATE_USED']);
    });

    test(`of ${PARALLEL} payments at once no budget is passed, and each is spent`, async () => {
      const opens = [budget(100, 'USD'), budget(55, 'USD'), budget(19.99, 'USD')].map((each) => parties.open(each));
      const answers = await Promise.all(
        opens.flatMap((open, which) =>
          Array.from({ length: PARALLEL }, async (_, index) => {
            const answer = await present(parties.close(open, { amount: 1000 }), index);
            return { which, allowed: answer.allowed === true, codes: answer.reasonCodes };
          }),
        ),
      );
      const allowed = opens.map((_, which) => answers.filter((each) => each.which === which && each.allowed).length);
      assert.deepEqual(allowed, [10, 5, 1]);
      for (const { codes } of answers.filter((each) => !each.allowed)) {
        assert.deepEqual(codes, ['SPENDING_LIMIT_EXCEEDED']);
      }
    });

    test('of twelve presentations at once of one Verifiable Intent, and of one that the person closed, one is allowed', async () => {
      const [delegation, checkout] = [intents.delegate([intentBudget(90_000)]), checkoutJwt()];
      for (const make of [() => intents.close(delegation, { checkout }), () => intents.immediate({ checkout })]) {
        const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => present(make(), index)));
        const refused = answers.filter(({ allowed }) => !allowed);
        assert.equal(refused.length, 11);
        for (const { reasonCodes } of refused) assert.deepEqual(reasonCodes, ['MANDATE_USED']);
      }
    });

    test(`of ${PARALLEL} payments at once no pair of a Verifiable Intent passes its budget in yen, and each is spent`, async () => {
      const budgets = [10_000, 5500, 1999].map((max) => intentBudget(max, 'JPY'));
      const delegation = intents.delegate(budgets);
      const answers = await Promise.all(
        budgets.flatMap((_, pair) =>
          Array.from({ length: PARALLEL }, async (__, index) => {
            const body = intents.close(delegation, { pair, amount: 1000, currency: 'JPY' });
            return { pair, ...(await present(body, index)) };
          }),
        ),
      );
      const allowed = budgets.map(
        (_, which) => answers.filter(({ pair, allowed }) => pair === which && allowed).length,
      );
      assert.deepEqual(allowed, [10, 5, 1]);
      for (const { reasonCodes } of answers.filter((each) => !(each as Loose).allowed) as Loose[]) {
        assert.deepEqual(reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
      }
    });

    test('killed after the answer, the same request gets the same answer, and the mandate pays once', async () => {
      const body = { ...parties.close(parties.open()), idempotencyKey: 'the-purchase' };
      const first = await present(body);
      await (nodes[0] as ChildNode).kill();
      nodes[0] = await start(0);
      const again = await present(body);
      assert.equal(again.text, first.text);
      const { idempotencyKey: _, ...anew } = body;
      assert.deepEqual((await present(anew)).reasonCodes, ['MANDATE_USED']);

      const paid = await ask('/ap2/payments/mandate', { approvalToken: first.approvalToken });
      const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', (nodes.at(-1) as ChildNode).address));
      const { payload } = await jwtVerify(paid.paymentReceipt, keys);
      assert.equal(payload['status'], 'Success');
      assert.equal(payload['reference'], referenceOf(body.paymentMandate));
      const { mandateId } = paid.pmVc.credentialSubject;
      assert.equal(payload['payment_id'], mandateId);
      assert.equal((await ask(`/ap2/payments/${mandateId}`)).paymentReceipt, paid.paymentReceipt);
    });
  });
}
