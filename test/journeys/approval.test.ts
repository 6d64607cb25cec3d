/** A person approves exactly one cart: from the rejection that asks for them to the payment, and every way it fails. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeCart, makeDidProof, makePeer } from '../support/peer.ts';
import { askForApproval, leap, makePerson, NO_CREDENTIAL, type Person } from '../support/person.ts';
import { purchase } from '../support/purchase.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`approval by a person on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      await policy({});
      person = makePerson(world);
      await person.enroll();
    });
    after(() => world.close());

    const read = (id: string, wait = 0) => world.rest('GET', `/ap2/approvals/${id}?wait=${wait}`);
    const validate = (intentVc: Loose, cartVc: Loose, hpProof?: Loose) =>
      world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc, ...(hpProof === undefined ? {} : { hpProof }) });
    const eventsOf = async (transactionId: string): Promise<Loose[]> =>
      (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`)).body.events;
    const invalid = (reply: { body: Loose; text: string }, sentence: RegExp) => {
      assert.ok(reply.body.reasonCodes.includes('HP_INVALID'), reply.text);
      assert.match(reply.body.details.HP_INVALID.message, sentence);
    };

    test('one touch turns a rejected cart into a payment, and all of it is in the evidence', async () => {
      const { intentVc, cartVc, approval } = await askForApproval(world);
      assert.match(approval.id, /^apr_[0-9a-hjkmnp-tv-z]{26}$/);
      assert.equal(approval.url, `${world.node.baseUrl}/approve/${approval.id}`);
      const waiting = read(approval.id, 20);
      const decided = await person.decide(approval.id);
      assert.equal(decided.status, 200, decided.text);
      assert.equal(decided.body.status, 'approved');

      const state = await waiting;
      assert.equal(state.body.status, 'approved');
      const { hpProof } = state.body;
      assert.equal(hpProof.issuer, world.node.deps.issuer.did);
      assert.equal(hpProof.cartHash, state.body.cartHash);
      const cart = await validate(intentVc, cartVc, hpProof);
      assert.equal(cart.body.allowed, true, cart.text);
      const payment = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken });
      assert.equal(payment.body.railResponse.status, 'requires_capture', payment.text);

      const events = await eventsOf(state.body.transactionId);
      assert.deepEqual(
        events.map(({ eventType }) => eventType),
        [
          'INTENT_ISSUED',
          'CART_REJECTED',
          'APPROVAL_REQUESTED',
          'HP_VERIFIED',
          'APPROVAL_GRANTED',
          'CART_VALIDATED',
          'PM_ISSUED',
          'PAYMENT_AUTHORIZED',
        ],
      );
      assert.equal(events[3].data.presenceId, hpProof.id);
      assert.equal(events[5].data.presenceId, hpProof.id);
    });

    test('a no voids what was approved before for the same intent, and an agent that pays with it is told so', async () => {
      const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(150));
      const small = await validate(body.intentVc, world.cart(20));
      assert.equal(small.body.allowed, true, small.text);
      const { approval } = (await validate(body.intentVc, world.cart(150))).body;
      await person.decide(approval.id, 'deny');
      const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: small.body.approvalToken });
      assert.equal(paid.status, 409, paid.text);
      assert.match(paid.body.error.message, /void, and its intent has ended: the person said no/);
    });

    test('between agents the error carries the link, and the agent collects the proof by its own DID', async () => {
      const intent = await world.say('IntentMandate', world.intentBody(150));
      const { intentVc } = intent.result.message.body;
      const cartVc = world.cart(150);
      const rejected = await world.say('CartMandate', { intentVc, cartVc });
      const { approval } = rejected.error.data;
      await person.decide(approval.id);
      const path = `/ap2/approvals/${approval.id}`;
      const proofOf = (peer: typeof world.agent) =>
        makeDidProof(peer, { baseUrl: world.node.baseUrl, method: 'GET', path, body: '' });
      const state = await world.rest('GET', path, undefined, { 'X-DID-Proof': proofOf(world.agent) });
      assert.equal(state.status, 200, state.text);
      const cart = await world.say('CartMandate', { intentVc, cartVc, hpProof: state.body.hpProof });
      assert.match(cart.result.message.body.approvalToken, /^apt_/);
      const stranger = await world.newAgent();
      const refused = await world.rest('GET', path, undefined, { 'X-DID-Proof': proofOf(stranger) });
      assert.equal(refused.status, 404);
    });

    test('a cart that a touch could not save carries no link', async () => {
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(150));
      const both = await validate(intent.body.intentVc, world.cart(160));
      assert.deepEqual(both.body.reasonCodes, ['CART_EXCEEDS_INTENT', 'HP_REQUIRED']);
      assert.equal(both.body.approval, undefined);
    });

    test('the same cart sent again leads to the same request, and after the touch to the proof', async () => {
      const { intentVc, cartVc, approval } = await askForApproval(world);
      const again = await validate(intentVc, cartVc);
      assert.equal(again.body.approval.id, approval.id);
      await person.decide(approval.id);
      const lost = await validate(intentVc, cartVc);
      assert.equal(lost.body.approval.id, approval.id);
      const { hpProof } = (await read(lost.body.approval.id)).body;
      assert.equal((await validate(intentVc, cartVc, hpProof)).body.allowed, true);
    });

    test('the page shows the purchase and nothing else, under a policy that runs no foreign script', async () => {
      const { approval } = await askForApproval(world);
      const page = await world.rest('GET', `/approve/${approval.id}`, undefined, NO_CREDENTIAL);
      assert.equal(page.status, 200);
      const policy = page.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe|https?:/);
      assert.doesNotMatch(page.text, /(src|href)="(https?:)?\/\//);
      assert.doesNotMatch(page.text, /<script>|style="| on\w+="/);
      const view = await world.rest('GET', `/approve/${approval.id}/purchase`, undefined, NO_CREDENTIAL);
      assert.deepEqual(view.body, {
        status: 'pending',
        agent: 'test agent',
        agentDid: world.agent.did,
        principal: { did: world.principal.did },
        merchant: SHOP,
        merchantEncoded: false,
        total: '150.00 USD',
        items: [{ name: 'Thing', quantity: 1, amount: '150.00 USD' }],
        details: [],
        asked: [],
        causes: ['150.00 USD is 50.00 over what the agent may spend alone, which is 100.00.'],
        expiresAt: approval.expiresAt,
        canApprove: true,
        deniableByLink: false,
      });
      assert.equal((await world.rest('GET', `/approve/apr_${'0'.repeat(26)}`, undefined, NO_CREDENTIAL)).status, 404);
    });

    test('a link that has ended is shown no more: not in lists, answers or by its page', async () => {
      const linkIn = async (id: string) => {
        const { body } = await world.rest('GET', `/ap2/approvals/${id}`);
        const list = await world.rest('GET', '/ap2/approvals?limit=200');
        assert.equal(list.body.data.find((each: Loose) => each.id === id).url, body.url);
        return body.url;
      };
      const page = async (id: string) => {
        const { status } = await world.rest('GET', `/approve/${id}`, undefined, NO_CREDENTIAL);
        assert.equal((await world.rest('GET', `/approve/${id}/purchase`, undefined, NO_CREDENTIAL)).status, status);
        return status;
      };
      const yes = await askForApproval(world);
      const no = await askForApproval(world);
      const late = await askForApproval(world);
      assert.equal(await linkIn(yes.approval.id), yes.approval.url);
      await person.decide(yes.approval.id);
      await person.decide(no.approval.id, 'deny');
      const again = await validate(yes.intentVc, yes.cartVc);
      assert.deepEqual([again.body.approval.id, again.body.approval.url], [yes.approval.id, undefined]);
      for (const { approval } of [yes, no]) {
        assert.equal(await linkIn(approval.id), undefined);
        assert.equal(await page(approval.id), 200, 'who has just decided sees how it ended');
      }
      const back = leap(world, 905);
      assert.equal(await linkIn(late.approval.id), undefined);
      assert.deepEqual([await page(late.approval.id), await page(yes.approval.id)], [200, 404]);
      const further = leap(world, 900);
      assert.equal(await page(late.approval.id), 404);
      further();
      back();
    });

    test('an operator lists what waits, and denies it for good', async () => {
      const { intentVc, cartVc, approval } = await askForApproval(world);
      const waiting = read(approval.id, 20);
      const listed = await world.rest('GET', '/ap2/approvals?status=pending');
      assert.ok(listed.body.data.some(({ id }: Loose) => id === approval.id));
      const denied = await world.rest('POST', `/ap2/approvals/${approval.id}/deny`, {});
      assert.equal(denied.body.status, 'denied', denied.text);
      const state = await waiting;
      assert.equal(state.body.status, 'denied');
      assert.equal(state.body.hpProof, undefined);
      const begun = await world.rest('POST', `/approve/${approval.id}/begin`, { decision: 'approve' }, NO_CREDENTIAL);
      assert.equal(begun.status, 409);
      const again = await validate(intentVc, cartVc);
      assert.ok(again.body.reasonCodes.includes('INTENT_EXPIRED'), again.text);
      assert.equal(again.body.approval, undefined, 'no person is asked twice');
      const events = await eventsOf(state.body.transactionId);
      assert.ok(events.some(({ eventType }) => eventType === 'APPROVAL_DENIED'));
    });

    test('the person denies with a touch, and the agent that waits hears it', async () => {
      const { approval } = await askForApproval(world);
      const waiting = read(approval.id, 20);
      const denied = await person.decide(approval.id, 'deny');
      assert.equal(denied.body.status, 'denied', denied.text);
      assert.equal((await waiting).body.status, 'denied');
    });

    test('a touch meant as a no cannot be sent as a yes', async () => {
      const { approval } = await askForApproval(world);
      const yes = await person.begin(approval.id, 'approve');
      const no = await person.begin(approval.id, 'deny');
      const credential = person.phone.get(no.publicKey);
      const body = { challengeId: yes.challengeId, credential };
      const mixed = await world.rest('POST', `/approve/${approval.id}/complete`, body, NO_CREDENTIAL);
      assert.equal(mixed.status, 400);
      assert.equal((await read(approval.id)).body.status, 'pending');
    });

    test('a link is shown no longer where its expiry was recorded late', async () => {
      const { approval } = await askForApproval(world);
      const { transactionId } = (await read(approval.id)).body;
      const back = leap(world, 1805);
      try {
        await until('the expiry', async () =>
          (await eventsOf(transactionId)).some(({ eventType }) => eventType === 'APPROVAL_EXPIRED'),
        );
        assert.equal((await world.rest('GET', `/approve/${approval.id}`, undefined, NO_CREDENTIAL)).status, 404);
      } finally {
        back();
      }
    });

    test('without an answer the request expires, is recorded so, and a later touch is refused', async () => {
      const { approval } = await askForApproval(world);
      const begun = await person.begin(approval.id);
      const back = leap(world, 901);
      try {
        assert.equal((await read(approval.id)).body.status, 'expired');
        const late = await person.complete(approval.id, begun);
        assert.equal(late.status, 400, late.text);
        const begin = await world.rest('POST', `/approve/${approval.id}/begin`, { decision: 'approve' }, NO_CREDENTIAL);
        assert.equal(begin.status, 409);
        const { transactionId } = (await read(approval.id)).body;
        await until('the expiry', async () =>
          (await eventsOf(transactionId)).some(({ eventType }) => eventType === 'APPROVAL_EXPIRED'),
        );
      } finally {
        back();
      }
    });

    test('two touches for one request race: one wins, and there is one proof', async () => {
      const { approval } = await askForApproval(world);
      const second = makePerson(world);
      await second.enroll();
      const begun = await Promise.all([person.begin(approval.id), second.begin(approval.id)]);
      const replies = await Promise.all([
        person.complete(approval.id, begun[0]),
        second.complete(approval.id, begun[1]),
      ]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
      const { transactionId } = (await read(approval.id)).body;
      const verified = (await eventsOf(transactionId)).filter(({ eventType }) => eventType === 'HP_VERIFIED');
      assert.equal(verified.length, 1);
    });

    test('a touch without user verification is refused', async () => {
      await refuses({ userVerified: false }, /User verification/i);
    });

    test('a touch at another origin is refused', async () => {
      await refuses({ origin: 'https://evil.example' }, /origin/);
    });

    test('a passkey for another RP id is refused', async () => {
      await refuses({ rpId: 'evil.example' }, /RP ID/i);
    });

    test('a count that goes back is refused', async () => {
      await refuses({ step: -5 }, /its counter did not go on, so it may be a copy of the passkey/);
    });

    test('a challenge serves once, also when its first use failed', async () => {
      const { approval } = await askForApproval(world);
      const begun = await person.begin(approval.id);
      person.misbehave({ userVerified: false });
      assert.equal((await person.complete(approval.id, begun)).status, 400);
      person.misbehave({});
      const again = await person.complete(approval.id, begun);
      assert.equal(again.status, 400);
      assert.match(again.body.error.message, /used before/);
      const used = await person.begin(approval.id);
      const body = { challengeId: used.challengeId, credential: person.phone.get(used.publicKey) };
      const path = `/approve/${approval.id}/complete`;
      assert.equal((await world.rest('POST', path, body, NO_CREDENTIAL)).status, 200);
      assert.equal((await world.rest('POST', path, body, NO_CREDENTIAL)).status, 400);
    });

    test('a challenge answered after five minutes is refused', async () => {
      const { approval } = await askForApproval(world);
      const begun = await person.begin(approval.id);
      const back = leap(world, 301);
      try {
        const late = await person.complete(approval.id, begun);
        assert.equal(late.status, 400);
        assert.match(late.body.error.message, /within 300 s/);
      } finally {
        back();
      }
    });

    test('another agent’s passkey is refused', async () => {
      const other = await world.newAgent();
      const otherPerson = makePerson(world);
      const { credentialId } = await otherPerson.enroll(other);
      const { approval } = await askForApproval(world);
      const { challengeId, publicKey } = await person.begin(approval.id);
      const credential = otherPerson.phone.get({ ...publicKey, allowCredentials: [{ id: credentialId }] });
      const path = `/approve/${approval.id}/complete`;
      const refused = await world.rest('POST', path, { challengeId, credential }, NO_CREDENTIAL);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error.message, /not enrolled for this agent/);
    });

    test('a challenge for one request does not decide another', async () => {
      const one = await askForApproval(world);
      const two = await askForApproval(world);
      const swapped = await person.complete(two.approval.id, await person.begin(one.approval.id));
      assert.equal(swapped.status, 400);
      assert.match(swapped.body.error.message, /something else/);
    });

    test('a proof used twice is refused', async () => {
      const { intentVc, cartVc, hpProof } = await approved();
      assert.equal((await validate(intentVc, cartVc, hpProof)).body.allowed, true);
      invalid(await validate(intentVc, cartVc, hpProof), /used before/);
    });

    test('a proof for another cart is refused, and so is a cart changed by one cent', async () => {
      const { intentVc, cartVc, hpProof } = await approved();
      invalid(await validate(intentVc, world.cart(150.01), hpProof), /another cart/);
      invalid(await validate(intentVc, world.cart(149.99), hpProof), /another cart/);
      assert.equal((await validate(intentVc, cartVc, hpProof)).body.allowed, true);
    });

    test('a proof for another intent or another agent is refused', async () => {
      const { cartVc, hpProof } = await approved();
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(160));
      invalid(await validate(intent.body.intentVc, cartVc, hpProof), /another intent/);
      const agent = await world.newAgent();
      const foreign = await world.rest('POST', '/ap2/intents', world.intentBody(160, { agent }));
      invalid(await validate(foreign.body.intentVc, cartVc, hpProof), /another agent/);
    });

    test('a proof that expired, was changed, or is malformed is refused, each by its name', async () => {
      const { intentVc, cartVc, hpProof } = await approved();
      invalid(await validate(intentVc, cartVc, { ...hpProof, expiresAt: '2099-01-01T00:00:00.000Z' }), /signature/);
      invalid(await validate(intentVc, cartVc, { ...hpProof, issuer: world.merchant.did }), /not issued by this node/);
      invalid(await validate(intentVc, cartVc, { type: 'something' }), /malformed/);
      const back = leap(world, 301);
      try {
        invalid(await validate(intentVc, world.cart(150), hpProof), /another cart/);
        invalid(await validate(intentVc, cartVc, hpProof), /expired/);
        const { approval } = (await validate(intentVc, cartVc)).body;
        assert.equal((await read(approval.id)).body.status, 'pending', 'the person is asked anew');
      } finally {
        back();
      }
    });

    test('each of the four causes reaches the page as a plain sentence', async () => {
      const agent = await world.newAgent();
      await person.enroll(agent);
      await policy({});
      for (let paid = 0; paid < 3; paid++) await purchase(world, 10, { agent });
      const context = { presence: 'required', presence_new_merchant: true };
      await policy(context, { anomaly: { min_history: 3, max_deviation: 2, action: 'presence' } });
      const elsewhere = 'other.example';
      const bound = { domain: elsewhere, did: world.merchant.did };
      assert.equal((await world.rest('POST', '/ap2/admin/merchants', bound)).status, 201);
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(150, { agent, domain: elsewhere }));
      const cart = await validate(intent.body.intentVc, world.cart(150, { domain: elsewhere }));
      await policy({});
      assert.deepEqual(cart.body.reasonCodes, ['HP_REQUIRED'], cart.text);
      const view = await world.rest('GET', `/approve/${cart.body.approval.id}/purchase`, undefined, NO_CREDENTIAL);
      assert.deepEqual(view.body.causes, [
        '150.00 USD is 50.00 over what the agent may spend alone, which is 100.00.',
        'The agent never paid other.example before.',
        "150.00 USD is 140.00 over what is usual, at most 10.00. The agent's last payments average 10.00 USD.",
        'The policy asks for a person at every purchase.',
      ]);
    });

    test('names of strangers reach the page as inert text, and a domain beyond ASCII in its encoded form', async () => {
      const bound = { domain: 'аpple.example', did: world.merchant.did };
      assert.equal((await world.rest('POST', '/ap2/admin/merchants', bound)).status, 201);
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(150, { domain: 'аpple.example' }));
      const name = '<img src=x onerror=alert(1)>\u202Egnp.exe\u0007\n\u200Bend';
      const items = [{ name, price: 150, quantity: 1 }];
      const cartVc = makeCart(world.merchant, { domain: 'аpple.example', items, total: 150, currency: 'USD' });
      const cart = await validate(intent.body.intentVc, cartVc);
      const view = await world.rest('GET', `/approve/${cart.body.approval.id}/purchase`, undefined, NO_CREDENTIAL);
      assert.equal(view.body.merchant, 'xn--pple-43d.example');
      assert.equal(view.body.merchantEncoded, true);
      assert.equal(view.body.items[0].name, '<img src=x onerror=alert(1)> gnp.exe end');
    });

    test('a policy that wants the proof bound refuses one that names no cart', async () => {
      await policy({ presence_binding: 'cart' });
      try {
        const { intentVc, cartVc, approval } = await askForApproval(world);
        const begun = await world.rest('POST', '/ap2/hp/webauthn/auth/begin', { agentDid: world.agent.did });
        const credential = person.phone.get(begun.body.publicKey);
        const body = { challengeId: begun.body.challengeId, credential };
        const loose = await world.rest('POST', '/ap2/hp/webauthn/auth/complete', body);
        assert.equal(loose.body.verified, true, loose.text);
        invalid(await validate(intentVc, cartVc, loose.body.hpProof), /bound to this cart/);
        await person.decide(approval.id);
        const { hpProof } = (await read(approval.id)).body;
        assert.equal((await validate(intentVc, cartVc, hpProof)).body.allowed, true);
      } finally {
        await policy({});
      }
    });

    test('an intent that a denial ended says so, in its event and when it is shown', async () => {
      const { approval, intentVc } = await askForApproval(world);
      const { mandateId } = intentVc.credentialSubject;
      assert.equal((await world.rest('GET', `/ap2/intents/${mandateId}`)).body.reason, undefined);
      await person.decide(approval.id, 'deny');
      const { status, reason, transactionId } = (await world.rest('GET', `/ap2/intents/${mandateId}`)).body;
      assert.deepEqual([status, reason], ['EXPIRED', 'denied']);
      const { events } = (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`)).body;
      const ended = events.find(({ eventType }: Loose) => eventType === 'INTENT_EXPIRED');
      assert.equal(ended.data.reason, 'denied');
      const lapsed = (await world.rest('POST', '/ap2/intents', world.intentBody(5))).body.intentVc.credentialSubject;
      const back = leap(world, 2 * 3600);
      try {
        const late = (await world.rest('GET', `/ap2/intents/${lapsed.mandateId}`)).body;
        assert.deepEqual([late.status, late.reason], ['EXPIRED', undefined]);
      } finally {
        back();
      }
    });

    test('the page waits for a decision made elsewhere, and is told who made it', async () => {
      const asked = await Promise.all([askForApproval(world), askForApproval(world), askForApproval(world)]);
      const [touched, refused, withdrawn] = asked.map(({ approval }) => approval.id as string) as [
        string,
        string,
        string,
      ];
      const follow = (id: string) => world.rest('GET', `/approve/${id}/purchase?wait=20`, undefined, NO_CREDENTIAL);
      const waiting = Promise.all([touched, refused, withdrawn].map(follow));
      await person.decide(touched);
      await world.rest('POST', `/ap2/approvals/${refused}/deny`, {});
      const path = `/ap2/approvals/${withdrawn}/deny`;
      const proof = makeDidProof(world.agent, { baseUrl: world.node.baseUrl, method: 'POST', path, body: '{}' });
      const own = await world.rest('POST', path, {}, { 'X-DID-Proof': proof });
      assert.equal(own.status, 200, own.text);
      const told = (await waiting).map(({ body }) => [body.status, body.decision.by]);
      assert.deepEqual(told, [
        ['approved', 'passkey'],
        ['denied', 'operator'],
        ['denied', 'agent'],
      ]);
    });

    test('the page waits for its expiry, and for the first passkey', async () => {
      const lonely = await world.newAgent('lonely');
      const { approval } = await askForApproval(world, 150, lonely);
      const follow = () => world.rest('GET', `/approve/${approval.id}/purchase?wait=20`, undefined, NO_CREDENTIAL);
      const enrolled = follow();
      await person.enroll(lonely);
      assert.equal((await enrolled).body.canApprove, true);
      const expired = follow();
      const back = leap(world, 901);
      try {
        assert.equal((await expired).body.status, 'expired');
        assert.equal((await follow()).body.decision, undefined);
      } finally {
        back();
      }
    });

    test('a wait of the page is bounded, and its query is checked like any other', async () => {
      const { approval } = await askForApproval(world);
      for (const query of ['wait=31', 'wait=-1', 'wait=soon', 'wait=', 'until=later']) {
        const refused = await world.rest('GET', `/approve/${approval.id}/purchase?${query}`, undefined, NO_CREDENTIAL);
        assert.equal(refused.status, 400, query);
      }
    });

    test('one passkey of a principal approves what each of its agents asks for', async () => {
      const agents = [await world.newAgent('shopper'), await world.newAgent('traveller')];
      const household = makePeer();
      const named = { did: household.did, name: 'Lovelace household', agents: agents.map(({ did }) => did) };
      assert.equal((await world.rest('POST', '/ap2/admin/principals', named)).status, 201);
      const owner = makePerson(world);
      const { credentialId } = await owner.enroll({ principalDid: household.did });
      for (const agent of agents) {
        const body = world.intentBody(150, { agent, principal: household });
        const { intentVc } = (await world.rest('POST', '/ap2/intents', body)).body;
        const cartVc = world.cart(150);
        const { approval } = (await validate(intentVc, cartVc)).body;
        const decided = await owner.decide(approval.id);
        assert.equal(decided.body.status, 'approved', decided.text);
        const { hpProof } = (await read(approval.id)).body;
        assert.equal(hpProof.credentialId, credentialId);
        assert.equal((await validate(intentVc, cartVc, hpProof)).body.allowed, true);
      }
    });

    test('a suspended agent’s request cannot be approved', async () => {
      const agent = await world.newAgent();
      await person.enroll(agent);
      const { approval } = await askForApproval(world, 150, agent);
      await world.rest('POST', `/ap2/admin/agents/${agent.did}/suspend`, { reason: 'lost' });
      const begun = await world.rest('POST', `/approve/${approval.id}/begin`, { decision: 'approve' }, NO_CREDENTIAL);
      assert.equal(begun.status, 409, begun.text);
      const view = await world.rest('GET', `/approve/${approval.id}/purchase`, undefined, NO_CREDENTIAL);
      assert.match(view.body.blocked, /may not buy any more/);
      assert.equal((await person.decide(approval.id, 'deny')).body.status, 'denied', 'a no is always taken');
    });

    /** The sandbox's limits, without one on how often, and what a test adds. */
    async function policy(context: Loose, risk: Loose = {}) {
      const spend = { amount_cap: 100, presence_cap: 200, currency: 'USD' };
      const body = {
        name: 'test',
        rules: { version: '2.0', spend, context: { presence: 'optional', ...context }, risk },
      };
      const made = await world.rest('POST', '/ap2/admin/policies', body);
      assert.equal(made.status, 201, made.text);
    }

    async function approved() {
      const { intentVc, cartVc, approval } = await askForApproval(world);
      assert.equal((await person.decide(approval.id)).status, 200);
      return { intentVc, cartVc, hpProof: (await read(approval.id)).body.hpProof };
    }

    async function refuses(wrong: Parameters<Person['misbehave']>[0], sentence: RegExp) {
      const { approval } = await askForApproval(world);
      const begun = await person.begin(approval.id);
      person.misbehave(wrong);
      const reply = await person.complete(approval.id, begun);
      // Past the count that a touch gone wrong may have set back.
      person.misbehave({ step: 10 });
      assert.equal(reply.status, 400, reply.text);
      assert.match(reply.body.error.message, sentence);
      assert.equal((await read(approval.id)).body.status, 'pending');
      assert.equal((await person.decide(approval.id)).status, 200, 'the right touch still works');
      person.misbehave({});
    }
  });
}
