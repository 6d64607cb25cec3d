/** Talks to a node's A2A gateway: sends signed messages and believes only answers the node signed. */
import { checkProof } from '../protocol/credential/proof.ts';
import type { Agent } from './agent.ts';
import { type MessageContent, signMessage } from './agent.ts';

/** The node said no, or something was wrong with the request. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: RpcErrorData | undefined;

  constructor(code: number, message: string, data: RpcErrorData | undefined) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface RpcErrorData {
  readonly reasonCodes?: readonly string[];
  readonly details?: Readonly<Record<string, { readonly message: string }>>;
}

export interface A2aClient {
  /** The node's DID. */
  readonly nodeDid: string;
  /**
   * Sends a message and returns the body of the node's answer.
   * @throws RpcError when the node refuses
   */
  send<Body = Record<string, unknown>>(content: Omit<MessageContent, 'to'>): Promise<Body>;
}

/** @param baseUrl the node's address without a trailing slash */
export async function connect(baseUrl: string, agent: Agent): Promise<A2aClient> {
  const card = (await (await fetch(`${baseUrl}/.well-known/agent-card.json`)).json()) as CardFacts;
  return {
    nodeDid: card.did,
    async send<Body>(content: Omit<MessageContent, 'to'>) {
      const message = signMessage(agent, { ...content, to: card.did });
      const response = await fetch(card.endpoints.a2a, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Agent-DID': agent.did },
        body: JSON.stringify({ jsonrpc: '2.0', id: message.id, method: 'a2a/message', params: { message } }),
      });
      const answer = (await response.json()) as RpcAnswer;
      if (answer.error !== undefined) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
      const reply = answer.result?.message ?? {};
      const proof = checkProof(agent.suite, reply, { proofPurpose: 'authentication', did: card.did });
      if (!proof.ok) throw new Error(`The node's answer is not signed by ${card.did}: ${proof.reason}`);
      return reply.body as Body;
    },
  };
}

interface CardFacts {
  readonly did: string;
  readonly endpoints: { readonly a2a: string };
}

interface RpcAnswer {
  readonly error?: { readonly code: number; readonly message: string; readonly data?: RpcErrorData };
  readonly result?: { readonly message: Record<string, unknown> };
}
