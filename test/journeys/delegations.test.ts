/** Delegations at nodes: within their budgets on two nodes, revoked on both at once, and counted once over kill -9. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeAgent } from '../../client/index.ts';
import { beginRequest } from '../support/begunRequest.ts';
import { type ChildNode, freePort, startChild } from '../support/child.ts';
import { everyEngine, type TestDatabase } from '../support/engines.ts';
import { budget, MandateParties } from '../support/mandates.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, type Loose } from '../support/world.ts';

const PARALLEL = 50;

for (const engine of everyEngine()) {
  describe(`delegations on ${engine.name}`, () => {
    const parties = new MandateParties(Date.now);
    const { did: agentDid, publicKey } = makeAgent();
    const nodes: ChildNode[] = [];
    let dataDir: string;
    let database: TestDatabase;
    let start: (at: number) => Promise<ChildNode>;

    const nodeAt = (at: number) => nodes[at % nodes.length] as ChildNode;
    const send = async (path: string, body: Loose | undefined, at = 0): Promise<Loose> => {
      const response = await fetch(nodeAt(at).address + path, {
        headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await response.text();
      assert.ok(response.ok, `${path}: ${text}`);
      return { ...JSON.parse(text), text };
    };
    const show = (id: string, at = 0) => send(`/ap2/delegations/${id}`, undefined, at);
    const register = async (token: string): Promise<string> => (await send('/ap2/delegations', { token, agentDid })).id;
    const intentOf = (delegationId: string, maxAmount: number, currency: string) => ({
      ...{ agentDid, principalDid: agentDid, delegationId },
      request: { maxAmount, currency },
    });
    const present = (token: string, at: number) =>
      send('/ap2/payment-credentials', { agentDid, ...parties.close(token, { amount: 1000 }) }, at);
    const approve = async (delegationId: string): Promise<string> => {
      const { intentVc } = await send('/ap2/intents', intentOf(delegationId, 10, 'USD'));
      const offer = { payerDid: agentDid, domain: 'shop.example', amount: 10, currency: 'USD' };
      const { cartVc } = await send('/ap2/demo/cart', offer);
      return (await send('/ap2/carts/validate', { intentVc, cartVc })).approvalToken;
    };

    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'countersign-delegations-'));
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
      await send('/ap2/agents', { name: 'buyer', publicKey });
      const { jwk } = parties.provider;
      await send('/ap2/admin/mandate-issuers', { name: 'Provider', kind: 'agent-provider', jwk });
      await send('/ap2/admin/policies', { name: 'wide', rules: { version: '2.0' }, activate: true });
    });
    after(async () => {
      for (const node of nodes) await node.kill();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    });

    test(`of ${PARALLEL} intents at once no budget is passed, and each is spent, with the chains of one among them`, async () => {
      const budgets = [
        { currency: 'USD', max: 100, amount: 10, fits: 10 },
        { currency: 'JPY', max: 5999, amount: 1000, fits: 5 },
        { currency: 'KWD', max: 19.999, amount: 6.333, fits: 3 },
      ];
      const tokens = budgets.map(({ max, currency }) => parties.open(budget(max, currency)));
      const ids: string[] = [];
      for (const token of tokens) ids.push(await register(token));
      const answers = await Promise.all(
        budgets.flatMap(({ currency, amount }, which) =>
          Array.from({ length: PARALLEL }, async (_, at) => {
            const isChain = which === 0 && at % 4 < 2;
            const answer = isChain
              ? await present(String(tokens[which]), at)
              : await send('/ap2/intents', intentOf(String(ids[which]), amount, currency), at);
            return { which, allowed: answer.allowed === true, codes: answer.reasonCodes };
          }),
        ),
      );
      for (const [which, { amount, fits }] of budgets.entries()) {
        const allowed = answers.filter((each) => each.which === which && each.allowed).length;
        assert.equal(allowed, fits);
        const { used, status } = await show(String(ids[which]), 1);
        assert.deepEqual(used, { uses: fits, spent: Number((fits * amount).toFixed(3)) });
        assert.equal(status, which === 0 ? 'EXHAUSTED' : 'ACTIVE');
      }
      for (const { codes } of answers.filter((each) => !each.allowed)) {
        assert.deepEqual(codes, ['SPENDING_LIMIT_EXCEEDED']);
      }
    });

    test('revoked on one node, the other takes no token, no intent and no chain of it', async () => {
      const token = parties.open(budget(900, 'USD'));
      const id = await register(token);
      const approvalToken = await approve(id);
      await send(`/ap2/delegations/${id}/revoke`, {});
      const refused = [
        await send('/ap2/payments/mandate', { approvalToken }, 1),
        await send('/ap2/intents', intentOf(id, 10, 'USD'), 1),
        await present(token, 1),
      ];
      for (const { reasonCodes } of refused) assert.deepEqual(reasonCodes, ['MANDATE_REVOKED']);
    });

    test('what is paid while it is revoked is paid or refused, and what counts is what was paid', async () => {
      const id = await register(parties.open(budget(900, 'USD')));
      const tokens: string[] = [];
      for (let at = 0; at < 12; at++) tokens.push(await approve(id));
      const pay = (approvalToken: string, at: number) => send('/ap2/payments/mandate', { approvalToken }, at);
      const [answers] = await Promise.all([Promise.all(tokens.map(pay)), send(`/ap2/delegations/${id}/revoke`, {}, 1)]);
      const paid = answers.filter(({ pmVc }) => pmVc !== undefined).length;
      for (const answer of answers.filter(({ pmVc }) => pmVc === undefined)) {
        assert.deepEqual(answer.reasonCodes, ['MANDATE_REVOKED']);
      }
      const { used, status } = await show(id, 1);
      assert.deepEqual([used, status], [{ uses: paid, spent: paid * 10 }, 'REVOKED']);
    });

    test('killed between commit and answer, the same request gets the same answer, and the budget counts once', async () => {
      const id = await register(parties.open(budget(15, 'USD')));
      const body = { ...intentOf(id, 10, 'USD'), idempotencyKey: 'once' };
      const begun = await beginRequest(nodeAt(0).address, ADMIN_KEY, '/ap2/intents', JSON.stringify(body));
      const lost = begun.finish();
      await until('it is committed', async () => (await show(id)).used.uses === 1, 12_000, 5);
      await nodeAt(0).kill();
      await lost;
      nodes[0] = await start(0);
      const again = await send('/ap2/intents', body);
      assert.equal(again.allowed, true);
      assert.equal((await send('/ap2/intents', body, 1)).text, again.text);
      assert.deepEqual((await show(id)).used, { uses: 1, spent: 10 });
    });
  });
}
