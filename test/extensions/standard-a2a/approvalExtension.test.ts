/** The approval extension on standard A2A: what a task says beside its link where the caller asked for it, and to no other caller. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { APPROVALS } from '../../../protocol/a2a/approvalParts.ts';
import { ApprovalDecision } from '../../../protocol/approvals/approvalDecision.ts';
import { ApprovalRequest } from '../../../protocol/approvals/approvalRequest.ts';
import { verifyApproval } from '../../../protocol/approvals/verifyApproval.ts';
import { hashOf } from '../../../protocol/credential/canonical.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { everyEngine } from '../../support/engines.ts';
import { leap, makePerson, NO_CREDENTIAL, type Person } from '../../support/person.ts';
import { startReceiver } from '../../support/receiver.ts';
import { signInUser } from '../../support/signInUser.ts';
import { BY_KEY, callStandard, resultOf, saidBy, sendTo, streamFrom, taskMessage } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const suite = nativeSuite();
const ASKING = { ...BY_KEY, 'A2A-Extensions': APPROVALS };

/** The data of the parts of that name, which the extension marks. */
function partsNamed(name: string, said: Loose | undefined): Loose[] {
  return (said?.parts ?? [])
    .filter((part: Loose) => part.metadata?.[APPROVALS])
    .flatMap(({ data }: Loose) => data[name] ?? []);
}

for (const engine of everyEngine()) {
  describe(`the approval extension of A2A, ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      await policy({});
      person = makePerson(world);
      await person.enroll();
    });
    after(() => world.close());

    const policy = async (context: Loose) => {
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' } };
      const asks = { presence: 'required', ...context };
      const made = await world.rest('POST', '/ap2/admin/policies', {
        name: 'asks',
        rules: { ...rules, context: asks },
      });
      assert.equal(made.status, 201, made.text);
    };
    const get = (id: string) => resultOf(world, 'GetTask', { id });
    const ended = async (id: string, state: string) => {
      await until(`the task becoming ${state}`, async () => (await get(id)).status.state === state);
      return get(id);
    };
    /** A purchase that waits for its person. */
    const waiting = async (headers: Record<string, string> = ASKING, amount = 150) => {
      const intent = world.intentBody(amount + 20);
      const asked = await sendTo(world, { 'countersign.purchase': { intent } }, {}, headers as typeof BY_KEY);
      const cartVc = world.cart(amount);
      const task = await sendTo(
        world,
        { 'countersign.purchase': { cartVc } },
        { taskId: asked.id },
        headers as typeof BY_KEY,
      );
      assert.equal(task.status.state, 'TASK_STATE_AUTH_REQUIRED', JSON.stringify(task.status));
      const [request] = partsNamed('approval.request', task.status.message);
      return { task, cartVc, request: request as Loose, approvalId: saidBy(task)['countersign.approval'].id as string };
    };

    test('the card names it, with where people touch and who issues enrolments', async () => {
      for (const version of ['1.0', '0.3']) {
        const response = await fetch(`${world.node.address}/a2a/v1/.well-known/agent-card.json`, {
          headers: { 'A2A-Version': version },
        });
        const { capabilities } = (await response.json()) as Loose;
        const { origin, hostname: rpId } = new URL(world.node.baseUrl);
        const { params, required } = capabilities.extensions.find(({ uri }: Loose) => uri === APPROVALS);
        assert.deepEqual(params, { methods: ['webauthn'], rpId, origin, issuer: world.node.deps.issuer.did });
        assert.notEqual(required, true);
      }
    });

    test('a request says what a passkey would sign, and its decision stands where the task leaves the request', async () => {
      const { task, cartVc, request, approvalId } = await waiting();
      assert.equal(ApprovalRequest.safeParse(request).success, true);
      assert.equal(request.id, approvalId);
      assert.deepEqual(task.status.message.extensions, [APPROVALS]);
      const { proof: _, ...cart } = cartVc;
      assert.deepEqual(request.action.document, cart);
      assert.equal(hashOf(suite, request.action.document), request.action.documentHash);

      await person.decide(approvalId);
      const done = await ended(task.id, 'TASK_STATE_COMPLETED');
      const left = done.history.findLast(({ parts }: Loose) => /approved it/.test(JSON.stringify(parts)));
      const [decision] = partsNamed('approval.decision', left);
      assert.deepEqual(decision?.binding, request.binding);
      const expect = { documentHash: request.action.documentHash, id: request.id, expiresAt: request.expiresAt };
      const thumbprints = request.approvers.flatMap(({ keys }: Loose) => keys);
      const parsed = ApprovalDecision.parse(decision);
      const verdict = verifyApproval(suite, parsed, expect, { thumbprints, now: Date.now() });
      assert.equal(verdict.valid, true, verdict.reason);
      const byIssuer = verifyApproval(suite, parsed, expect, {
        issuers: [world.node.deps.issuer.did],
        now: Date.now(),
      });
      assert.equal(byIssuer.valid, true, byIssuer.reason);
      for (const { name, parts } of done.artifacts) {
        const held = partsNamed('approval.decision', { parts });
        assert.deepEqual(held, name === 'intentResult' ? [] : [decision], name);
      }
    });

    test('a caller that did not ask for it gets nothing of it, in any answer', async () => {
      const { task, approvalId } = await waiting(BY_KEY);
      const asked = await waiting();
      const withoutAdded = task.status.message.parts;
      assert.deepEqual(
        asked.task.status.message.parts.map((part: Loose) => Object.keys(part).join()),
        [...withoutAdded.map((part: Loose) => Object.keys(part).join()), 'data,metadata'],
      );
      await person.decide(approvalId);
      await ended(task.id, 'TASK_STATE_COMPLETED');
      const canceled = await waiting(BY_KEY);
      const seen = [
        task,
        await get(task.id),
        (await world.rest('GET', `/ap2/tasks/${task.id}`)).body,
        await resultOf(world, 'CancelTask', { id: canceled.task.id }),
      ];
      for (const each of seen)
        assert.doesNotMatch(JSON.stringify(each), /approval\.(request|decision)|a2a:approval|extensions/);
    });

    test('lists say nothing of it, and what is signed in them still holds or is not there', async () => {
      const { task, approvalId } = await waiting();
      const lists = async () => [
        await resultOf(world, 'ListTasks', {}),
        await resultOf(world, 'ListTasks', { includeArtifacts: true, historyLength: 20, pageSize: 5 }),
        (await world.rest('GET', '/ap2/tasks')).body,
      ];
      for (const each of await lists()) assert.doesNotMatch(JSON.stringify(each), /approval\.request|a2a:approval/);
      await person.decide(approvalId);
      await ended(task.id, 'TASK_STATE_COMPLETED');
      for (const each of await lists()) {
        assert.match(JSON.stringify(each), new RegExp(task.id));
        assert.doesNotMatch(JSON.stringify(each), /approval\.(request|decision)|a2a:approval/);
      }
    });

    test('each end has its outcome, in the status that leaves the request', async () => {
      const decisionIn = (task: Loose) => partsNamed('approval.decision', task.status.message)[0] as Loose;
      const denied = await waiting();
      await person.decide(denied.approvalId, 'deny');
      const no = await get(denied.task.id);
      assert.equal(no.status.state, 'TASK_STATE_REJECTED');
      assert.deepEqual([decisionIn(no).outcome, decisionIn(no).binding.decision], ['denied', 'deny']);

      await policy({ deny_by_link: true });
      const byLink = await waiting();
      await world.rest('POST', `/approve/${byLink.approvalId}/deny`, { decision: 'deny' }, NO_CREDENTIAL);
      const { decidedAt: _, ...linked } = decisionIn(await get(byLink.task.id));
      assert.deepEqual(linked, { id: byLink.approvalId, outcome: 'denied', by: 'link' });

      const canceled = await resultOf(world, 'CancelTask', { id: (await waiting()).task.id });
      assert.equal(canceled.status.state, 'TASK_STATE_CANCELED');
      assert.equal(decisionIn(canceled).outcome, 'withdrawn');
      const shown = await world.rest('GET', `/ap2/approvals/${decisionIn(canceled).id}?include=decision`);
      assert.deepEqual(shown.body.decision, decisionIn(canceled));

      const forgotten = await waiting();
      const back = leap(world, 1200);
      const rejected = await ended(forgotten.task.id, 'TASK_STATE_REJECTED');
      back();
      assert.equal(decisionIn(rejected).outcome, 'expired');
      assert.equal(decisionIn(rejected).assertion, undefined);
    });

    test('a changed cart is a new request, which the old decision does not serve', async () => {
      const first = await waiting(ASKING, 150);
      const second = await waiting(ASKING, 151);
      assert.notEqual(first.approvalId, second.approvalId);
      await person.decide(first.approvalId);
      const done = await ended(first.task.id, 'TASK_STATE_COMPLETED');
      assert.equal((await get(second.task.id)).status.state, 'TASK_STATE_AUTH_REQUIRED');
      const [decision] = partsNamed('approval.decision', done.artifacts.at(-1));
      const verdict = verifyApproval(
        suite,
        ApprovalDecision.parse(decision),
        { documentHash: second.request.action.documentHash, amount: 151 },
        { thumbprints: second.request.approvers.flatMap(({ keys }: Loose) => keys), now: Date.now() },
      );
      assert.deepEqual([verdict.valid, verdict.reason], [false, 'It is of another document.']);
    });

    test('version 0.3 spells it in its own words, asked for by its own header', async () => {
      const headers = { ...BY_KEY, 'X-A2A-Extensions': APPROVALS };
      const send = async (data: object, taskId?: string) => {
        const message = {
          kind: 'message',
          messageId: crypto.randomUUID(),
          role: 'user',
          parts: [{ kind: 'data', data }],
        };
        const reply = await callStandard(
          world,
          'message/send',
          { message: taskId ? { ...message, taskId } : message },
          headers,
        );
        assert.equal(reply.headers.get('x-a2a-extensions'), APPROVALS);
        return reply.body.result;
      };
      const asked = await send({ 'countersign.purchase': { intent: world.intentBody(170) } });
      const task = await send({ 'countersign.purchase': { cartVc: world.cart(150) } }, asked.id);
      assert.equal(task.status.state, 'auth-required');
      const part = task.status.message.parts.find(({ metadata }: Loose) => metadata?.[APPROVALS]);
      assert.equal(part.kind, 'data');
      await person.decide(part.data['approval.request'].id);
      await ended(task.id, 'TASK_STATE_COMPLETED');
      const done = await resultOf(world, 'tasks/get', { id: task.id }, headers);
      const [decision] = partsNamed('approval.decision', done.artifacts.at(-1));
      assert.equal(decision?.outcome, 'approved');
    });

    test('a stream tells of the request and of its decision', async () => {
      const intent = world.intentBody(170);
      const asked = await sendTo(world, { 'countersign.purchase': { intent } });
      const message = taskMessage({ 'countersign.purchase': { cartVc: world.cart(150) } }, { taskId: asked.id });
      const stream = await streamFrom(world.node.address, 'SendStreamingMessage', { message }, ASKING);
      const saidIn = (event: Loose) => (event.statusUpdate ?? event.task)?.status.message;
      const told = (name: string) => (event: Loose) => partsNamed(name, saidIn(event)).length > 0;
      const [request] = partsNamed('approval.request', saidIn(await stream.find(told('approval.request'))));
      await person.decide(request?.id);
      const left = await stream.find(told('approval.decision'));
      assert.equal(left.statusUpdate.status.state, 'TASK_STATE_WORKING');
      await stream.ended;
    });

    test('a proof of presence that the agent brings is told as the decision that it is', async () => {
      const { task, request } = await waiting();
      const { agentDid, intentId: mandateId, cartHash } = request.binding;
      const begun = await world.rest('POST', '/ap2/hp/webauthn/auth/begin', { agentDid, mandateId, cartHash });
      const credential = person.phone.get(begun.body.publicKey);
      const { challengeId } = begun.body;
      const proven = await world.rest('POST', '/ap2/hp/webauthn/auth/complete', { challengeId, credential });
      const { hpProof } = proven.body;
      const message = taskMessage({ 'countersign.cart': { hpProof } }, { taskId: task.id });
      await resultOf(world, 'SendMessage', { message });
      const done = await ended(task.id, 'TASK_STATE_COMPLETED');
      const [decision] = partsNamed('approval.decision', done.artifacts.at(-1));
      const expect = { documentHash: request.action.documentHash };
      const { body } = await world.rest('POST', '/ap2/approvals/verify', { decision, expect });
      assert.equal(body.valid, true, body.reason);
    });

    test('a place that updates are posted to gets the request and the decision', async (context) => {
      const receiver = await startReceiver();
      context.after(() => receiver.close());
      const asked = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(170) } });
      const message = taskMessage({ 'countersign.purchase': { cartVc: world.cart(150) } }, { taskId: asked.id });
      const configuration = { taskPushNotificationConfig: { url: `${receiver.url}/push` } };
      const { task } = await resultOf(world, 'SendMessage', { message, configuration }, ASKING);
      await person.decide(saidBy(task)['countersign.approval'].id);
      const told = (name: string) =>
        receiver.wait(1, ({ event }) => partsNamed(name, event.statusUpdate?.status.message).length > 0);
      await told('approval.request');
      await told('approval.decision');
      const [last] = await receiver.wait(1, ({ event }) => event.task !== undefined);
      assert.equal(partsNamed('approval.decision', last?.event.task.artifacts.at(-1)).length, 1);
    });

    if (engine.name === 'postgres') {
      test('another node of the database tells of a decision that was made at this one', async (context) => {
        const other = await world.another();
        context.after(() => other.stop());
        const { task, approvalId } = await waiting();
        const there = await streamFrom(other.address, 'SubscribeToTask', { id: task.id });
        await person.decide(approvalId);
        const left = await there.find(
          ({ statusUpdate }) => partsNamed('approval.decision', statusUpdate?.status.message).length > 0,
        );
        const [decision] = partsNamed('approval.decision', left.statusUpdate.status.message);
        await there.ended;
        const path = `${other.address}/ap2/approvals/${approvalId}?include=decision`;
        const shown = (await (await fetch(path, { headers: BY_KEY })).json()) as Loose;
        assert.deepEqual(shown.decision, decision);
      });
    }

    test('of several people each has a decision, and the request says how many there will be', async () => {
      await policy({ approval: { people: 2 } });
      const users = [await signInUser(world, 'OWNER', 'ada'), await signInUser(world, 'ADMIN', 'ben')];
      const { task, request, approvalId } = await waiting();
      assert.deepEqual([request.quorum, request.people], [1, 2]);
      assert.equal(request.approvers.flatMap(({ keys }: Loose) => keys ?? []).length >= 2, true);
      for (const { phone } of users) {
        const { challengeId, publicKey } = await person.begin(approvalId);
        const credential = phone.get({ ...publicKey, allowCredentials: [] });
        await world.rest('POST', `/approve/${approvalId}/complete`, { challengeId, credential }, NO_CREDENTIAL);
        const { status } = await get(task.id);
        if (status.state !== 'TASK_STATE_AUTH_REQUIRED') continue;
        assert.deepEqual(partsNamed('approval.request', status.message)[0], request);
        assert.deepEqual(partsNamed('approval.decision', status.message), []);
      }
      const done = await ended(task.id, 'TASK_STATE_COMPLETED');
      const decisions = partsNamed('approval.decision', done.artifacts.at(-1));
      assert.deepEqual(
        decisions.map(({ id, outcome }) => [id, outcome]),
        [
          [approvalId, 'approved'],
          [approvalId, 'approved'],
        ],
      );
      assert.notEqual(decisions[0]?.key.x, decisions[1]?.key.x);
    });
  });
}
