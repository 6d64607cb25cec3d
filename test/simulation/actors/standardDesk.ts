/** How an agent speaks standard A2A, in 1.0 and in 0.3: messages that lead to tasks, signed by themselves or by the request. */
import { type JsonObject, type Peer, prove } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import type { Chance } from '../machine/chance.ts';
import type { Answered, Desk } from './desk.ts';

const GATE = '/a2a/v1';
const APPROVALS = 'urn:countersign:a2a:approval:v1';
const PROOF = 'urn:countersign:a2a:did-proof:v1';

export interface Speaker {
  readonly desk: Desk;
  readonly agent: Peer;
  readonly nodeDid: string;
  readonly dice: Chance;
}

/** A message as it is sent, and sent again. */
export interface Spoken {
  readonly id: string;
  /** As what it is told: the id, unless other gates know the same one. */
  readonly key: string;
  /** The use case that it stands for, with its input as REST has it. */
  readonly call: string;
  readonly input: unknown;
  readonly message: JsonObject;
  readonly isSigned: boolean;
  readonly isFormer: boolean;
  readonly returnImmediately: boolean;
}

/** What a task says of itself, in either spelling. */
export interface ToldTask {
  readonly id: string;
  /** Such as COMPLETED. */
  readonly state: string;
  /** Data parts of artifacts and of the status, by their names. */
  readonly data: Readonly<Record<string, Loose>>;
}

/** What is to be said. */
interface Speech {
  readonly call: string;
  readonly input: unknown;
  /** The one part. */
  readonly data: JsonObject;
  /** What it goes on with. */
  readonly taskId?: string;
  /** Under an id that other gates know too; a new one unless given. */
  readonly id?: string;
}

export function speak({ agent, nodeDid, dice }: Speaker, { call, input, data, taskId, id: given }: Speech): Spoken {
  const id = given ?? `msg-${dice.bytes(8).toString('hex')}`;
  const key = given === undefined ? id : `task ${given}`;
  const isSigned = dice.permille(500);
  const bare = { messageId: id, role: 'ROLE_USER', parts: [{ data }], ...(taskId !== undefined && { taskId }) };
  const more = { isSigned, isFormer: dice.permille(300), returnImmediately: dice.permille(250) };
  if (!isSigned) return { id, key, call, input, message: bare, ...more };
  const parties = { from: agent.did, to: nodeDid };
  const { proof } = prove(agent, { ...bare, metadata: { [PROOF]: parties } }, 'authentication') as Loose;
  return { id, key, call, input, message: { ...bare, metadata: { [PROOF]: { ...parties, proof } } }, ...more };
}

/** Sends a message, the first time or again. */
export function sendTo({ desk }: Speaker, spoken: Spoken): Promise<Answered | undefined> {
  const { key, call, input, message, isSigned, isFormer, returnImmediately } = spoken;
  const params = isFormer
    ? { message: former(message), configuration: { blocking: !returnImmediately } }
    : { message, configuration: { returnImmediately } };
  const text = rpc(isFormer ? 'message/send' : 'SendMessage', params);
  const headers = {
    ...version(isFormer),
    ...(asksForApprovals(message) && { [isFormer ? 'X-A2A-Extensions' : 'A2A-Extensions']: APPROVALS }),
  };
  return desk.post({ call, input, key, path: GATE, text, headers, isProven: !isSigned });
}

/** Every other message does, and does so again where it is sent again. */
function asksForApprovals({ messageId }: JsonObject): boolean {
  return (Buffer.from(String(messageId)).at(-1) ?? 0) % 2 === 0;
}

/** Looks at a task, or withdraws it. */
export function askOfTask({ desk }: Speaker, verb: 'Get' | 'Cancel', id: string): Promise<Answered | undefined> {
  const call = verb === 'Get' ? 'getTask' : 'cancelTask';
  return desk.post({ call, input: { id }, path: GATE, text: rpc(`${verb}Task`, { id }), headers: version(false) });
}

/** @returns undefined for an answer that is no task */
export function taskIn(told: Answered | undefined): ToldTask | undefined {
  const result = told?.body?.result;
  const task = result?.task ?? result;
  if (typeof task?.status?.state !== 'string') return undefined;
  const parts = [...(task.artifacts ?? []), task.status.message ?? {}].flatMap(({ parts = [] }: Loose) => parts);
  const state = task.status.state.replace('TASK_STATE_', '').replaceAll('-', '_').toUpperCase();
  return { id: task.id, state, data: Object.assign({}, ...parts.map(({ data }: Loose) => data ?? {})) };
}

function rpc(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function version(isFormer: boolean): Record<string, string> {
  return { 'A2A-Version': isFormer ? '0.3' : '1.0' };
}

/** The message as 0.3 spells it. Its proof is that of the present spelling. */
function former({ parts, ...message }: JsonObject): JsonObject {
  const spelled = (parts as JsonObject[]).map((part) => ({ kind: 'data', ...part }));
  return { ...message, kind: 'message', role: 'user', parts: spelled };
}
