/** Whose money is spent, and who agrees to it, is not for the agent to say. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertionFault } from '../../protocol/evidence/bundleApproval.ts';
import { everyEngine } from '../support/engines.ts';
import { makeCart, makePeer, type Peer } from '../support/peer.ts';
import { makePerson, NO_CREDENTIAL, type Person } from '../support/person.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const ALONE_100 = { version: '2.0', spend: { amount_cap: 100, presence_cap: 1000, currency: 'USD' } };

for (const engine of everyEngine()) {
  describe(`the money of a governed principal on ${engine.name}`, () => {
    let world: World;
    let owner: Person;
    let thief: Peer;
    let thiefsPerson: Person;
    before(async () => {
      world = await makeWorld(engine);
      const policy = await world.rest('POST', '/ap2/admin/policies', { name: 'With a person', rules: ALONE_100 });
      assert.equal(policy.status, 201, policy.text);
      const registered = await world.rest('POST', '/ap2/admin/principals', {
        did: world.principal.did,
        name: 'Lovelace household',
        agents: [world.agent.did],
      });
      assert.equal(registered.status, 201, registered.text);
      const card = { principalDid: world.principal.did, paymentMethod: 'pm_card_visa', customer: 'cus_household' };
      assert.equal((await world.rest('POST', '/ap2/admin/instruments', card)).status, 201);
      owner = makePerson(world);
      await owner.enroll({ principalDid: world.principal.did });
      thief = await world.newAgent('thief');
      thiefsPerson = makePerson(world);
      await thiefsPerson.enroll(thief);
    });
    after(() => world.close());

    const delegate = (agents: Peer[]) =>
      world.rest('PUT', `/ap2/admin/principals/${world.principal.did}`, { agents: agents.map(({ did }) => did) });
    const refused = (reply: { body: Loose; text: string }) =>
      assert.ok(reply.body.reasonCodes?.includes('AGENT_NOT_DELEGATED'), reply.text);
    async function ask(amount: number, agent: Peer = world.agent, more: Loose = {}) {
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent }));
      assert.equal(intent.body.allowed, true, intent.text);
      const { intentVc } = intent.body;
      const cartVc = world.cart(amount);
      return { intentVc, cartVc, cart: await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc, ...more }) };
    }

    test('is refused to an agent that it has not delegated to, at both gates', async () => {
      refused(await world.rest('POST', '/ap2/intents', world.intentBody(10, { agent: thief })));
      const answer = await world.say('IntentMandate', world.intentBody(10, { agent: thief }), { from: thief });
      assert.equal(answer.error.code, -32000);
      assert.deepEqual(answer.error.data.reasonCodes, ['AGENT_NOT_DELEGATED']);
    });

    test('is refused at cart and payment when the delegation was withdrawn in between', async () => {
      const { intentVc, cartVc, cart } = await ask(20);
      assert.equal(cart.body.allowed, true, cart.text);
      assert.equal((await delegate([])).status, 200);
      refused(await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken }));
      refused(await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc }));
      assert.equal((await delegate([world.agent])).status, 200);
      const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken });
      assert.equal(paid.body.railResponse?.status, 'requires_capture', paid.text);
    });

    test('is approved by a passkey of that principal only; the page says whose money it is and what pays', async () => {
      assert.equal((await delegate([world.agent, thief])).status, 200);
      const { cart } = await ask(150, thief);
      const { approval } = cart.body;
      const page = await world.rest('GET', `/approve/${approval.id}/purchase`, undefined, NO_CREDENTIAL);
      assert.deepEqual(page.body.principal, { name: 'Lovelace household', did: world.principal.did });
      assert.equal(page.body.instrument, 'pm_card_visa');
      const begun = await owner.begin(approval.id);
      const offered = begun.publicKey.allowCredentials.map(({ id }: Loose) => id);
      const own = await thiefsPerson.prove(thief);
      assert.ok(!offered.includes(own.publicKey.allowCredentials[0].id), 'the agent’s passkey is not among them');
      const forged = thiefsPerson.phone.get({ ...own.publicKey, challenge: begun.publicKey.challenge });
      const body = { challengeId: begun.challengeId, credential: forged };
      const reply = await world.rest('POST', `/approve/${approval.id}/complete`, body, NO_CREDENTIAL);
      assert.equal(reply.status, 400, reply.text);
      assert.match(reply.body.error.message, /it is not enrolled for this principal/);
      assert.equal((await owner.decide(approval.id)).body.status, 'approved');
    });

    test('is not opened by a presence proof that the agent’s own passkey made', async () => {
      const begun = await thiefsPerson.prove(thief);
      const proven = await world.rest('POST', '/ap2/hp/webauthn/auth/complete', {
        challengeId: begun.challengeId,
        credential: thiefsPerson.phone.get(begun.publicKey),
      });
      const { cart } = await ask(160, thief, { hpProof: proven.body.hpProof });
      assert.deepEqual(cart.body.reasonCodes, ['HP_INVALID'], cart.text);
      assert.match(
        cart.body.details.HP_INVALID.message,
        /not made by a passkey of the person or company whose money it is/,
      );
    });

    test('is paid with the instrument that the person was shown, even where the agent names another one afterwards', async () => {
      const { intentVc, cartVc, cart } = await ask(170);
      await owner.decide(cart.body.approval.id);
      const { hpProof } = (await world.rest('GET', `/ap2/approvals/${cart.body.approval.id}`)).body;
      const agentsCard = { agentDid: world.agent.did, paymentMethod: 'pm_card_authenticationRequired' };
      const added = await world.rest('POST', '/ap2/admin/instruments', agentsCard);
      const other = await world.rest('POST', '/ap2/carts/validate', {
        intentVc,
        cartVc,
        hpProof,
        instrument: 'pm_card_authenticationRequired',
      });
      assert.match(other.body.details?.HP_INVALID?.message ?? other.text, /made for another instrument/);
      const same = { intentVc, cartVc, hpProof, instrument: 'pm_card_visa' };
      const { approvalToken } = (await world.rest('POST', '/ap2/carts/validate', same)).body;
      const changed = await world.rest('POST', '/ap2/payments/mandate', {
        approvalToken,
        instrument: 'pm_card_authenticationRequired',
      });
      assert.equal(changed.status, 400, changed.text);
      assert.match(changed.body.error.message, /not what the person approved, pm_card_visa/);
      const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.equal(paid.body.railResponse?.status, 'requires_capture', paid.text);
      await world.rest('DELETE', `/ap2/admin/instruments/${added.body.id}`);
    });

    test('is governed from the moment that an instrument or a passkey is registered for it', async () => {
      const byCard = makePeer();
      await world.rest('POST', '/ap2/admin/instruments', { principalDid: byCard.did, paymentMethod: 'pm_new' });
      const byPasskey = makePeer();
      await makePerson(world).enroll({ principalDid: byPasskey.did });
      for (const { did } of [byCard, byPasskey]) {
        refused(await world.rest('POST', '/ap2/intents', { ...world.intentBody(10), principalDid: did }));
        const shown = await world.rest('GET', `/ap2/admin/principals/${did}`);
        assert.deepEqual(shown.body.agents, []);
      }
      const mereName = await world.rest('POST', '/ap2/intents', {
        ...world.intentBody(10),
        principalDid: makePeer().did,
      });
      assert.equal(mereName.body.allowed, true, mereName.text);
    });

    test('shows the person every member that the shop signed, and takes no name that shows nothing', async () => {
      const subject = {
        domain: SHOP,
        items: [{ name: 'Tea', price: 180, quantity: 1, serving: 'cold' }],
        total: 180,
        currency: 'USD',
        shipTo: { name: 'Mallory', city: 'Elsewhere' },
        payTo: 'acct_mallory',
        subscription: { every: 'month' },
      };
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(200));
      const { intentVc } = intent.body;
      const cartVc = makeCart(world.merchant, subject);
      const { approval } = (await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc })).body;
      const page = await world.rest('GET', `/approve/${approval.id}/purchase`, undefined, NO_CREDENTIAL);
      assert.deepEqual(page.body.details, [
        { name: 'Deliver to, name', value: 'Mallory' },
        { name: 'Deliver to, city', value: 'Elsewhere' },
        { name: 'Paid to', value: 'acct_mallory' },
        { name: 'Subscription, every', value: 'month' },
        { name: 'Item 1, serving', value: 'cold' },
      ]);
      for (const name of ['\u3164', '\u200b\u2060', '\u2800', ' \u00ad ']) {
        const blank = makeCart(world.merchant, { ...subject, items: [{ name, price: 180, quantity: 1 }] });
        const reply = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: blank });
        assert.equal(reply.status, 400, reply.text);
        assert.match(reply.text, /must have a character that can be seen/);
      }
    });

    test('stays unspent after a no: the intent ends, its amount is free, and the same cart is not asked for again', async () => {
      const { intentVc, cartVc, cart } = await ask(190);
      const denied = await owner.decide(cart.body.approval.id, 'deny');
      assert.equal(denied.body.status, 'denied', denied.text);
      const again = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc });
      assert.ok(again.body.reasonCodes.includes('INTENT_EXPIRED'), again.text);
      const { mandateId } = intentVc.credentialSubject;
      const ended = (await world.rest('GET', '/ap2/evidence/search?eventType=INTENT_EXPIRED&limit=1')).body.data[0];
      assert.deepEqual([ended.data.mandateId, ended.data.reason], [mandateId, 'denied']);
      const next = await world.rest('POST', '/ap2/intents', world.intentBody(190));
      const body = { intentVc: next.body.intentVc, cartVc };
      const asked = await world.rest('POST', '/ap2/carts/validate', body);
      assert.deepEqual(asked.body.reasonCodes, ['HP_REQUIRED'], asked.text);
      assert.equal(asked.body.approval, undefined, 'no person is asked for what they denied');
    });

    test('is neither spent nor kept back by a touch that was begun before it was governed, or delegated no more', async () => {
      const household = makePeer();
      const askedOf = async () => {
        const body = { ...world.intentBody(160, { agent: thief }), principalDid: household.did };
        const intent = await world.rest('POST', '/ap2/intents', body);
        assert.equal(intent.body.allowed, true, intent.text);
        const cart = { intentVc: intent.body.intentVc, cartVc: world.cart(160) };
        return (await world.rest('POST', '/ap2/carts/validate', cart)).body.approval.id as string;
      };
      const [yes, no] = [await askedOf(), await askedOf()];
      const begun = [await thiefsPerson.begin(yes), await thiefsPerson.begin(no, 'deny')] as const;
      const registered = { did: household.did, name: 'Household', agents: [thief.did] };
      assert.equal((await world.rest('POST', '/ap2/admin/principals', registered)).status, 201);
      const theirs = makePerson(world);
      await theirs.enroll({ principalDid: household.did });
      for (const [id, first] of [[yes, begun[0]] as const, [no, begun[1]] as const]) {
        const done = await thiefsPerson.complete(id, first);
        assert.equal(done.status, 409, done.text);
        assert.match(done.body.error.message, /Another person decides/);
      }
      const own = await theirs.begin(yes);
      const changed = await world.rest('PUT', `/ap2/admin/principals/${household.did}`, { agents: [] });
      assert.equal(changed.status, 200, changed.text);
      const undelegated = await theirs.complete(yes, own);
      assert.equal(undelegated.status, 409, undelegated.text);
      assert.match(undelegated.body.error.message, /may not spend this money/);
      assert.equal((await theirs.decide(no, 'deny')).body.status, 'denied', 'a no of who decides is taken');
    });

    test('is spent only with the touch that the evidence keeps, its key, its challenge and who registered it', async () => {
      const { cart } = await ask(155);
      await owner.decide(cart.body.approval.id);
      const verified = (await world.rest('GET', '/ap2/evidence/search?eventType=HP_VERIFIED&limit=1')).body.data[0]
        .data;
      const registered = (await world.rest('GET', '/ap2/evidence/search?eventType=HP_REGISTERED&limit=200')).body.data;
      const key = registered.find(({ data }: Loose) => data.passkeyId === verified.passkeyId).data;
      assert.equal(key.publicKey, verified.publicKey);
      assert.equal(key.principalDid, world.principal.did);
      assert.deepEqual([key.by.kind, key.madeBy.kind], ['link', 'key']);
      const { binding } = verified.challenge;
      assert.equal(binding.principalDid, world.principal.did);
      assert.equal(binding.instrument, 'pm_card_visa');
      const { suite } = world.node.deps;
      const { origin } = new URL(world.node.baseUrl);
      assert.equal(assertionFault(suite, verified, origin), undefined, 'the passkey signed this binding');
      const forged = { ...verified, challenge: { ...verified.challenge, binding: { ...binding, amount: 1 } } };
      assert.match(String(assertionFault(suite, forged, origin)), /another challenge/);
    });
  });
}
