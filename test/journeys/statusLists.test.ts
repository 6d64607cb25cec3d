/** Whether a mandate that a merchant was brought still holds: status lists, read by the libraries of others. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { createVerifyCryptosuite } from '@digitalbazaar/eddsa-jcs-2022-cryptosuite';
import { verifyCredential } from '@digitalbazaar/vc';
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';
import { agentOf } from '../../client/identity.ts';
import { verifyPaymentMandate } from '../../client/index.ts';
import { signDocument } from '../../protocol/credential/proof.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import type { Node } from '../../src/node/startNode.ts';
import { loadDidKey } from '../support/didKeyLoader.ts';
import { everyEngine } from '../support/engines.ts';
import { seedOf } from '../support/peer.ts';
import { approve, mandateIdOf, purchase } from '../support/purchase.ts';
import { ADMIN_KEY, type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const ADMIN = { Authorization: `Bearer ${ADMIN_KEY}` };

for (const engine of everyEngine()) {
  describe(`a mandate’s status on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const at = (node: Pick<Node, 'address' | 'baseUrl'>, url: string) => url.replace(world.node.baseUrl, node.address);
    const listAt = (node: Pick<Node, 'address' | 'baseUrl'>, form: Loose, headers: Record<string, string> = {}) =>
      fetch(at(node, form.credentialStatus.statusListCredential), { headers });

    /** The verdict of the stock library: whether the bit is set, in a list whose proof and issuer it has verified. */
    const isRevoked = async (form: Loose, node: Pick<Node, 'address' | 'baseUrl'> = world.node): Promise<boolean> => {
      const documentLoader = async (url: string) => {
        if (url !== form.credentialStatus.statusListCredential) return loadDidKey(url);
        return { documentUrl: url, document: await (await listAt(node, form)).json() };
      };
      const suite = new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() });
      const verdict = await verifyCredential({ credential: form, suite, documentLoader, checkStatus });
      assert.equal(verdict.verified, true, JSON.stringify(verdict.error ?? {}));
      // That it is verified says nothing of the bit.
      return verdict.statusResult.results.some(({ status }: { status: boolean }) => status);
    };

    const paidInForms = async (agent = world.agent): Promise<Loose> => {
      const approvalToken = await approve(world, 29.9, { agent, principal: agent });
      const credentialFormats = ['vc', 'vc+jwt', 'status'] as const;
      return world.client.mandatePayment({ approvalToken, credentialFormats: [...credentialFormats] });
    };

    test('is that of the money: held after the payment, no longer after its cancellation, seen by a second node', async () => {
      const { credentials, pmVc } = await paidInForms();
      const second = await world.another();
      try {
        assert.equal(await isRevoked(credentials.vc), false);
        assert.equal(await isRevoked(credentials.vc, second), false);
        await world.client.cancelPayment({ mandateId: pmVc.credentialSubject.mandateId });
        world.clock.aheadMs += 4000;
        assert.equal(await isRevoked(credentials.vc), true);
        assert.equal(await isRevoked(credentials.vc, second), true);
      } finally {
        await second.stop();
      }
    });

    test('is brought by the buyer with the mandate, and verified by jose and by the client', async () => {
      const merchant = agentOf(seedOf(world.merchant));
      const cart = world.cart(12);
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(12));
      const validated = await world.rest('POST', '/ap2/carts/validate', {
        intentVc: intent.body.intentVc,
        cartVc: cart,
      });
      const asked = { approvalToken: validated.body.approvalToken, credentialFormats: ['vc', 'vc+jwt', 'status'] };
      const { body } = await world.rest('POST', '/ap2/payments/mandate', asked);
      const { vc, 'vc+jwt': token, status } = body.credentials;
      const keys = createRemoteJWKSet(new URL(`${world.node.address}/.well-known/jwks.json`));
      const now = new Date(Date.now() + world.clock.aheadMs);
      const { payload } = await jwtVerify(status, keys, { typ: 'vc+jwt', currentDate: now });
      assert.equal(payload.jti, vc.credentialStatus.statusListCredential);
      const expected = { nodeDid: world.node.deps.issuer.did, cart, now };
      for (const mandate of [vc, token]) {
        assert.equal(verifyPaymentMandate(merchant, mandate, { ...expected, statusList: status }).merchant, SHOP);
      }
      const { mandateId } = body.pmVc.credentialSubject;
      assert.throws(
        () => verifyPaymentMandate(merchant, body.pmVc, { ...expected, statusList: status }),
        /names no place/,
      );
      await world.client.cancelPayment({ mandateId });
      world.clock.aheadMs += 5000;
      const ended = await (await listAt(world.node, vc)).json();
      for (const mandate of [vc, token]) {
        assert.throws(() => verifyPaymentMandate(merchant, mandate, { ...expected, statusList: ended }), /revoked/);
      }
      // The list of before the cancellation says what it said, for as long as its reader takes one of that age.
      const later = new Date(now.getTime() + 301_000);
      const stale = { ...expected, statusList: status, now: later };
      assert.throws(() => verifyPaymentMandate(merchant, vc, stale), /more than 300 s/);
      assert.equal(verifyPaymentMandate(merchant, vc, { ...stale, maxAgeSeconds: 600 }).merchant, SHOP);
    });

    test('is public, kept by readers for a minute, and answered 304 to one who has it', async () => {
      const { credentials } = await paidInForms();
      const list = await listAt(world.node, credentials.vc);
      assert.equal(list.headers.get('content-type'), 'application/vc');
      assert.equal(list.headers.get('access-control-allow-origin'), '*');
      assert.equal(list.headers.get('cache-control'), 'public, max-age=60');
      const known = { 'If-None-Match': String(list.headers.get('etag')) };
      assert.equal((await listAt(world.node, credentials.vc, known)).status, 304);
      world.clock.aheadMs += 5000;
      assert.equal((await listAt(world.node, credentials.vc, known)).status, 304, 'nothing of it has changed');
      const token = await listAt(world.node, credentials.vc, { ...known, Accept: 'application/vc+jwt' });
      assert.equal(token.headers.get('content-type'), 'application/vc+jwt');
      assert.equal((await listAt(world.node, credentials.vc, { Accept: 'text/html' })).status, 406);
      for (const unknown of ['999', '0', '-1', '1e1', 'x', '99999999999999999999']) {
        assert.equal((await fetch(`${world.node.address}/ap2/status/${unknown}`)).status, 404, unknown);
      }
    });

    test('changes no answer that does not ask for it, and an unknown form is refused', async () => {
      const plain = await world.rest('POST', '/ap2/intents', world.intentBody(5));
      assert.deepEqual(Object.keys(plain.body).sort(), [
        'allowed',
        'attestation',
        'hpRequired',
        'intentVc',
        'remaining',
      ]);
      const payment = await purchase(world, 5);
      assert.deepEqual(Object.keys(payment).sort(), ['pmVc', 'railResponse']);
      for (const credentialFormats of [['mdoc'], [], 'vc', [null], ['vc', 'vc', 'vc', 'vc', 'vc']]) {
        const refused = await world.rest('POST', '/ap2/intents', { ...world.intentBody(5), credentialFormats });
        assert.equal(refused.status, 400, JSON.stringify(credentialFormats));
        assert.match(refused.text, /credentialFormats/);
      }
    });

    test('is the same in a repeated request, and another form makes it another request', async () => {
      const asked = { ...world.intentBody(5), idempotencyKey: 'forms-1', credentialFormats: ['vc+jwt'] };
      const first = await world.rest('POST', '/ap2/intents', asked);
      const again = await world.rest('POST', '/ap2/intents', asked);
      assert.equal(again.text, first.text);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      const other = await world.rest('POST', '/ap2/intents', { ...asked, credentialFormats: ['vc'] });
      assert.equal(other.status, 409);
    });

    test('stands with the forms in the evidence bundle, which holds without the node', async () => {
      const { pmVc, credentials } = await paidInForms();
      const { transactionId } = await world.client.getPayment({ mandateId: pmVc.credentialSubject.mandateId });
      const bundle = (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`)).body;
      assert.deepEqual(bundle.forms.payment, { vc: credentials.vc, 'vc+jwt': credentials['vc+jwt'] });
      const suite = nativeSuite();
      const { did } = world.node.deps.issuer;
      const { issuer } = world.node.deps;
      /** As if the issuer's database had told it so: sealed by the issuer. */
      const judged = (forms: Loose) => {
        const { proof, ...content } = { ...bundle, forms };
        const options = { created: proof.created, proofPurpose: 'assertionMethod' } as const;
        return verifyBundle(suite, signDocument(suite, issuer, content, options).text, did);
      };
      assert.equal(judged(bundle.forms).ok, true);
      const altered = structuredClone(bundle.forms);
      altered.payment.vc.credentialSubject.amount = 29.8;
      const other = (await paidInForms()).credentials;
      for (const forms of [altered, { payment: { 'vc+jwt': other['vc+jwt'] } }, { intent: bundle.forms.payment }]) {
        const verdict = judged(forms);
        assert.equal(verdict.ok ? 'ok' : verdict.part, 'credentials');
      }
    });

    test('is that of a message between agents, too', async () => {
      const body = { ...(world.intentBody(7) as Loose), credentialFormats: ['vc'] };
      const answer = await world.say('IntentMandate', body);
      assert.equal(await isRevoked(answer.result.message.body.credentials.vc), false);
    });

    test('is gone with its agent', async () => {
      const agent = await world.newAgent('to be revoked');
      const asked = { ...world.intentBody(5, { agent, principal: agent }), credentialFormats: ['vc'] };
      const { body } = await world.rest('POST', '/ap2/intents', asked);
      const other = await paidInForms();
      await world.rest('POST', `/ap2/admin/agents/${agent.did}/revoke`, { reason: 'lost' });
      world.clock.aheadMs += 5000;
      assert.equal(await isRevoked(body.credentials.vc), true);
      assert.equal(await isRevoked(other.credentials.vc), false);
    });

    test('outlives a restart', async () => {
      const { pmVc, credentials } = await paidInForms(await world.newAgent());
      const mandateId = mandateIdOf({ pmVc } as never);
      await world.client.cancelPayment({ mandateId });
      await world.restart();
      assert.equal(await isRevoked(credentials.vc), true);
      const shown = await fetch(`${world.node.address}/ap2/credentials/${mandateId}`, {
        headers: { ...ADMIN, Accept: 'application/vc' },
      });
      assert.deepEqual(await shown.json(), credentials.vc);
    });
  });
}

for (const engine of everyEngine().filter(({ name }) => name === 'postgres')) {
  test('a mandate gets a place while another tenant’s transaction holds a list', async () => {
    let connectionString = '';
    const world = await makeWorld({
      name: engine.name,
      async prepare(folder) {
        const database = await engine.prepare(folder);
        connectionString = String((database.env as Loose).DATABASE_URL);
        return database;
      },
    });
    const client = new pg.Client({ connectionString });
    try {
      const ask = () =>
        world.client.issueIntent({
          ...{ agentDid: world.agent.did, principalDid: world.agent.did },
          ...{ request: { maxAmount: 10, currency: 'USD' }, credentialFormats: ['vc', 'status'] },
        }) as Promise<Loose>;
      const listOf = ({ credentials }: Loose) => credentials.vc.credentialStatus.statusListCredential;
      const first = listOf(await ask());
      await client.connect();
      await client.query('BEGIN; UPDATE status_lists SET entries = entries + 1');
      const second = await ask();
      assert.notEqual(listOf(second), first);
      assert.equal(second.credentials.status.split('.').length, 3);
      await client.query('ROLLBACK');
      assert.equal(listOf(await ask()), first);
    } finally {
      await client.end();
      await world.close();
    }
  });
}
