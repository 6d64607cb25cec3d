/** What each method of standard A2A does, in terms of the core's calls, and how its answer is written in either dialect. */
import type { A2aVersion } from '../../../../protocol/a2a/a2aVersion.ts';
import { currentPush, formerAnswer, formerPush, formerTask } from '../../../../protocol/a2a/formerDialect.ts';
import type { Task } from '../../../../protocol/a2a/task.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { requireBody, tryParse } from '../../../core/serveRequest.ts';
import { parseInput } from '../../../usecase/useCase.ts';
import { taskMethods } from '../operations/taskOperations.ts';
import type { Follower } from '../tasks/progressOfTask.ts';
import type { TaskView } from '../tasks/viewTask.ts';
import { StandardFault } from './faults.ts';
import { parseSend, sendPipeline, trimmed } from './sendMessage.ts';
import type { StandardCall, StandardRequest } from './standardRequest.ts';
import type { Stream } from './streamTask.ts';
import { type SentView, taskCore } from './takeTask.ts';
import type { Action } from './versions.ts';

/** An answer at once, or a stream. */
type Answer = { readonly result: unknown } | { readonly stream: Stream };

type Act = (request: StandardRequest, call: StandardCall, dialect: A2aVersion) => Promise<Answer>;

/** How long an answer waits for a rail that does not answer; the task is given as it stands then. */
const LONGEST_WAIT_SECONDS = 30;

export const ACTIONS: Readonly<Record<Action, Act>> = {
  async send(request, call, dialect) {
    const given = await parsedFor(request, () => parseSend(call, dialect));
    const sent = await sendPipeline.run({ request, given, follows: false });
    if ('message' in sent) return { result: dialect === '0.3' ? formerAnswer(sent) : sent };
    const task = given.returnImmediately || sent.isSettled ? sent.task : await settled(request, sent);
    const answer = { task: trimmed(task, given.historyLength) };
    return { result: dialect === '0.3' ? formerAnswer(answer) : answer };
  },
  async stream(request, call, dialect) {
    const given = await parsedFor(request, () => parseSend(call, dialect));
    const sent = await sendPipeline.run({ request, given, follows: true });
    const common = { id: call.id, dialect, endsForInput: true };
    if ('message' in sent) {
      return { stream: { ...common, taskId: '', follower: NO_FOLLOWER, first: sent, seq: 0, isOver: true } };
    }
    const { follower, since, first = sent.task } = sent;
    const begins = { first: { task: first }, asItStands: { task: sent.task } };
    return { stream: { ...common, ...begins, taskId: first.id, follower, seq: since, isOver: false } };
  },
  async get(request, { params }, dialect) {
    const { id, historyLength } = params;
    const { task } = (await ask(request, 'getTask', { id, historyLength })) as TaskView;
    return { result: dialect === '0.3' ? formerTask(task) : task };
  },
  async list(request, { params }) {
    return { result: await ask(request, 'listTasks', params) };
  },
  async cancel(request, { params: { id } }, dialect) {
    const { task } = (await ask(request, 'cancelTask', { id })) as TaskView;
    return { result: dialect === '0.3' ? formerTask(task) : task };
  },
  async subscribe(request, { id, params }, dialect) {
    const follower = await knowFollower(request);
    const { task, seq, isOver } = (await ask(request, 'getTask', { id: params['id'] }, true)) as TaskView;
    if (isOver) throw new Fault('TASK_ENDED', `The task has ended (${task.status.state}); get it instead.`);
    const common = { id, dialect, endsForInput: false, isOver: false };
    return { stream: { ...common, taskId: task.id, follower, first: { task }, seq } };
  },
  async setPush(request, { params }, dialect) {
    const given = dialect === '0.3' ? await parsedFor(request, () => pushOfFormer(params)) : withoutEmpty(params);
    const config = (await ask(request, 'setTaskPush', { ...given, former: dialect === '0.3' })) as Config;
    return { result: dialect === '0.3' ? formerPush(config) : config };
  },
  async getPush(request, { params }, dialect) {
    const named =
      dialect === '0.3'
        ? { taskId: params['id'], id: params['pushNotificationConfigId'] }
        : { taskId: params['taskId'], id: params['id'] };
    const config = (await ask(request, 'getTaskPush', named)) as Config;
    return { result: dialect === '0.3' ? formerPush(config) : config };
  },
  async listPushes(request, { params }, dialect) {
    const taskId = dialect === '0.3' ? params['id'] : params['taskId'];
    const { configs } = (await ask(request, 'listTaskPushConfigs', { taskId })) as {
      readonly configs: readonly Config[];
    };
    return { result: dialect === '0.3' ? configs.map(formerPush) : { configs, nextPageToken: '' } };
  },
  async removePush(request, { params }, dialect) {
    const named =
      dialect === '0.3'
        ? { taskId: params['id'], id: params['pushNotificationConfigId'] }
        : { taskId: params['taskId'], id: params['id'] };
    await ask(request, 'removeTaskPush', named);
    return { result: dialect === '0.3' ? null : {} };
  },
  async extendedCard(request) {
    await knowFollower(request);
    throw new StandardFault(
      'unsupported',
      'There is no extended card; the card at its well-known address says everything.',
    );
  },
};

type Config = Readonly<Record<string, unknown>>;

const NO_FOLLOWER: Follower = { kind: 'did', id: '', tenantId: '' };

/** Asks an operation on tasks with the credential of the request. @param isCharged whether its caller was charged before */
async function ask(
  request: StandardRequest,
  name: keyof typeof taskMethods,
  given: object,
  isCharged = false,
): Promise<unknown> {
  const credential = requireCredential(request);
  const parsed = tryParse(() => parseInput(taskMethods[name].input, given));
  const asked = { name, address: request.meter.address, credential, input: parsed.input };
  const coreReply = await request.gate.core.call('takeRequest', isCharged ? { ...asked, isCharged } : asked);
  return JSON.parse(String(requireBody(parsed, request.meter.settle(coreReply))));
}

/** A caller who may not call is not told what is wrong with a request; a message's own proof cannot be read where it is wrong. */
async function parsedFor<T>(request: StandardRequest, parse: () => T): Promise<T> {
  try {
    return parse();
  } catch (fault) {
    const credential = requireCredential(request);
    request.meter.settle(await request.gate.core.call('takeVisit', request.meter.address, credential));
    throw fault;
  }
}

async function knowFollower(request: StandardRequest): Promise<Follower> {
  const credential = requireCredential(request);
  const coreReply = await taskCore(request.gate).call('takeFollower', request.meter.address, credential);
  return JSON.parse(String(request.meter.settle(coreReply))) as Follower;
}

function requireCredential(request: StandardRequest) {
  const credential = request.credential();
  if (credential !== undefined) return credential;
  throw new Fault('UNAUTHORIZED', 'Send a credential: "Authorization: Bearer <API key or token>", or X-DID-Proof.');
}

/** Waits until it is the caller's turn, or the task has ended. */
async function settled({ gate }: StandardRequest, { follower, task, since }: SentView): Promise<Task> {
  const until = performance.now() + LONGEST_WAIT_SECONDS * 1000;
  let [seq, shown] = [since, task];
  while (gate.isServing()) {
    const left = (until - performance.now()) / 1000;
    if (left <= 0) break;
    const followed = await taskCore(gate).call(
      'followTask',
      follower,
      task.id,
      seq,
      Math.min(left, LONGEST_WAIT_SECONDS),
    );
    seq = followed.seq;
    shown = followed.task;
    if (followed.isSettled || followed.events.length === 0) break;
  }
  return shown;
}

/** A configuration of 0.3, which has it in a member of its own. */
function pushOfFormer({ taskId, pushNotificationConfig }: StandardCall['params']): object {
  if (typeof pushNotificationConfig !== 'object' || pushNotificationConfig === null) {
    throw new Fault('BAD_REQUEST', 'pushNotificationConfig: is missing', [
      { path: 'pushNotificationConfig', message: 'is missing' },
    ]);
  }
  return { taskId, ...(currentPushOf(pushNotificationConfig) as object) };
}

function currentPushOf(config: object): unknown {
  return currentPush(withoutEmpty(config as Config));
}

function withoutEmpty(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null && value !== ''));
}
