/** Talks to a node's A2A gateway: sends signed messages, and accepts only answers that the node signed. */
import { checkProof } from '../protocol/credential/proof.ts';
import type { MandateType } from '../protocol/wire/message.ts';
import { fetchCard } from './card.ts';
import { makeDidProof } from './didProof.ts';
import { CountersignError, errorOf } from './error.ts';
import { type Agent, randomId, signMessage } from './identity.ts';
import type { Operations, Refusal, Session, SessionRequest } from './operations.ts';
import { type HttpAnswer, send, type TransportOptions } from './transport.ts';

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
  /** Unique among this agent's messages; generated when not given. The same message sent again gets the same answer. */
  readonly id?: string;
}

export interface A2aClient {
  /** The node's DID. */
  readonly nodeDid: string;
  /**
   * Sends a message and returns the body of the node's answer, or its refusal.
   * @throws CountersignError
   */
  send<Type extends MandateType>(mandate: Mandate<Type>): Promise<OperationOf<Type>['output']>;
  /** Opens a session, whose contextId messages can carry. */
  openSession(request: Omit<SessionRequest, 'agentDid'>): Promise<Session>;
  getSession(contextId: string): Promise<Session>;
}

/** @param baseUrl the node's address without a trailing slash */
export async function connect(baseUrl: string, agent: Agent, options: TransportOptions = {}): Promise<A2aClient> {
  const card = await fetchCard(baseUrl, options);
  const url = card.endpoints.a2a;

  async function call(method: string, params: unknown, proven: boolean): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: randomId(), method, params });
    const target = { baseUrl: card.url, method: 'POST', path: url.slice(card.url.length), body };
    const make = async () => ({
      url: baseUrl + target.path,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Agent-DID': agent.did,
        ...(proven ? { 'X-DID-Proof': makeDidProof(agent, target) } : {}),
      },
      body,
    });
    // A message keeps its id, so that the node handles it once, however often it is sent.
    const repeatable = method !== 'a2a/session.create';
    return resultOf(await send(options, make, repeatable));
  }

  return {
    nodeDid: card.did,
    async send({ type, body, contextId, id }) {
      const content = { type, body, to: card.did, ...(contextId && { contextId }), ...(id && { id }) };
      const result = await call('a2a/message', { message: signMessage(agent, content) }, false);
      if (isRefusal(result)) return result;
      const reply = (result as { readonly message?: Record<string, unknown> }).message ?? {};
      const proof = checkProof(agent.suite, reply, { proofPurpose: 'authentication', did: card.did });
      if (!proof.ok) {
        const message = `The answer is not signed by ${card.did}: ${proof.reason}`;
        throw new CountersignError('INVALID_ANSWER', message, { status: 200 });
      }
      return reply['body'] as never;
    },
    openSession: (request) => call('a2a/session.create', { ...request, agentDid: agent.did }, true) as Promise<Session>,
    getSession: (contextId) => call('a2a/session.get', { contextId }, true) as Promise<Session>,
  };
}

interface RpcAnswer {
  readonly error?: { readonly code: number; readonly message: string; readonly data?: RpcData };
  readonly result?: unknown;
}

interface RpcData {
  readonly code?: string;
  readonly allowed?: boolean;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** The result, or the refusal that the error -32000 carries. @throws CountersignError for any other error */
function resultOf({ status, headers, text }: HttpAnswer): unknown {
  let answer: RpcAnswer;
  try {
    answer = JSON.parse(text) as RpcAnswer;
  } catch {
    throw errorOf(status, headers, text);
  }
  const { error } = answer;
  if (error === undefined) return answer.result;
  if (error.data?.allowed === false) return error.data;
  const requestId = headers.get('x-request-id') ?? undefined;
  const code = error.data?.code ?? String(error.code);
  throw new CountersignError(code, error.message, { status, requestId, details: error.data?.details });
}

function isRefusal(result: unknown): result is Refusal {
  return (result as { readonly allowed?: unknown }).allowed === false;
}
