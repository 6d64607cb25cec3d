/** An administrator who would be another person in an approval, by a passkey that they enroll for that person's agent or principal. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { PERMISSIONS } from '../../src/access/caller.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer, type Peer } from '../support/peer.ts';
import { askForApproval, makePerson, NO_CREDENTIAL, type Person } from '../support/person.ts';
import { startReceiver } from '../support/receiver.ts';
import { type SignedInUser, signInUser } from '../support/signInUser.ts';
import { type Loose, makeWorld, type Reply, type World } from '../support/world.ts';

type Headers = Record<string, string>;

for (const engine of everyEngine()) {
  describe(`a holder’s passkey that would be a person on ${engine.name}`, () => {
    let world: World;
    let ada: SignedInUser;
    let ben: SignedInUser;
    let benKey: { readonly id: string; readonly headers: Headers };
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_ALLOW_PRIVATE: 'true' });
      ada = await signInUser(world, 'OWNER', 'Ada');
      ben = await signInUser(world, 'ADMIN', 'Ben');
    });
    after(() => world.close());
    beforeEach(async () => {
      const made = ok(
        await world.rest('POST', '/ap2/admin/api-keys', { name: 'made', permissions: PERMISSIONS }, ben.headers),
        201,
      );
      benKey = { id: made.id, headers: { Authorization: `Bearer ${made.key}` } };
    });

    const ok = (reply: Reply, status = 200): Loose => {
      assert.equal(reply.status, status, reply.text);
      return reply.body;
    };
    const refused = (reply: Reply, sentence: RegExp): void => {
      assert.equal(reply.status, 409, reply.text);
      assert.match(reply.body.error.message, sentence);
    };
    const policy = async (approval?: Loose): Promise<void> => {
      const context = { presence: 'required', ...(approval && { approval }) };
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context };
      ok(await world.rest('POST', '/ap2/admin/policies', { name: 'touch', rules }), 201);
    };
    const didOf = async ({ userId }: SignedInUser): Promise<string> => {
      const { data } = ok(await world.rest('GET', '/ap2/admin/users'));
      return data.find(({ id }: Loose) => id === userId).did;
    };
    const agentOf = async ({ userId }: SignedInUser): Promise<Peer> => {
      const agent = await world.newAgent('Ada’s agent');
      ok(await world.rest('PUT', `/ap2/agents/${agent.did}`, { ownerUserId: userId }));
      return agent;
    };
    /** By a link of these headers' credential. */
    const enroll = async (holder: object, headers: Headers): Promise<Person & { readonly id: string }> => {
      const person = makePerson(world);
      const { pathname } = new URL(ok(await world.rest('POST', '/ap2/admin/enrollments', holder, headers), 201).url);
      const begun = ok(await world.rest('POST', `${pathname}/begin`, { deviceName: 'a phone' }, NO_CREDENTIAL));
      const credential = person.phone.create(begun.publicKey);
      const { id } = ok(await world.rest('POST', `${pathname}/complete`, { credential }, NO_CREDENTIAL));
      return { ...person, id };
    };
    /** Without a link, by the caller's own credential. */
    const register = async (holder: object, headers: Headers): Promise<Person['phone']> => {
      const { phone } = makePerson(world);
      const path = '/ap2/hp/webauthn/register';
      const { publicKey } = ok(
        await world.rest('POST', `${path}/begin`, { ...holder, deviceName: 'a phone' }, headers),
      );
      ok(await world.rest('POST', `${path}/complete`, { ...holder, credential: phone.create(publicKey) }, headers));
      return phone;
    };
    const touch = async (id: string, phone: Person['phone'], decision = 'approve'): Promise<Reply> => {
      const begun = ok(await world.rest('POST', `/approve/${id}/begin`, { decision }, NO_CREDENTIAL));
      const credential = phone.get({ ...begun.publicKey, allowCredentials: [] });
      return world.rest(
        'POST',
        `/approve/${id}/complete`,
        { challengeId: begun.challengeId, credential },
        NO_CREDENTIAL,
      );
    };
    const askOf = async (principalDid: string, agent: Peer = world.agent): Promise<Loose> => {
      const body = world.intentBody(160, { agent });
      const { intentVc } = ok(await world.rest('POST', '/ap2/intents', { ...body, principalDid }));
      const cartVc = world.cart(150);
      const cart = ok(await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc }));
      assert.deepEqual(cart.reasonCodes, ['HP_REQUIRED'], JSON.stringify(cart));
      return { intentVc, cartVc, approval: cart.approval };
    };
    /** Ada's own money, for a new agent of hers; governed for the first time here. */
    const governed = async (did: string): Promise<Peer> => {
      const agent = await agentOf(ada);
      await world.rest('POST', '/ap2/admin/principals', { did, name: 'Ada' });
      ok(await world.rest('PUT', `/ap2/admin/principals/${did}`, { agents: [agent.did] }));
      return agent;
    };
    const state = async (id: string): Promise<Loose> => ok(await world.rest('GET', `/ap2/approvals/${id}`));
    const newest = async (eventType: string): Promise<Loose> =>
      ok(await world.rest('GET', `/ap2/evidence/search?eventType=${eventType}&limit=1`)).data[0].data;

    test('is no OWNER for an agent that an OWNER owns, and is not named as her', async () => {
      await policy({ people: 1, roles: ['OWNER'] });
      const agent = await agentOf(ada);
      const byKey = await enroll({ agentDid: agent.did }, benKey.headers);
      const bySelf = await register({ agentDid: agent.did }, benKey.headers);
      const { approval } = await askForApproval(world, 150, agent);
      for (const phone of [byKey.phone, bySelf]) {
        refused(await touch(approval.id, phone), /passkey holder of Ada’s agent.*role OWNER/);
      }
      assert.deepEqual((await state(approval.id)).people.approved, []);
      assert.equal(ok(await touch(approval.id, ada.phone)).status, 'approved');
    });

    test('is no OWNER for a principal with an OWNER’s DID', async () => {
      await policy({ people: 1, roles: ['OWNER'] });
      const did = await didOf(ada);
      const agent = await governed(did);
      const { phone } = await enroll({ principalDid: did }, benKey.headers);
      const { approval } = await askOf(did, agent);
      refused(await touch(approval.id, phone), /passkey holder of Ada .*role OWNER/);
      assert.equal(ok(await touch(approval.id, ada.phone)).status, 'approved');
    });

    test('is not a second person beside the maker of its link, in either order, and neither are two of them', async () => {
      await policy({ people: 2 });
      const agent = await agentOf(ada);
      const byKey = await enroll({ agentDid: agent.did }, benKey.headers);
      const byUser = await enroll({ agentDid: agent.did }, ben.headers);
      for (const [first, second, sentence] of [
        [byKey.phone, ben.phone, /You made the link/],
        [ben.phone, byKey.phone, /made the link .* has approved/],
        [byUser.phone, ben.phone, /You made the link/],
        [byUser.phone, byKey.phone, /counts once/],
      ] as const) {
        const { approval } = await askForApproval(world, 150, agent);
        assert.equal(ok(await touch(approval.id, first)).status, 'pending');
        refused(await touch(approval.id, second), sentence);
        const { people } = await state(approval.id);
        assert.equal(people.approved.length, 1);
        assert.equal(ok(await touch(approval.id, ada.phone)).status, 'approved');
      }
    });

    test('does not stand in for the agent’s owner where the policy asks others, by a link of hers for the principal either', async () => {
      await policy({ people: 1, not_owner_of_agent: true });
      const agent = await agentOf(ada);
      const ofAgent = await enroll({ agentDid: agent.did }, benKey.headers);
      const { approval } = await askForApproval(world, 150, agent);
      refused(await touch(approval.id, ofAgent.phone), /owner of the agent does not count/);
      const { did } = makePeer();
      await world.rest('POST', '/ap2/admin/principals', { did, name: 'The firm' });
      ok(await world.rest('PUT', `/ap2/admin/principals/${did}`, { agents: [agent.did] }));
      const ofPrincipal = await enroll({ principalDid: did }, ada.headers);
      const asked = await askOf(did, agent);
      refused(await touch(asked.approval.id, ofPrincipal.phone), /owner of the agent does not count/);
    });

    test('is named as the passkey holder on the page, in the proof, the event, the bundle and the decision', async () => {
      await policy();
      const did = await didOf(ada);
      const agent = await governed(did);
      const { phone } = await enroll({ principalDid: did }, benKey.headers);
      const asked = await askOf(did, agent);
      const { id } = asked.approval;
      assert.equal(ok(await touch(id, phone)).decision.name, 'the passkey holder of Ada');
      const { hpProof, transactionId } = await state(id);
      assert.deepEqual([hpProof.approvedBy, hpProof.passkeyOf], [did, 'principal']);
      const verified = await newest('HP_VERIFIED');
      assert.deepEqual([verified.approvedBy, verified.passkeyOf], [did, 'principal']);

      const { decision } = ok(await world.rest('GET', `/ap2/approvals/${id}?include=decision`));
      const expect = { documentHash: asked.approval.cartHash ?? verified.cartHash };
      const verdict = ok(await world.rest('POST', '/ap2/approvals/verify', { decision, expect }));
      assert.deepEqual([verdict.valid, verdict.approvedBy], [true, { did, passkeyOf: 'principal' }]);

      const body = { intentVc: asked.intentVc, cartVc: asked.cartVc, hpProof };
      const { approvalToken } = ok(await world.rest('POST', '/ap2/carts/validate', body));
      ok(await world.rest('POST', '/ap2/payments/mandate', { approvalToken }));
      const path = `/ap2/evidence/bundle/${transactionId}?format=portable`;
      const bundle = JSON.stringify(ok(await world.rest('GET', path)));
      const { approval }: Loose = verifyBundle(nativeSuite(), bundle, world.node.deps.issuer.did);
      assert.deepEqual(approval, { by: 'passkey', people: 1, persons: [{ did, passkeyOf: 'principal' }] });
    });

    test('says in the evidence who made its link and who used it, is told to the person concerned, and stands in her list', async () => {
      await policy();
      const screen = await startReceiver();
      try {
        const place = { kind: 'plain', url: screen.url, name: 'phone', about: ['passkey.added'] };
        ok(await world.rest('POST', '/ap2/auth/notifications', place, ada.headers), 201);
        const agent = await agentOf(ada);
        const { id } = await enroll({ agentDid: agent.did }, benKey.headers);
        const event = await newest('HP_REGISTERED');
        assert.deepEqual([event.madeBy, event.by.kind], [{ kind: 'key', id: benKey.id }, 'link']);
        assert.equal(event.by.id, event.enrollmentId);
        const [told] = await screen.wait(1);
        assert.match(String(told?.raw), /passkey was added .* Ada’s agent/);
        const listed = ok(await world.rest('GET', '/ap2/auth/passkeys', undefined, ada.headers)).data;
        const shown = listed.find((each: Loose) => each.id === id);
        assert.deepEqual([shown.agentDid, shown.madeBy], [agent.did, { kind: 'key', id: benKey.id }]);
        const path = `/ap2/auth/passkeys/${id}`;
        assert.equal((await world.rest('DELETE', path, undefined, ben.headers)).status, 404);
        ok(await world.rest('DELETE', path, undefined, ada.headers), 204);
      } finally {
        await screen.close();
      }
      const { did } = makePeer();
      const { id } = await enroll({ principalDid: did }, benKey.headers);
      const { data } = ok(await world.rest('GET', `/ap2/principals/${did}/passkeys`));
      assert.deepEqual([data[0].id, data[0].madeBy], [id, { kind: 'key', id: benKey.id }]);
    });

    test('ends with the key whose link it came by, and with the key that enrolled it itself', async () => {
      await policy();
      const agent = await agentOf(ada);
      const byLink = await enroll({ agentDid: agent.did }, benKey.headers);
      const bySelf = await register({ agentDid: agent.did }, benKey.headers);
      const { approval } = await askForApproval(world, 150, agent);
      ok(await world.rest('DELETE', `/ap2/admin/api-keys/${benKey.id}`), 204);
      for (const phone of [byLink.phone, bySelf]) {
        const begun = await world.rest('POST', `/approve/${approval.id}/begin`, { decision: 'approve' }, NO_CREDENTIAL);
        const credential = phone.get({ ...begun.body.publicKey, allowCredentials: [] });
        const body = { challengeId: begun.body.challengeId, credential };
        assert.equal((await world.rest('POST', `/approve/${approval.id}/complete`, body, NO_CREDENTIAL)).status, 400);
      }
      assert.equal((await newest('KEY_REVOKED')).endedPasskeys.length, 2);
    });

    test('two users who enrolled a principal’s passkeys while signed in are two, each with their role', async () => {
      const { did } = makePeer();
      const agent = await agentOf(ada);
      await world.rest('POST', '/ap2/admin/principals', { did, name: 'The firm' });
      ok(await world.rest('PUT', `/ap2/admin/principals/${did}`, { agents: [agent.did] }));
      const [adas, bens] = [
        await register({ principalDid: did }, ada.headers),
        await register({ principalDid: did }, ben.headers),
      ];
      await policy({ people: 2 });
      const { approval } = await askOf(did, agent);
      assert.equal(ok(await touch(approval.id, adas)).status, 'pending');
      refused(await touch(approval.id, ada.phone), /count once/);
      const both = ok(await touch(approval.id, bens));
      assert.deepEqual(
        [both.status, both.people.approved.map(({ name }: Loose) => name)],
        ['approved', ['Ada', 'Ben']],
      );
      await policy({ people: 1, roles: ['OWNER'] });
      const next = (await askOf(did, agent)).approval;
      refused(await touch(next.id, bens), /role ADMIN does not count/);
      assert.equal(ok(await touch(next.id, adas)).status, 'approved');
    });

    test('with roles an agent’s passkey and one user are not two', async () => {
      await policy({ people: 2, roles: ['OWNER', 'ADMIN'] });
      const phone = makePerson(world);
      await phone.enroll();
      const { approval } = await askForApproval(world);
      assert.equal(ok(await touch(approval.id, ben.phone)).status, 'pending');
      refused(await touch(approval.id, phone.phone), /passkey holder of test agent/);
      assert.equal(ok(await touch(approval.id, ada.phone)).status, 'approved');
    });
  });
}
