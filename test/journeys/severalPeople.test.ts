/** A purchase that takes several people: who counts, in any order and at once, until it is paid; and what its bundle shows. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { peopleFault } from '../../protocol/evidence/bundlePeople.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { WEBHOOK_DATA } from '../../protocol/webhook/event.ts';
import { webhooksOf } from '../../protocol/webhook/fromEvidence.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { runHere } from '../cli/runHere.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer, type Peer } from '../support/peer.ts';
import { askForApproval, leap, makePerson, NO_CREDENTIAL, type Person } from '../support/person.ts';
import { type SignedInUser, signInUser } from '../support/signInUser.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, type Loose, makeWorld, type Reply, type World } from '../support/world.ts';

const suite = nativeSuite();

for (const engine of everyEngine()) {
  describe(`approval by several people on ${engine.name}`, () => {
    let world: World;
    let agentsPhone: Person;
    const users: Record<string, SignedInUser> = {};
    const user = (name: string) => users[name] as SignedInUser;
    before(async () => {
      world = await makeWorld(engine);
      agentsPhone = makePerson(world);
      await agentsPhone.enroll();
      for (const [name, role] of Object.entries({
        ada: 'OWNER',
        ben: 'ADMIN',
        cleo: 'ADMIN',
        mia: 'MEMBER',
        vic: 'VIEWER',
      })) {
        users[name] = await signInUser(world, role, name);
      }
    });
    after(() => world.close());

    const policy = async (approval: Loose, context: Loose = {}) => {
      const rules = {
        version: '2.0',
        spend: { amount_cap: 1000, currency: 'USD' },
        context: { approval, ...context },
      };
      const made = await world.rest('POST', '/ap2/admin/policies', { name: 'several', rules });
      assert.equal(made.status, 201, made.text);
    };
    const begin = async (id: string, decision = 'approve') => {
      const begun = await world.rest('POST', `/approve/${id}/begin`, { decision }, NO_CREDENTIAL);
      assert.equal(begun.status, 200, begun.text);
      return begun.body;
    };
    /** The touch of a phone, as far as the node is not told of it yet. */
    const touched = async (id: string, phone: SignedInUser['phone'], decision = 'approve') => {
      const { challengeId, publicKey } = await begin(id, decision);
      return { challengeId, credential: phone.get({ ...publicKey, allowCredentials: [] }) };
    };
    const send = (id: string, assertion: Loose): Promise<Reply> =>
      world.rest('POST', `/approve/${id}/complete`, assertion, NO_CREDENTIAL);
    const touch = async (id: string, name: string, decision = 'approve') =>
      send(id, await touched(id, user(name).phone, decision));
    const read = async (id: string, headers?: Record<string, string>) =>
      (await world.rest('GET', `/ap2/approvals/${id}`, undefined, headers)).body;
    const validate = async (asked: Loose, hpProof: Loose) =>
      (await world.rest('POST', '/ap2/carts/validate', { intentVc: asked.intentVc, cartVc: asked.cartVc, hpProof }))
        .body;
    const pay = async (approvalToken: string) =>
      (await world.rest('POST', '/ap2/payments/mandate', { approvalToken })).body;
    const setRole = async (name: string, role: string) => {
      const { headers, userId } = user('ada');
      assert.ok(userId);
      const set = await world.rest('PUT', `/ap2/admin/users/${user(name).userId}`, { role }, headers);
      assert.equal(set.status, 200, set.text);
    };
    const didOf = async (name: string) => {
      const { data } = (await world.rest('GET', '/ap2/admin/users')).body;
      return data.find(({ id }: Loose) => id === user(name).userId).did as string;
    };
    const assertRefused = (reply: Reply, sentence: RegExp) => {
      assert.equal(reply.status, 409, reply.text);
      assert.match(reply.body.error.message, sentence);
    };

    test('two people approve, each by a touch of their own, and the bundle shows both', async () => {
      await policy({ people: 2, above: 100 });
      const asked = await askForApproval(world);
      const { id } = asked.approval;
      assert.deepEqual(asked.approval.people, { needed: 2, approved: [] });

      const first = await touch(id, 'ada');
      assert.equal(first.status, 200, first.text);
      assert.equal(first.body.status, 'pending');
      const [ada, ben] = [await didOf('ada'), await didOf('ben')];
      const { needed, approved } = first.body.people;
      assert.deepEqual([needed, approved.map(({ by, name }: Loose) => [by, name])], [2, [[ada, 'ada']]]);
      const half = await read(id);
      assert.equal(half.hpProof, undefined, 'one of two gets no proof');
      assert.equal(half.people.approved[0].by, ada);
      const env = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
      const shown = await runHere(['approvals', 'show', id], env);
      assert.match(shown.stdout, /1 of 2[\s\S]*ada \(/);
      const listed = await world.rest('GET', '/ap2/approvals?status=pending');
      assert.deepEqual(listed.body.data[0].people, half.people);

      assert.equal((await touch(id, 'ben')).body.status, 'approved');
      const { hpProof, people, transactionId } = await read(id);
      assert.deepEqual(
        hpProof.approvals.map(({ by }: Loose) => by),
        [ada, ben],
      );
      assert.equal(hpProof.approvals[1].hpId, hpProof.id);
      assert.deepEqual([people.needed, people.approved.length], [2, 2]);
      const cart = await validate(asked, hpProof);
      assert.equal(cart.allowed, true, JSON.stringify(cart));
      const paid = await pay(cart.approvalToken);
      assert.equal(paid.railResponse.status, 'requires_capture', JSON.stringify(paid));

      const path = `/ap2/evidence/bundle/${transactionId}?format=portable`;
      const bundle = (await world.rest('GET', path)).body;
      const touches = bundle.events.filter(({ eventType }: Loose) => eventType === 'HP_VERIFIED');
      assert.deepEqual(
        touches.map(({ data }: Loose) => data.approvedBy),
        [ada, ben],
      );
      const persons = [ada, ben].map((did) => ({ did, passkeyOf: 'user' }));
      assert.deepEqual(verified(bundle).approval, { by: 'passkey', people: 2, persons });
      const seen = (change: (copy: Loose, touch: Loose, cart: Loose) => void) => {
        const copy = structuredClone(bundle);
        const dataOf = (type: string) => copy.events.find(({ eventType }: Loose) => eventType === type).data;
        change(copy, dataOf('HP_VERIFIED'), dataOf('CART_VALIDATED'));
        return peopleFault(copy)?.reason;
      };
      assert.equal(
        seen(() => {}),
        undefined,
      );
      const twins: [RegExp, (copy: Loose, touch: Loose, cart: Loose) => void][] = [
        [/touch hp_.* is missing/, (_copy, touch) => Object.assign(touch, { presenceId: 'hp_other' })],
        [/is by did:other, not by/, (_copy, touch) => Object.assign(touch, { approvedBy: 'did:other' })],
        [/by one passkey/, (_copy, touch) => Object.assign(touch, { publicKey: touches[1].data.publicKey })],
        [/names other people/, (copy) => copy.presence.approvals.pop()],
        [/cannot be read/, (_copy, _touch, cart) => Object.assign(cart, { approvals: [{ hpId: 3 }] })],
        [
          /by one person/,
          (copy, touch, cart) => {
            for (const each of [touch, ...cart.approvals.slice(0, 1), ...copy.presence.approvals.slice(0, 1)]) {
              Object.assign(each, 'hpId' in each ? { by: ben } : { approvedBy: ben });
            }
          },
        ],
        [
          /asked for 2 people .* shows the approval of 1/,
          (copy, _touch, cart) => {
            cart.approvals.shift();
            copy.presence.approvals.shift();
          },
        ],
        [
          /asked for 2 people .* shows the approval of 0/,
          (copy, _touch, cart) => {
            delete copy.presence;
            delete cart.approvals;
            delete cart.presenceId;
          },
        ],
        [
          /asked for 3 people/,
          (copy) => {
            copy.policies[0].rules.context.approval.people = 3;
          },
        ],
        [
          /people the policy asked for cannot be read/,
          (copy) => {
            copy.policies[0].rules.context.approval = 'two';
          },
        ],
      ];
      for (const [sentence, change] of twins) assert.match(String(seen(change)), sentence);
    });

    const verified = (bundle: Loose): Loose => verifyBundle(suite, JSON.stringify(bundle), world.node.deps.issuer.did);

    test('a node that lets one person approve what its policy asks two for makes a bundle that is refused', async () => {
      await policy({ people: 2, above: 100 }, { presence: 'required' });
      const { policies } = world.node.deps;
      const real = policies.compiled;
      Object.assign(policies, { compiled: (row: Loose) => ({ ...real(row), quorumFor: () => undefined }) });
      try {
        const asked = await askForApproval(world);
        await agentsPhone.decide(asked.approval.id);
        const { hpProof, transactionId } = await read(asked.approval.id);
        await pay((await validate(asked, hpProof)).approvalToken);
        const path = `/ap2/evidence/bundle/${transactionId}?format=portable`;
        const bundle = (await world.rest('GET', path)).body;
        const { ok, part, reason } = verified(bundle);
        assert.deepEqual([ok, part], [false, 'presence']);
        assert.match(reason, /asked for 2 people .* shows the approval of 1/);
        const folder = mkdtempSync(join(tmpdir(), 'countersign-people-'));
        writeFileSync(join(folder, 'bundle.json'), JSON.stringify(bundle));
        const words = ['evidence', 'verify', join(folder, 'bundle.json'), '--issuer', world.node.deps.issuer.did];
        const judged = await runHere([...words, '--accept-stated', '--allow-unsigned']);
        rmSync(folder, { recursive: true });
        assert.equal(judged.code, 1);
        assert.match(judged.stdout, /presence: .* shows the approval of 1/);
      } finally {
        Object.assign(policies, { compiled: real });
      }
    });

    test('each touch that does not count is refused with the reason, and changes nothing', async () => {
      await policy({ people: 2, above: 100 });
      const { approval } = await askForApproval(world);
      assertRefused(await touch(approval.id, 'mia'), /role MEMBER does not count/);
      assertRefused(await touch(approval.id, 'vic'), /role VIEWER does not count/);
      assert.equal((await touch(approval.id, 'ben')).status, 200);
      assertRefused(await touch(approval.id, 'ben'), /approved this purchase already, and count once: 1 of 2/);
      const { people, status } = await read(approval.id);
      assert.deepEqual([status, people.approved.length], ['pending', 1]);
      await policy({ people: 2, above: 100, roles: ['MEMBER'] });
      assert.equal((await read(approval.id)).people.approved.length, 0, 'an ADMIN counts no more');
      assert.equal((await touch(approval.id, 'mia')).status, 200);
    });

    test('two passkeys of one person count once, and the passkey holder of an agent is not its owner', async () => {
      await policy({ people: 2, above: 100 });
      const agent = await world.newAgent();
      const own = async (name: string | null) => {
        const body = { ownerUserId: name === null ? null : user(name).userId };
        const changed = await world.rest('PUT', `/ap2/agents/${agent.did}`, body);
        assert.equal(changed.status, 200, changed.text);
      };
      const phone = makePerson(world);
      await phone.enroll(agent);
      await own('ada');
      const { approval } = await askForApproval(world, 150, agent);
      assert.equal((await touch(approval.id, 'ada')).status, 200);
      const { headers } = user('ada');
      const added = await world.rest('POST', '/ap2/auth/passkeys/begin', { name: 'second' }, headers);
      const second = makePerson(world).phone;
      const credential = second.create(added.body.publicKey);
      const kept = await world.rest('POST', '/ap2/auth/passkeys/complete', { credential }, headers);
      assert.ok(kept.status < 300, kept.text);
      assertRefused(await send(approval.id, await touched(approval.id, second)), /count once/);

      await policy({ people: 2, above: 100, not_owner_of_agent: true });
      assertRefused(await touch(approval.id, 'ada'), /owner of the agent does not count/);
      assertRefused(
        await send(approval.id, await touched(approval.id, phone.phone)),
        /owner of the agent does not count/,
      );
      assert.equal((await read(approval.id)).people.approved.length, 0, 'the owner’s former touch counts no more');
      await policy({ people: 2, above: 100 });
      assert.equal((await send(approval.id, await touched(approval.id, phone.phone))).body.status, 'approved');
      const { people } = await read(approval.id);
      assert.deepEqual(
        people.approved.map(({ name }: Loose) => name),
        ['ada', 'the passkey holder of another agent'],
      );
    });

    test('a principal’s own passkeys count beside users, once', async () => {
      await policy({ people: 2, above: 100 });
      const company = makePeer();
      const made = await world.rest('POST', '/ap2/admin/principals', { did: company.did, name: 'Company' });
      assert.equal(made.status, 201, made.text);
      await world.rest('PUT', `/ap2/admin/principals/${company.did}`, { agents: [world.agent.did] });
      const [one, other] = [makePerson(world), makePerson(world)];
      await one.enroll({ principalDid: company.did });
      await other.enroll({ principalDid: company.did });
      const asked = await askOf(company);
      assert.equal((await send(asked.id, await touched(asked.id, one.phone))).status, 200);
      assertRefused(await send(asked.id, await touched(asked.id, other.phone)), /holder of Company has .* counts once/);
      const foreign = await send(asked.id, await touched(asked.id, agentsPhone.phone));
      assert.equal(foreign.status, 400, 'the agent’s passkey decides about no money of a registered principal');
      assert.equal((await touch(asked.id, 'cleo')).body.status, 'approved');
      const { people } = await read(asked.id);
      assert.deepEqual(
        people.approved.map(({ name }: Loose) => name),
        ['the passkey holder of Company', 'cleo'],
      );
    });

    const askOf = async (principal: Peer): Promise<Loose> => {
      const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(160, { principal }))).body;
      const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(150) });
      assert.deepEqual(cart.body.reasonCodes, ['HP_REQUIRED'], cart.text);
      return cart.body.approval;
    };

    test('one denial by a person who counts ends it, and not by another person', async () => {
      await policy({ people: 2, above: 100 });
      const { approval } = await askForApproval(world);
      assert.equal((await touch(approval.id, 'ada')).status, 200);
      assert.equal((await touch(approval.id, 'vic', 'deny')).status, 400);
      const late = await touched(approval.id, user('cleo').phone);
      assert.equal((await touch(approval.id, 'ben', 'deny')).body.status, 'denied');
      assertRefused(await send(approval.id, late), /denied already/);
      assert.equal((await read(approval.id)).people.approved.length, 1);
    });

    test('touches in the same moment: one person counts once, and the last touch is there once', async () => {
      await policy({ people: 2, above: 100 });
      const { approval } = await askForApproval(world);
      const twice = [await touched(approval.id, user('ada').phone), await touched(approval.id, user('ada').phone)];
      const answers = await Promise.all(twice.map((each) => send(approval.id, each)));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join());
      assert.equal((await read(approval.id)).status, 'pending');

      const last = [await touched(approval.id, user('ben').phone), await touched(approval.id, user('cleo').phone)];
      const ends = await Promise.all(last.map((each) => send(approval.id, each)));
      assert.deepEqual(ends.map(({ status }) => status).sort(), [200, 409]);
      const { hpProof, transactionId } = await read(approval.id);
      assert.equal(hpProof.approvals.length, 2);
      const { events } = (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`)).body;
      const count = (type: string) => events.filter(({ eventType }: Loose) => eventType === type).length;
      assert.deepEqual([count('HP_VERIFIED'), count('APPROVAL_GRANTED')], [2, 1]);
    });

    test('a role lost between two touches, before the cart and before the payment counts no more', async () => {
      await policy({ people: 2, above: 100 });
      const between = (await askForApproval(world)).approval;
      assert.equal((await touch(between.id, 'cleo')).status, 200);
      await setRole('cleo', 'VIEWER');
      assert.equal((await touch(between.id, 'ben')).body.status, 'pending', 'cleo’s touch counts no more');
      await setRole('cleo', 'ADMIN');
      assert.equal((await read(between.id)).people.approved.length, 2);

      const asked = await askForApproval(world);
      await touch(asked.approval.id, 'cleo');
      assert.equal((await touch(asked.approval.id, 'ben')).body.status, 'approved');
      const { hpProof } = await read(asked.approval.id);
      await setRole('cleo', 'MEMBER');
      const refused = await validate(asked, hpProof);
      assert.deepEqual(refused.reasonCodes, ['HP_INVALID'], JSON.stringify(refused));
      assert.match(refused.details.HP_INVALID.message, /2 people .* the presence proof shows 1/);
      await setRole('cleo', 'ADMIN');
      const cart = await validate(asked, hpProof);
      assert.equal(cart.allowed, true, JSON.stringify(cart));
      await setRole('cleo', 'VIEWER');
      const unpaid = await pay(cart.approvalToken);
      assert.deepEqual(unpaid.reasonCodes, ['HP_REQUIRED'], JSON.stringify(unpaid));
      await setRole('cleo', 'ADMIN');
      assert.equal((await pay(cart.approvalToken)).railResponse.status, 'requires_capture');
    });

    test('a policy that asks more people by now is not met by a proof of fewer, nor by one touch that names no others', async () => {
      await policy({ people: 2, above: 100 });
      const asked = await askForApproval(world);
      await touch(asked.approval.id, 'ada');
      await touch(asked.approval.id, 'ben');
      const { hpProof } = await read(asked.approval.id);
      await policy({ people: 3, above: 100 });
      assert.match((await validate(asked, hpProof)).details.HP_INVALID.message, /3 people .* shows 2/);
      const plain = await agentsPhone.prove(world.agent);
      const credential = agentsPhone.phone.get(plain.publicKey);
      const { challengeId } = plain;
      const proved = await world.rest('POST', '/ap2/hp/webauthn/auth/complete', { challengeId, credential });
      assert.equal(proved.status, 200, proved.text);
      const forged = { ...proved.body.hpProof, approvals: hpProof.approvals };
      assert.match((await validate(asked, forged)).details.HP_INVALID.message, /signature/);
      assert.match((await validate(asked, proved.body.hpProof)).details.HP_INVALID.message, /shows 1/);
      const demo = await world.rest('POST', '/ap2/demo/hp-proof', { agentDid: world.agent.did, freshnessSeconds: 300 });
      assert.match((await validate(asked, demo.body.hpProof)).details.HP_INVALID.message, /shows 1/);
      await policy({ people: 1, above: 100 });
      assert.equal((await validate(asked, proved.body.hpProof)).allowed, true);
    });

    test('a person who looks is told whether their touch counts', async () => {
      await policy({ people: 2, above: 100 });
      const { approval } = await askForApproval(world);
      await touch(approval.id, 'ada');
      const seenBy = async (name: string) => {
        const { canApprove, missing } = await read(approval.id, user(name).headers);
        return [canApprove, missing];
      };
      // The passkey of an agent that has no owner may be in anyone's hands.
      assert.deepEqual(await seenBy('ben'), [true, undefined]);
      await send(approval.id, await touched(approval.id, agentsPhone.phone));
      const agent = await world.newAgent();
      const next = (await askForApproval(world, 150, agent)).approval;
      await touch(next.id, 'ada');
      const told = async (name: string) => (await read(next.id, user(name).headers)).missing;
      assert.deepEqual([await told('ada'), await told('ben'), await told('mia')], ['others', undefined, 'role']);
      const listed = await world.rest('GET', '/ap2/approvals?status=pending', undefined, user('ada').headers);
      assert.equal(listed.body.data.find(({ id }: Loose) => id === next.id).missing, 'others');
    });

    test('an approval lives as long as the policy says, and is told of once more at half its time', async () => {
      await policy({ people: 2, above: 100 }, { approval_ttl: '2m' });
      const { approval } = await askForApproval(world);
      const answered = (await askForApproval(world)).approval;
      await touch(answered.id, 'ada');
      const left = Date.parse(approval.expiresAt) - Date.now() - world.clock.aheadMs;
      assert.ok(left > 60_000 && left <= 120_000, String(left));
      const requestsOf = async (id: string) => {
        const { data } = (await world.rest('GET', '/ap2/evidence/search?eventType=APPROVAL_REQUESTED&limit=20')).body;
        return data.filter((event: Loose) => event.data.approvalId === id);
      };
      assert.equal((await requestsOf(approval.id)).length, 1);
      const back = leap(world, 65);
      try {
        await until('the reminder', async () => (await requestsOf(approval.id)).length > 1);
        const [reminder] = await requestsOf(approval.id);
        assert.equal(reminder.data.reminder, true);
        const [told] = webhooksOf(suite, reminder, world.node.baseUrl);
        assert.deepEqual([told?.type, told?.data['reminder']], ['approval.requested', true]);
        assert.ok(WEBHOOK_DATA['approval.requested'].safeParse(told?.data).success);
        assert.equal((await requestsOf(answered.id)).length, 1, 'one that was answered is told of no more');
        assert.equal((await touch(approval.id, 'ada')).body.status, 'pending');
      } finally {
        back();
      }
    });
  });
}
