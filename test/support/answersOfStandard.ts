/** Answers of standard A2A 1.0, of every method and every way that an exchange goes, each with the message of the protocol that it is. */
import { makePerson } from './person.ts';
import { resultOf, sendTo, signedMessage, streamFrom, taskMessage } from './standardPeer.ts';
import type { Loose, World } from './world.ts';

export interface StandardAnswer {
  /** The name of the message in A2A's protocol buffers. */
  readonly kind: string;
  readonly value: Loose;
}

export async function answersOfStandard(world: World): Promise<readonly StandardAnswer[]> {
  const answers: StandardAnswer[] = [];
  const ask = async (kind: string, method: string, params: object, headers?: Record<string, string>) => {
    const value = await resultOf(world, method, params, headers);
    answers.push({ kind, value });
    return value;
  };
  const send = async (data: object, more: object = {}) =>
    (await ask('SendMessageResponse', 'SendMessage', { message: taskMessage(data, more) })).task;
  await makePerson(world).enroll();

  await send({ 'countersign.intent': world.intentBody(20) });
  await send({ 'countersign.intent': world.intentBody(50_000) });
  await ask('SendMessageResponse', 'SendMessage', { message: { ...taskMessage({}), parts: [{ text: 'socks' }] } });
  const { request } = world.intentBody(9);
  const signed = signedMessage(world, world.agent, taskMessage({ 'countersign.intent': { request } }));
  await ask('SendMessageResponse', 'SendMessage', { message: signed }, {});
  const { id } = await send({ 'countersign.purchase': { intent: world.intentBody(180) } });
  await send({ 'countersign.purchase': { cartVc: world.cart(150) } }, { taskId: id });
  await ask('Task', 'GetTask', { id });
  const config = { url: 'http://127.0.0.1:9/push', token: 't', authentication: { scheme: 'Bearer', credentials: 'c' } };
  await ask('TaskPushNotificationConfig', 'CreateTaskPushNotificationConfig', { taskId: id, id: 'mine', ...config });
  await ask('TaskPushNotificationConfig', 'GetTaskPushNotificationConfig', { taskId: id, id: 'mine' });
  await ask('ListTaskPushNotificationConfigsResponse', 'ListTaskPushNotificationConfigs', { taskId: id });
  await ask('Task', 'CancelTask', { id });
  await ask('ListTasksResponse', 'ListTasks', { includeArtifacts: true, pageSize: 50 });

  const agent = await world.newAgent();
  const bought = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(30, { agent }) } });
  const message = taskMessage({ 'countersign.purchase': { cartVc: world.cart(22) } }, { taskId: bought.id });
  const streamed = await streamFrom(world.node.address, 'SendStreamingMessage', { message });
  await streamed.ended;
  for (const value of streamed.events) answers.push({ kind: 'StreamResponse', value });
  return answers;
}
