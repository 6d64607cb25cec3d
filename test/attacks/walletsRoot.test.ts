/** Another customer of a wallet, whose certificate leads to the root that a tenant trusts, and who would be the person by it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { MandateParties } from '../support/mandates.ts';
import { certify, makeP256 } from '../support/p256.ts';
import type { Peer } from '../support/peer.ts';
import { sendTo } from '../support/standardPeer.ts';
import { ADMIN_KEY, type Loose, makeWorld, type Reply, type World } from '../support/world.ts';

const ISSUERS = '/ap2/admin/mandate-issuers';

for (const engine of everyEngine()) {
  describe(`a wallet’s root on ${engine.name}`, () => {
    let world: World;
    let principal: Peer;
    const vendor = { name: 'Wallet vendor', key: makeP256() };
    const life = { from: Date.now() - 60_000, until: Date.now() + 3_600_000 };
    const root = certify(vendor, vendor, { ...life, ca: true });
    /** Signs closed mandates by a certificate of its own. */
    const customer = (name: string) => {
      const parties = new MandateParties(() => Date.now());
      const x5c = [certify({ name, key: parties.provider }, vendor, { ...life, ca: false })];
      parties.certificates = x5c;
      return { parties, x5c };
    };
    const [alice, mallory] = [customer('Alice'), customer('Mallory')];
    before(async () => {
      world = await makeWorld(engine);
      principal = world.principal;
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } };
      ok(await world.rest('POST', '/ap2/admin/policies', { name: 'touch', rules }), 201);
      ok(await world.rest('POST', '/ap2/admin/principals', { did: principal.did, name: 'Alice' }), 201);
      ok(await world.rest('PUT', `/ap2/admin/principals/${principal.did}`, { agents: [world.agent.did] }));
    });
    after(() => world.close());

    const ok = (reply: Reply, status = 200): Loose => {
      assert.equal(reply.status, status, reply.text);
      return reply.body;
    };
    const trust = (more: object) =>
      world.rest('POST', ISSUERS, { name: 'Wallet', kind: 'user-credential', x5cRoot: root, ...more });
    const trusted = async (more: object): Promise<{ readonly id: string; remove(): Promise<void> }> => {
      const { id } = ok(await trust(more), 201);
      return { id, remove: async () => void ok(await world.rest('DELETE', `${ISSUERS}/${id}`), 204) };
    };
    const present = async (signer: MandateParties, principalDid?: string): Promise<Loose> => {
      const body = { agentDid: world.agent.did, ...(principalDid && { principalDid }), ...signer.direct() };
      return ok(await world.rest('POST', '/ap2/payment-credentials', body));
    };
    const thumbprint = async (der: string): Promise<string> =>
      Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(der, 'base64'))).toString('base64url');

    test('is not trusted as a principal’s credential without the one certificate that is that person’s', async () => {
      const reply = await trust({ principalDid: principal.did });
      assert.equal(reply.status, 400, reply.text);
      assert.match(reply.body.error.message, /leaf.*all of its customers/);
      for (const leaf of [{}, { subject: 'Alice' }, { subject: 'CN=A', 'x5t#S256': 'A'.repeat(43) }, { name: 'A' }]) {
        const wrong = await trust({ principalDid: principal.did, leaf });
        assert.equal(wrong.status, 400, wrong.text);
        assert.match(wrong.body.error.message, /leaf/);
      }
    });

    test('alone makes no customer the person, and spends no principal’s money', async () => {
      const wallet = await trusted({});
      assert.deepEqual((await present(mallory.parties)).reasonCodes, ['HP_REQUIRED']);
      const answer = await present(mallory.parties, principal.did);
      assert.deepEqual(answer.reasonCodes, ['MANDATE_INVALID'], JSON.stringify(answer));
      assert.match(answer.details.MANDATE_INVALID.message, /wallet’s root/);
      await wallet.remove();
    });

    test('alone makes no customer the person over MCP and A2A either', async () => {
      const wallet = await trusted({});
      const [tool, part] = [mallory.parties.direct(), mallory.parties.direct()];
      const headers = {
        ...{ Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
        ...{ Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
      };
      const input = {
        ...{ payment_mandate_chain_id: tool.paymentMandate, payment_nonce: tool.nonce },
        ...{ checkout_jwt_hash: tool.checkoutJwtHash, agent_did: world.agent.did },
      };
      const params = { name: 'issue_payment_credential', arguments: input };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const text = await (await fetch(`${world.node.address}/mcp`, { method: 'POST', headers, body })).text();
      assert.match(text, /HP_REQUIRED/);
      assert.doesNotMatch(text, /"payment_token"/);
      const { paymentMandate, ...about } = part;
      const task = await sendTo(world, {
        'ap2.mandates.PaymentMandateSdJwt': paymentMandate,
        'countersign.about': { agentDid: world.agent.did, ...about },
      });
      assert.equal(task.status.state, 'TASK_STATE_AUTH_REQUIRED', JSON.stringify(task.status));
      await wallet.remove();
    });

    for (const [how, leafOf] of [
      ['the hash of its certificate', async () => ({ 'x5t#S256': await thumbprint(String(alice.x5c[0])) })],
      ['its subject', async () => ({ subject: 'CN=Alice' })],
    ] as const) {
      test(`with a leaf named by ${how} takes that person’s touch, and no other customer’s`, async () => {
        const wallet = await trusted({ principalDid: principal.did, leaf: await leafOf() });
        const theirs = await present(mallory.parties, principal.did);
        assert.equal(theirs.allowed, false, 'of another customer');
        assert.deepEqual(theirs.reasonCodes, ['MANDATE_INVALID']);
        const paid = await present(alice.parties, principal.did);
        assert.equal(paid.allowed, true, JSON.stringify(paid));
        const { approvalToken } = paid;
        const { railResponse } = ok(await world.rest('POST', '/ap2/payments/mandate', { approvalToken }));
        assert.equal(railResponse.status, 'requires_capture');
        await wallet.remove();
      });
    }

    test('and a leaf below it stand side by side: the customer whom the leaf names is the person, another one is not', async () => {
      const [all, one] = [await trusted({}), await trusted({ leaf: { subject: 'CN=Alice' } })];
      assert.equal((await present(alice.parties)).allowed, true);
      assert.deepEqual((await present(mallory.parties)).reasonCodes, ['HP_REQUIRED']);
      await Promise.all([all.remove(), one.remove()]);
    });

    test('that is removed takes back the touch that was not paid', async () => {
      const wallet = await trusted({ principalDid: principal.did, leaf: { subject: 'CN=Alice' } });
      const { approvalToken, intentId } = await present(alice.parties, principal.did);
      await wallet.remove();
      const unpaid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.notEqual(unpaid.body.railResponse?.status, 'requires_capture', unpaid.text);
      assert.equal(ok(await world.rest('GET', `/ap2/intents/${intentId}`)).status, 'EXPIRED');
    });

    test('that a key added as a principal’s credential ends with that key, with its touch', async () => {
      const permissions = ['read', 'write', 'admin'];
      const made = ok(await world.rest('POST', '/ap2/admin/api-keys', { name: 'made', permissions }), 201);
      const body = { name: 'W', kind: 'user-credential', x5cRoot: root, leaf: { subject: 'CN=Mallory' } };
      const headers = { Authorization: `Bearer ${made.key}` };
      ok(await world.rest('POST', ISSUERS, { ...body, principalDid: principal.did }, headers), 201);
      const { approvalToken } = await present(mallory.parties, principal.did);
      ok(await world.rest('DELETE', `/ap2/admin/api-keys/${made.id}`), 204);
      const unpaid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.notEqual(unpaid.body.railResponse?.status, 'requires_capture', unpaid.text);
      assert.deepEqual((await present(mallory.parties, principal.did)).reasonCodes, ['MANDATE_INVALID']);
    });
  });
}
