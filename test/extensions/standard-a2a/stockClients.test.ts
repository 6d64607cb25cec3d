/** Stock clients of A2A, of 1.0 and of 0.3, find the node by its card and buy, with a person's touch in between. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import * as current from '@a2a-js/sdk/client';
import * as former from 'a2a-js-sdk-v03/client';
import { currentMessage } from '../../../protocol/a2a/formerDialect.ts';
import { checkMessageProof } from '../../../protocol/a2a/proofExtension.ts';
import { everyEngine } from '../../support/engines.ts';
import { makePerson, type Person } from '../../support/person.ts';
import { artifactOf, BY_KEY, resultOf, saidBy, signedMessage, taskMessage } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

/** Over what the sandbox's policy asks a person about, and below its cap for them. */
const WITH_PERSON = 150;

/** What a stock client is asked for, whichever it is; a task's state is told as 0.3 spells it. */
interface Buyer {
  send(data: object, taskId?: string): Promise<Loose>;
  get(id: string): Promise<Loose>;
  /** What a stream tells: tasks, and updates of them. */
  stream(data: object, taskId?: string): AsyncIterable<Told>;
}

interface Told {
  readonly task?: Loose;
  readonly status?: Loose;
  readonly artifact?: Loose;
}

async function today(world: World): Promise<Buyer> {
  const factory = new current.ClientFactory({
    transports: [new current.JsonRpcTransportFactory({ fetchImpl: withKey })],
    cardResolver: new current.DefaultAgentCardResolver(),
  });
  const client = await factory.createFromUrl(world.node.baseUrl);
  assert.equal(client.protocolVersion, '1.0');
  const asked = (data: object, taskId = '') => SendMessageRequest.fromJSON({ message: taskMessage(data, { taskId }) });
  const shown = (task: object): Loose => spelt(Task.toJSON(task as Task));
  return {
    send: async (data, taskId) => shown(await client.sendMessage(asked(data, taskId))),
    get: async (id) => shown(await client.getTask({ id, tenant: '' })),
    async *stream(data, taskId) {
      for await (const event of client.sendMessageStream(asked(data, taskId))) {
        const { task, statusUpdate, artifactUpdate } = StreamResponse.toJSON(event) as Loose;
        if (task !== undefined) yield { task: spelt(task) };
        else yield { status: spelt(statusUpdate)?.status, artifact: artifactUpdate?.artifact };
      }
    },
  };
}

/** The state in the spelling of 0.3. */
function spelt(of: Loose): Loose {
  if (of === undefined) return undefined;
  const state = of.status.state.replace('TASK_STATE_', '').replaceAll('_', '-').toLowerCase();
  return { ...of, status: { ...of.status, state } };
}

async function formerly(world: World): Promise<Buyer> {
  const factory = new former.ClientFactory({
    transports: [new former.JsonRpcTransportFactory({ fetchImpl: withKey })],
  });
  // At the base address stands the contract's card, which does not say what this client asks of one that streams.
  const client = await factory.createFromUrl(world.node.baseUrl, '/a2a/v1/.well-known/agent-card.json');
  const asked = (data: object, taskId?: string): Loose => ({
    message: {
      kind: 'message',
      messageId: randomUUID(),
      role: 'user',
      parts: [{ kind: 'data', data }],
      ...(taskId === undefined ? {} : { taskId }),
    },
  });
  return {
    send: (data, taskId) => client.sendMessage(asked(data, taskId)),
    get: (id) => client.getTask({ id }),
    async *stream(data, taskId) {
      for await (const event of client.sendMessageStream(asked(data, taskId)) as AsyncIterable<Loose>) {
        if (event.kind === 'task') yield { task: event };
        else yield event.kind === 'status-update' ? { status: event.status } : { artifact: event.artifact };
      }
    },
  };
}

const withKey: typeof fetch = (url, init) =>
  fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), ...BY_KEY } });

for (const engine of everyEngine()) {
  describe(`standard A2A on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      person = makePerson(world);
      await person.enroll();
    });
    after(() => world.close());

    const touch = (task: Loose) => person.decide(saidBy(task)['countersign.approval'].id);

    for (const [name, open] of [
      ['1.0', today],
      ['0.3', formerly],
    ] as const) {
      test(`the stock client of ${name} buys in one task, and polls while a person is asked`, async () => {
        const buyer = await open(world);
        const begun = await buyer.send({ 'countersign.purchase': { intent: world.intentBody(WITH_PERSON + 30) } });
        assert.equal(begun.status.state, 'input-required', JSON.stringify(begun));
        const cart = { 'countersign.purchase': { cartVc: world.cart(WITH_PERSON) } };
        const waits = await buyer.send(cart, begun.id);
        assert.deepEqual([waits.id, waits.status.state], [begun.id, 'auth-required']);
        await touch(waits);
        await until('the purchase', async () => (await buyer.get(begun.id)).status.state === 'completed');
        const paid = await buyer.get(begun.id);
        const { pmVc, railResponse } = artifactOf(paid, 'paymentResult');
        assert.equal(railResponse.status, 'requires_capture');
        const payment = await world.rest('GET', `/ap2/payments/${pmVc.credentialSubject.mandateId}`);
        assert.deepEqual([payment.body.status, payment.body.amount], ['AUTHORIZED', WITH_PERSON]);
      });

      test(`the stock client of ${name} follows a stream through the touch to the payment`, async () => {
        const buyer = await open(world);
        const begun = await buyer.send({ 'countersign.purchase': { intent: world.intentBody(WITH_PERSON + 30) } });
        const cart = { 'countersign.purchase': { cartVc: world.cart(WITH_PERSON) } };
        const states: string[] = [];
        const artifacts: Loose[] = [];
        for await (const { task, status, artifact } of buyer.stream(cart, begun.id)) {
          if (task !== undefined) assert.deepEqual([task.id, states], [begun.id, []], 'the task comes first, once');
          if (artifact !== undefined) artifacts.push(artifact);
          const state = (task ?? { status })?.status?.state;
          if (state === undefined || state === states.at(-1)) continue;
          states.push(state);
          if (state === 'auth-required') await touch({ status });
        }
        assert.deepEqual(states, ['input-required', 'auth-required', 'working', 'completed']);
        assert.deepEqual(
          artifacts.map(({ name }) => name),
          ['cartResult', 'paymentResult'],
        );
        assert.equal(artifactOf({ artifacts }, 'paymentResult').railResponse.status, 'requires_capture');
      });
    }

    for (const [name, open] of [
      ['1.0', today],
      ['0.3', formerly],
    ] as const) {
      test(`the stock client of ${name} throws where the node stops while a person is asked`, async () => {
        const own = await makeWorld(engine);
        await makePerson(own).enroll();
        const buyer = await open(own);
        const begun = await buyer.send({ 'countersign.purchase': { intent: own.intentBody(WITH_PERSON + 30) } });
        const cart = { 'countersign.purchase': { cartVc: own.cart(WITH_PERSON) } };
        let stopped: Promise<void> | undefined;
        const follow = async () => {
          for await (const { status } of buyer.stream(cart, begun.id)) {
            if (status?.state === 'auth-required') stopped ??= own.close();
          }
        };
        await assert.rejects(follow(), /The node stops; the task goes on/);
        await stopped;
      });
    }

    test('a stream ends where a cart is asked for', async () => {
      const buyer = await today(world);
      const states: string[] = [];
      const begin = { 'countersign.purchase': { intent: world.intentBody(20) } };
      for await (const { task, status } of buyer.stream(begin)) states.push((task ?? { status }).status?.state);
      assert.equal(states.at(-1), 'input-required');
    });

    test('an agent that signs its messages buys without another credential, and takes the artifacts with it as proof', async () => {
      const say = async (data: object, more: object = {}) => {
        const message = signedMessage(world, world.agent, taskMessage(data, more));
        return (await resultOf(world, 'SendMessage', { message }, {})).task;
      };
      // Who signs need not name itself again.
      const { request } = world.intentBody(40);
      const begun = await say({ 'countersign.purchase': { intent: { request } } });
      assert.equal(begun.status.state, 'TASK_STATE_INPUT_REQUIRED', JSON.stringify(begun.status));
      const paid = await say({ 'countersign.purchase': { cartVc: world.cart(33) } }, { taskId: begun.id });
      assert.equal(paid.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(paid.status));
      const names = paid.artifacts.map((artifact: Loose) => artifact.name);
      assert.deepEqual(names, ['intentResult', 'cartResult', 'paymentResult']);
      const { suite, issuer } = world.node.deps;
      for (const artifact of paid.artifacts) {
        const check = checkMessageProof(suite, artifact, { to: world.agent.did });
        assert.ok(check?.ok, JSON.stringify(check));
        assert.equal(check.from, issuer.did);
        const altered = { ...artifact, name: 'another' };
        assert.equal(checkMessageProof(suite, altered, { to: world.agent.did })?.ok, false);
      }
    });

    test('a message of 0.3 is signed as 1.0 spells it', async () => {
      const data = { 'countersign.intent': { request: world.intentBody(9).request } };
      const plain = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'data', data }] };
      const { metadata } = signedMessage(world, world.agent, currentMessage(plain));
      const task = await resultOf(world, 'message/send', { message: { ...plain, metadata } }, {});
      assert.equal(task.status.state, 'completed', JSON.stringify(task));
      const other = { ...plain, messageId: randomUUID(), metadata };
      await assert.rejects(resultOf(world, 'message/send', { message: other }, {}), /-32090/);
    });
  });
}
