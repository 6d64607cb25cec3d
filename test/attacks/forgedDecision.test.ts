/** A decision that no entitled person made: forged with keys of others, replayed, taken from another purchase, or made by the agent. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { signEnrolment } from '../../protocol/approvals/passkeyEnrolment.ts';
import { toBase64url } from '../../protocol/credential/encodings.ts';
import { thumbprint } from '../../protocol/jwk/jwk.ts';
import { presenceChallenge } from '../../protocol/presence.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { askForApproval, makePerson, NO_CREDENTIAL, type Person } from '../support/person.ts';
import { resultOf, saidBy, sendTo, taskMessage } from '../support/standardPeer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const suite = nativeSuite();

for (const engine of everyEngine()) {
  describe(`a decision that no entitled person made, on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    /** A person of the same node, who approves for another agent. */
    let mallory: Person;
    let hers: Peer;
    before(async () => {
      world = await makeWorld(engine);
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'asks', rules })).status, 201);
      person = makePerson(world);
      await person.enroll();
      hers = await world.newAgent();
      mallory = makePerson(world);
      await mallory.enroll(hers);
    });
    after(() => world.close());

    const decisionOf = async (by: Person, agent?: Peer): Promise<Loose> => {
      const { approval } = await askForApproval(world, 150, agent);
      assert.equal((await by.decide(approval.id)).status, 200);
      return (await world.rest('GET', `/ap2/approvals/${approval.id}?include=decision`)).body;
    };
    const judged = async (decision: Loose, expect: Loose) => {
      const { status, body, text } = await world.rest('POST', '/ap2/approvals/verify', { decision, expect });
      assert.equal(status, 200, text);
      return [
        body.valid,
        body.checks
          .filter(({ ok }: Loose) => !ok)
          .map(({ name }: Loose) => name)
          .join(),
      ];
    };
    /** What a phone makes of a binding that its holder chose, with the page and the RP id of the node. */
    const forged = (by: Person, own: Loose, binding: Loose): Loose => {
      const random = new Uint8Array(randomBytes(32));
      const challenge = toBase64url(presenceChallenge(suite, random, binding));
      const { id, response } = by.phone.get({ challenge, allowCredentials: [] });
      const { authenticatorData, clientDataJSON, signature } = response;
      const assertion = { credentialId: id, authenticatorData, clientDataJSON, signature };
      return { ...own, binding, random: toBase64url(random), assertion };
    };

    test('is not shown by the genuine passkey and enrolment of a person who approves for another agent', async () => {
      const [victim, own] = [await decisionOf(person), await decisionOf(mallory, hers)];
      const expect = { documentHash: victim.cartHash };
      assert.deepEqual(await judged(own.decision, { documentHash: own.cartHash }), [true, '']);
      const decision = forged(mallory, own.decision, victim.decision.binding);
      assert.deepEqual(await judged(decision, expect), [false, 'person']);
      const { enrolment } = victim.decision;
      assert.deepEqual(await judged({ ...decision, enrolment }, expect), [false, 'person']);
    });

    test('is not shown by an enrolment that another issuer signed, or that was altered', async () => {
      const [victim, own] = [await decisionOf(person), await decisionOf(mallory, hers)];
      const decision = forged(mallory, own.decision, victim.decision.binding);
      const subject = {
        ...victim.decision.enrolment.credentialSubject,
        jwkThumbprint: thumbprint(suite, own.decision.key),
      };
      const signer = suite.signer(new Uint8Array(randomBytes(32)));
      const expect = { documentHash: victim.cartHash };
      const strange = signEnrolment(suite, signer, subject, world.node.baseUrl);
      assert.deepEqual(await judged({ ...decision, enrolment: strange }, expect), [false, 'person']);
      const altered = { ...own.decision.enrolment, credentialSubject: subject };
      assert.deepEqual(await judged({ ...decision, enrolment: altered }, expect), [false, 'person']);
    });

    test('is not shown by a decision of another purchase, though its members are overwritten', async () => {
      const [one, other] = [await decisionOf(person), await decisionOf(person)];
      const expect = { documentHash: other.cartHash, id: other.id };
      assert.deepEqual(await judged({ ...one.decision, id: other.id }, expect), [false, 'action']);
      const { binding } = other.decision;
      assert.deepEqual(await judged({ ...one.decision, id: other.id, binding }, expect), [false, 'challenge']);
    });

    test('serves once for a reader who remembers it, also under another id', async () => {
      const { decision, cartHash: documentHash } = await decisionOf(person);
      const again = { ...decision, id: 'apr_01m87fhgse96s8davb07ffwzja' };
      const used = [decision.id, decision.random];
      const { body } = await world.rest('POST', '/ap2/approvals/verify', {
        decision: again,
        expect: { documentHash },
        used,
      });
      assert.equal(body.valid, false);
    });

    test('is not made by the agent, which opens the page, says words, or brings a decision as if it were a proof', async () => {
      const begun = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(170) } });
      const asked = { taskId: begun.id };
      const task = await sendTo(world, { 'countersign.purchase': { cartVc: world.cart(150) } }, asked);
      const { id } = saidBy(task)['countersign.approval'];
      for (const path of [`/approve/${id}`, `/approve/${id}/purchase`]) {
        assert.equal((await world.rest('GET', path, undefined, NO_CREDENTIAL)).status, 200);
      }
      const own = makePerson(world);
      own.phone.create({ challenge: toBase64url(randomBytes(32)) });
      const { challengeId, publicKey } = await own.begin(id);
      const credential = own.phone.get({ ...publicKey, allowCredentials: [] });
      const touched = await world.rest('POST', `/approve/${id}/complete`, { challengeId, credential }, NO_CREDENTIAL);
      assert.equal(touched.status, 400, touched.text);
      const denied = await world.rest('POST', `/approve/${id}/deny`, { decision: 'deny' }, NO_CREDENTIAL);
      assert.equal(denied.status, 403, denied.text);

      const { decision } = await decisionOf(person);
      for (const part of [
        { text: 'The person approved it.' },
        { data: { 'approval.decision': { ...decision, id } } },
      ]) {
        const message = { ...taskMessage({}, asked), parts: [part] };
        const { task: after } = await resultOf(world, 'SendMessage', { message });
        assert.equal(after.status.state, 'TASK_STATE_AUTH_REQUIRED');
      }
      const { body } = await world.rest('GET', `/ap2/approvals/${id}?include=decision`);
      assert.deepEqual([body.status, body.decision], ['pending', undefined]);
      const brought = await sendTo(world, { 'countersign.cart': { hpProof: decision } }, asked);
      assert.equal(brought.status.state, 'TASK_STATE_REJECTED');
      assert.deepEqual(saidBy(brought)['countersign.refusal'].reasonCodes, ['HP_INVALID']);
    });
  });
}
