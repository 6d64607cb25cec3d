/** Enrolling passkeys, by the API and by link; proving presence over the API; and what none of them lets through. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof } from '../support/peer.ts';
import { leap, makePerson, NO_CREDENTIAL, type Person } from '../support/person.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const REGISTER = '/ap2/hp/webauthn/register';
const AUTH = '/ap2/hp/webauthn/auth';

for (const engine of everyEngine()) {
  describe(`passkeys on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      person = makePerson(world);
    });
    after(() => world.close());

    const register = async (agentDid = world.agent.did) => {
      const begun = await world.rest('POST', `${REGISTER}/begin`, { agentDid, deviceName: 'laptop' });
      assert.equal(begun.status, 200, begun.text);
      const credential = person.phone.create(begun.body.publicKey);
      return world.rest('POST', `${REGISTER}/complete`, { agentDid, credential });
    };
    const prove = async (body: Loose) => {
      const begun = await world.rest('POST', `${AUTH}/begin`, body);
      assert.equal(begun.status, 200, begun.text);
      const credential = person.phone.get(begun.body.publicKey);
      return world.rest('POST', `${AUTH}/complete`, { challengeId: begun.body.challengeId, credential });
    };
    const newLink = async (facts: Loose = {}) => {
      const link = await world.rest('POST', '/ap2/admin/enrollments', { agentDid: world.agent.did, ...facts });
      assert.equal(link.status, 201, link.text);
      return { ...link.body, path: new URL(link.body.url).pathname } as Loose;
    };

    test('the pages load the WebAuthn library of this package, and nothing from elsewhere', async () => {
      const { body } = await world.rest('GET', '/pages/simplewebauthn.js', undefined, {});
      const file = 'node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js';
      assert.equal(body, await readFile(file, 'utf8'));
      for (const name of ['approve', 'enroll', 'page', 'passkey']) {
        const { text } = await world.rest('GET', `/pages/${name}.js`, undefined, {});
        const imports = [...text.matchAll(/^import (?:.*from )?'([^']+)';/gm)].map(([, path]) => path ?? '');
        for (const path of imports)
          assert.equal((await world.rest('GET', `/pages/${path}`, undefined, {})).status, 200);
      }
    });

    test('an administrator enrolls several, lists and removes them, each in the evidence', async () => {
      const begun = await world.rest('POST', `${REGISTER}/begin`, { agentDid: world.agent.did, deviceName: 'x' });
      const { publicKey } = begun.body;
      assert.deepEqual(publicKey.rp, { name: 'Countersign', id: 'localhost' });
      assert.equal(publicKey.authenticatorSelection.userVerification, 'required');
      assert.equal(Buffer.from(publicKey.challenge, 'base64url').length, 32);
      const one = await register();
      assert.equal(one.body.verified, true, one.text);
      const two = (await register()).body.passkey;
      const listed = await world.rest('GET', `/ap2/hp/passkeys?agentDid=${encodeURIComponent(world.agent.did)}`);
      assert.deepEqual(
        listed.body.data.map(({ id }: Loose) => id),
        [two.id, one.body.passkey.id],
      );
      assert.equal((await world.rest('DELETE', `/ap2/hp/passkeys/${two.id}`)).status, 204);
      assert.equal((await world.rest('DELETE', `/ap2/hp/passkeys/${two.id}`)).status, 404);
      const evidence = await world.rest('GET', '/ap2/evidence/search?eventType=HP_REGISTERED');
      assert.equal(evidence.status, 200);
      const all = await world.rest('GET', '/ap2/evidence/export');
      const types = all.body.events.map(({ eventType }: Loose) => eventType);
      assert.equal(types.filter((type: string) => type === 'HP_REGISTERED').length, 2);
      assert.equal(types.filter((type: string) => type === 'HP_REMOVED').length, 1);
    });

    test('a touch over the API gives a proof that names what it was asked for', async () => {
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(150));
      const mandateId = intent.body.intentVc.credentialSubject.mandateId;
      const cartHash = `sha256:${createHash('sha256').update('a cart').digest('hex')}`;
      const proven = await prove({ agentDid: world.agent.did, mandateId, cartHash });
      assert.equal(proven.status, 200, proven.text);
      const { hpProof } = proven.body;
      assert.equal(hpProof.intentId, mandateId);
      assert.equal(hpProof.cartHash, cartHash);
      assert.equal(Date.parse(hpProof.expiresAt) - Date.parse(hpProof.verifiedAt), 300_000);
      const free = (await prove({ agentDid: world.agent.did })).body.hpProof;
      const cart = { intentVc: intent.body.intentVc, cartVc: world.cart(150), hpProof: free };
      assert.equal((await world.rest('POST', '/ap2/carts/validate', cart)).body.allowed, true);
      const foreign = { agentDid: world.agent.did, mandateId: `intent_${'0'.repeat(26)}` };
      assert.equal((await world.rest('POST', `${AUTH}/begin`, foreign)).status, 404);
    });

    test('a removed passkey proves nothing any more', async () => {
      const agent = await world.newAgent();
      const { passkey } = (await register(agent.did)).body;
      const begun = await world.rest('POST', `${AUTH}/begin`, { agentDid: agent.did });
      await world.rest('DELETE', `/ap2/hp/passkeys/${passkey.id}`);
      const credential = person.phone.get(begun.body.publicKey);
      const refused = await world.rest('POST', `${AUTH}/complete`, { challengeId: begun.body.challengeId, credential });
      assert.equal(refused.status, 400);
      assert.equal((await world.rest('POST', `${AUTH}/begin`, { agentDid: agent.did })).status, 409);
    });

    test('an agent may begin a proof for itself, but never enroll', async () => {
      const as = (path: string, body: Loose) => {
        const text = JSON.stringify(body);
        const { baseUrl } = world.node;
        const proof = makeDidProof(world.agent, { baseUrl, method: 'POST', path, body: text });
        return world.rest('POST', path, text, { 'X-DID-Proof': proof, 'Content-Type': 'application/json' });
      };
      const { did: agentDid } = world.agent;
      assert.equal((await as(`${AUTH}/begin`, { agentDid })).status, 200);
      assert.equal((await as(`${REGISTER}/begin`, { agentDid, deviceName: 'mine' })).status, 403);
      assert.equal((await as('/ap2/admin/enrollments', { agentDid })).status, 403);
      const other = await world.newAgent();
      assert.equal((await as(`${AUTH}/begin`, { agentDid: other.did })).status, 403);
    });

    test('enrolling without user verification, at another origin or for another RP id is refused', async () => {
      for (const wrong of [{ userVerified: false }, { origin: 'https://evil.example' }, { rpId: 'evil.example' }]) {
        person.misbehave(wrong);
        const refused = await register();
        person.misbehave({});
        assert.equal(refused.status, 400, refused.text);
      }
    });

    test('a registration challenge serves once, and only its own agent', async () => {
      const agentDid = world.agent.did;
      const begun = await world.rest('POST', `${REGISTER}/begin`, { agentDid, deviceName: 'twice' });
      const credential = person.phone.create(begun.body.publicKey);
      const body = { agentDid, credential };
      assert.equal((await world.rest('POST', `${REGISTER}/complete`, body)).status, 200);
      assert.equal((await world.rest('POST', `${REGISTER}/complete`, body)).status, 400);
      const again = await world.rest('POST', `${REGISTER}/begin`, { agentDid, deviceName: 'other' });
      const other = await world.newAgent();
      const stolen = { agentDid: other.did, credential: person.phone.create(again.body.publicKey) };
      assert.equal((await world.rest('POST', `${REGISTER}/complete`, stolen)).status, 400);
    });

    test('a link enrolls one passkey, then it is dead; its token is nowhere in the store or the evidence', async () => {
      const link = await newLink({ deviceName: 'Ada’s phone' });
      const page = await world.rest('GET', link.path, undefined, NO_CREDENTIAL);
      assert.equal(page.status, 200);
      const shown = await world.rest('GET', `${link.path}/link`, undefined, NO_CREDENTIAL);
      assert.deepEqual(shown.body, {
        agent: 'test agent',
        delegated: false,
        deviceName: 'Ada’s phone',
        expiresAt: link.expiresAt,
      });
      const begin = async () =>
        person.phone.create(
          (await world.rest('POST', `${link.path}/begin`, { deviceName: 'phone' }, NO_CREDENTIAL)).body.publicKey,
        );
      const [first, second] = [await begin(), await begin()];
      const replies = await Promise.all(
        [first, second].map((credential) => world.rest('POST', `${link.path}/complete`, { credential }, NO_CREDENTIAL)),
      );
      const statuses = replies.map(({ status }) => status).sort();
      assert.equal(statuses[0], 200);
      assert.ok([404, 409].includes(statuses[1] as number), 'one wins');
      assert.equal((await world.rest('GET', link.path, undefined, NO_CREDENTIAL)).status, 404);
      const token = link.path.split('/').at(-1);
      const all = await world.rest('GET', '/ap2/evidence/export');
      assert.ok(!all.text.includes(token));
      assert.ok(all.text.includes('HP_LINK_CREATED'));
    });

    test('a link past its time, or made up, leads nowhere', async () => {
      const link = await newLink({ ttlSeconds: 60 });
      const back = leap(world, 61);
      try {
        const late = await world.rest('POST', `${link.path}/begin`, { deviceName: 'phone' }, NO_CREDENTIAL);
        assert.equal(late.status, 404);
      } finally {
        back();
      }
      const madeUp = `/enroll/${'A'.repeat(43)}`;
      assert.equal((await world.rest('GET', madeUp, undefined, NO_CREDENTIAL)).status, 404);
      assert.equal((await world.rest('GET', `${madeUp}/link`, undefined, NO_CREDENTIAL)).status, 404);
    });

    test('a challenge of a link enrolls by that link only', async () => {
      const [one, two] = [await newLink(), await newLink()];
      const begun = await world.rest('POST', `${one.path}/begin`, { deviceName: 'phone' }, NO_CREDENTIAL);
      const credential = person.phone.create(begun.body.publicKey);
      assert.equal((await world.rest('POST', `${two.path}/complete`, { credential }, NO_CREDENTIAL)).status, 400);
    });
  });
}
