/** Answers of A2A 0.3, of every method and every way that an exchange goes, each with the definition that it is. */
import type { FORMER_SCHEMAS } from './formerSchemas.ts';
import { makePerson } from './person.ts';
import { resultOf, sendTo, streamFrom, taskMessage } from './standardPeer.ts';
import type { Loose, World } from './world.ts';

interface FormerAnswer {
  readonly kind: keyof typeof FORMER_SCHEMAS;
  readonly value: Loose;
}

const KINDS: Readonly<Record<string, FormerAnswer['kind']>> = {
  message: 'Message',
  task: 'Task',
  'status-update': 'TaskStatusUpdateEvent',
  'artifact-update': 'TaskArtifactUpdateEvent',
};

export async function answersOfFormer(world: World): Promise<readonly FormerAnswer[]> {
  const answers: FormerAnswer[] = [];
  let sent = 0;
  const take = (value: Loose) => answers.push({ kind: KINDS[value.kind] as FormerAnswer['kind'], value });
  const ask = async (method: string, params: object): Promise<Loose> => {
    const value = await resultOf(world, method, params);
    take(value);
    return value;
  };
  const messageOf = (parts: readonly object[], more: object = {}) => {
    sent += 1;
    return { kind: 'message', messageId: `former-${sent}`, role: 'user', parts, ...more };
  };
  const dataOf = (data: object) => [{ kind: 'data', data }];
  const send = (data: object, more: object = {}) => ask('message/send', { message: messageOf(dataOf(data), more) });
  const askPush = async (method: string, params: object) => {
    const value = await resultOf(world, `tasks/pushNotificationConfig/${method}`, params);
    for (const each of [value].flat()) answers.push({ kind: 'TaskPushNotificationConfig', value: each });
  };
  await makePerson(world).enroll();

  await send({ 'countersign.intent': world.intentBody(20) });
  await send({ 'countersign.intent': world.intentBody(50_000) });
  await ask('message/send', { message: messageOf([{ kind: 'text', text: 'socks' }]) });
  const { id } = await send({ 'countersign.purchase': { intent: world.intentBody(180) } });
  await send({ 'countersign.purchase': { cartVc: world.cart(150) } }, { taskId: id });
  await ask('tasks/get', { id, historyLength: 10 });
  const authentication = { schemes: ['Bearer'], credentials: 'c' };
  const config = { id: 'mine', url: 'http://127.0.0.1:9/push', token: 't', authentication };
  await askPush('set', { taskId: id, pushNotificationConfig: config });
  await askPush('get', { id, pushNotificationConfigId: 'mine' });
  await askPush('list', { id });
  await ask('tasks/cancel', { id });

  // What a caller of 1.0 has sent, and one of 0.3 reads.
  const parts = [{ data: { 'countersign.intent': world.intentBody(21) } }, { data: [1] }, { data: 'x' }];
  const { task } = await resultOf(world, 'SendMessage', { message: { ...taskMessage({}), parts } });
  await ask('tasks/get', { id: task.id, historyLength: 10 });

  const agent = await world.newAgent();
  const bought = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(30, { agent }) } });
  const followed = await streamFrom(world.node.address, 'tasks/resubscribe', { id: bought.id });
  await followed.find(({ kind }) => kind === 'task');
  const message = messageOf(dataOf({ 'countersign.purchase': { cartVc: world.cart(22) } }), { taskId: bought.id });
  const streamed = await streamFrom(world.node.address, 'message/stream', { message });
  await Promise.all([streamed.ended, followed.ended]);
  for (const event of [...streamed.events, ...followed.events]) take(event);
  return answers;
}
