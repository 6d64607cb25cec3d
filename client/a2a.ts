/** Talks to a node's A2A gateway: sends signed messages, and accepts only what the node signed in answer to them. */
import { checkProof } from '../protocol/credential/proof.ts';
import { FAULTS, type FaultCode } from '../protocol/wire/fault.ts';
import type { MandateType } from '../protocol/wire/mandateType.ts';
import { POLICY_REFUSAL, RESULT_OF } from '../protocol/wire/message.ts';
import { addressOf } from './address.ts';
import { fetchCard, type NodeCard } from './card.ts';
import { makeDidProof } from './didProof.ts';
import { CountersignError, errorOf, requestIdOf } from './error.ts';
import { type Agent, readNodeDid, signMessage } from './identity.ts';
import type { Operations, Refusal, Session, SessionRequest } from './operations.ts';
import { randomId } from './randomId.ts';
import { type Abortable, type HttpAnswer, send, type TransportOptions } from './transport.ts';

const USE_CASE = {
  IntentMandate: 'issueIntent',
  CartMandate: 'validateCart',
  PaymentMandate: 'mandatePayment',
} as const satisfies Record<MandateType, keyof Operations>;

type OperationOf<Type extends MandateType> = Operations[(typeof USE_CASE)[Type]];

export interface Mandate<Type extends MandateType> {
  readonly type: Type;
  readonly body: OperationOf<Type>['input'];
  /** The session it belongs to. */
  readonly contextId?: string;
  /** Unique among this agent's messages; generated when not given. */
  readonly id?: string;
}

export interface ConnectOptions extends TransportOptions, Abortable {
  /** The DID that the node must have. Without it the agent card of any node that answers at the address is believed. */
  readonly nodeDid?: string;
}

export interface A2aClient {
  /** The node's DID. */
  readonly nodeDid: string;
  /**
   * Sends a message and returns the body of the node's answer, or its refusal. An answer is taken only with the node's
   * signature, and only to this message; refusals and errors are not signed.
   * @throws CountersignError; the signal's reason once it is aborted
   */
  send<Type extends MandateType>(mandate: Mandate<Type>, options?: Abortable): Promise<OperationOf<Type>['output']>;
  /** Opens a session, whose contextId messages can carry. */
  openSession(request: Omit<SessionRequest, 'agentDid'>, options?: Abortable): Promise<Session>;
  getSession(contextId: string, options?: Abortable): Promise<Session>;
}

/**
 * @param baseUrl the node's address, such as http://localhost:8402
 * @throws CountersignError WRONG_NODE where another node answers than `nodeDid`, BAD_REQUEST for what cannot be an address
 * or a DID
 */
export async function connect(baseUrl: string, agent: Agent, options: ConnectOptions = {}): Promise<A2aClient> {
  const address = addressOf(baseUrl);
  const expected = options.nodeDid === undefined ? undefined : readNodeDid(options.nodeDid);
  const card = await fetchCard(address, options, options.signal);
  const nodeDid = card.did;
  if (expected !== undefined && expected !== nodeDid) {
    throw new CountersignError('WRONG_NODE', `The node at ${address} is ${nodeDid} and not ${expected}.`, {
      status: 0,
    });
  }
  const call = callerOf(address, card, agent, options);
  return {
    nodeDid,
    async send({ type, body, contextId, id = randomId() }, { signal } = {}) {
      const message = signMessage(agent, { type, body, to: nodeDid, id, ...(contextId && { contextId }) });
      const outcome = await call('a2a/message', { message }, { repeatable: true, signal });
      if ('refusal' in outcome) return outcome.refusal;
      const bound = {
        from: nodeDid,
        to: agent.did,
        inReplyTo: id,
        type: RESULT_OF[type],
        contextId: message.contextId,
      };
      return bodyOf(agent, outcome.result, bound) as never;
    },
    async openSession(request, { signal } = {}) {
      const params = { ...request, agentDid: agent.did };
      const how = { proven: true, repeatable: false, signal };
      return sessionOf(await call('a2a/session.create', params, how), request.contextId);
    },
    async getSession(contextId, { signal } = {}) {
      const how = { proven: true, repeatable: true, signal };
      return sessionOf(await call('a2a/session.get', { contextId }, how), contextId);
    },
  };
}

interface How extends Abortable {
  /** Whether X-DID-Proof authenticates the call; a message carries its own proof. */
  readonly proven?: boolean;
  /** A message keeps its id, so that the node handles it once, however often it is sent. */
  readonly repeatable: boolean;
}

function callerOf(address: string, card: NodeCard, agent: Agent, options: TransportOptions) {
  const path = card.endpoints.a2a.slice(card.url.length);
  return async (method: string, params: unknown, { proven, ...sending }: How): Promise<Outcome> => {
    const id = randomId();
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const target = { baseUrl: card.url, method: 'POST', path, body };
    const make = async () => ({
      url: address + path,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Agent-DID': agent.did,
        ...(proven === true ? { 'X-DID-Proof': makeDidProof(agent, target) } : {}),
      },
      body,
    });
    return outcomeOf(await send(options, { make, ...sending, statusOf }), id);
  };
}

interface RpcAnswer {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: RpcData };
  readonly result?: unknown;
}

interface RpcData {
  readonly code?: string;
  readonly allowed?: boolean;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

type Outcome = { readonly refusal: Refusal } | { readonly result: unknown };

/** The JSON-RPC answer in a text; undefined for anything else. Some libraries write an error that is absent as null. */
function rpcIn(text: string): RpcAnswer | undefined {
  try {
    const answer = JSON.parse(text) as (Loose & { readonly jsonrpc?: unknown }) | null;
    if (answer?.jsonrpc !== '2.0') return undefined;
    const { error, ...rest } = answer;
    if (error === undefined || error === null) return rest as RpcAnswer;
    const { code, message } = error as Loose;
    return typeof code === 'number' && typeof message === 'string' ? (answer as RpcAnswer) : undefined;
  } catch {
    return undefined;
  }
}

type Loose = Readonly<Record<string, unknown>>;

/** JSON-RPC errors come with the status 200: what they would have over REST. */
function statusOf({ status, text }: HttpAnswer): number {
  const code = rpcIn(text)?.error?.data?.code ?? '';
  return Object.hasOwn(FAULTS, code) ? FAULTS[code as FaultCode].http : status;
}

/** The result, or the refusal that the error -32000 carries. @throws CountersignError for any other error */
function outcomeOf(answer: HttpAnswer, id: string): Outcome {
  const rpc = rpcIn(answer.text);
  if (rpc === undefined) throw errorOf(answer);
  const { error, result } = rpc;
  // An error has no id where that of the request could not be read (JSON-RPC 2.0, section 5).
  if (rpc.id !== id && (error === undefined || rpc.id !== null)) throw invalid('The answer is to another request.');
  if (error === undefined) return { result };
  if (error.code === POLICY_REFUSAL && error.data?.allowed === false) {
    const { reasonCodes, details } = error.data as RpcData & Partial<Refusal>;
    if (!Array.isArray(reasonCodes) || typeof details !== 'object') throw invalid('The refusal gives no reasons.');
    return { refusal: error.data as RpcData & Refusal };
  }
  const { status, headers } = answer;
  const code = error.data?.code ?? String(error.code);
  throw new CountersignError(code, error.message, {
    status,
    requestId: requestIdOf(headers),
    details: error.data?.details,
  });
}

/** The body of a message that answers. @param bound what it must state, so that it answers this message and no other */
function bodyOf(agent: Agent, result: unknown, bound: Readonly<Record<string, unknown>>): unknown {
  const { message } = (result ?? {}) as { readonly message?: unknown };
  const reply = (typeof message === 'object' && message !== null ? message : {}) as Readonly<Record<string, unknown>>;
  const proof = checkProof(agent.suite, reply, { proofPurpose: 'authentication', did: String(bound.from) });
  if (!proof.ok) throw invalid(`The answer is not signed by ${bound.from}: ${proof.reason}`);
  for (const [name, value] of Object.entries(bound)) {
    if (reply[name] !== value)
      throw invalid(`The answer is to another message: "${name}" is ${reply[name]}, not ${value}.`);
  }
  return reply['body'];
}

/** A session is not signed; at least it is the one that was asked for. */
function sessionOf(outcome: Outcome, contextId: string): Session {
  const session = ('result' in outcome ? (outcome.result ?? {}) : {}) as Session;
  if (session.contextId !== contextId) throw invalid(`The answer is about another session than ${contextId}.`);
  return session;
}

function invalid(message: string): CountersignError {
  return new CountersignError('INVALID_ANSWER', message, { status: 200 });
}
