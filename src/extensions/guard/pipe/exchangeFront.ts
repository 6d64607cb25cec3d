/**
 * The client's end of a pipe over HTTP since protocol 2026-07-28, which has no sessions: each request is an exchange of its own, and all
 * exchanges of one Authorization share a pipe. Ids and tokens of progress are the guard's own there, since two clients may choose the same.
 */
import {
  type InboundModernRoute,
  type JSONRPCMessage,
  PerRequestHTTPServerTransport,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { RpcId, RpcMessage } from './upstreamLink.ts';

interface Exchange {
  readonly transport: PerRequestHTTPServerTransport;
  readonly id: RpcId;
  readonly method: string;
  /** As its client chose it. */
  readonly progressToken: unknown;
}

const NO_METHOD = -32601;

export class ExchangeFront implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #open = new Map<RpcId, Exchange>();
  #next = 1;

  /** Whether nothing is on its way: a client that listens asks again. */
  get isIdle(): boolean {
    return [...this.#open.values()].every(({ method }) => method === 'subscriptions/listen');
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(open.map(({ transport }) => transport.close()));
    this.onclose?.();
  }

  /** What belongs to no exchange has no way to a client. */
  async send(given: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const message = given as RpcMessage;
    const isAnswer = message.method === undefined;
    const own = isAnswer ? message.id : options?.relatedRequestId;
    const exchange = own === undefined ? undefined : this.#open.get(own);
    if (isAnswer && exchange !== undefined && own !== undefined) {
      this.#open.delete(own);
      await exchange.transport.send({ ...answerTo(exchange, message), id: exchange.id } as JSONRPCMessage);
    } else if (message.method !== undefined && message.id !== undefined) {
      const error = { code: NO_METHOD, message: 'In this version of MCP a server asks its client nothing.' };
      this.onmessage?.({ jsonrpc: '2.0', id: message.id, error });
    } else if (exchange !== undefined) {
      const told = withToken(withSubscription(message, exchange.id), exchange.progressToken) as JSONRPCMessage;
      await exchange.transport.send(told, { relatedRequestId: exchange.id });
    }
  }

  /** Answers one request over HTTP, whose end is also its cancellation. */
  async answer({ message, classification }: InboundModernRoute, request: Request): Promise<Response> {
    const transport = new PerRequestHTTPServerTransport({ classification });
    const own = `exchange-${this.#next++}`;
    transport.onmessage = (taken) => this.#take(own, taken as RpcMessage, transport);
    transport.onerror = (error) => this.onerror?.(error);
    transport.onclose = () => this.#cancel(own);
    await transport.start();
    return transport.handleMessage(message, { request });
  }

  #take(own: RpcId, message: RpcMessage, transport: PerRequestHTTPServerTransport): void {
    const { id, method = '' } = message;
    if (id === undefined) {
      // A cancellation would name an id of another client's.
      if (method !== 'notifications/cancelled') this.onmessage?.(message as JSONRPCMessage);
      return;
    }
    const meta = message.params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
    const progressToken = meta?.['progressToken'];
    this.#open.set(own, { transport, id, method, progressToken });
    const renamed = { ...message, id: own };
    if (progressToken === undefined) this.onmessage?.(renamed as JSONRPCMessage);
    else {
      const params = { ...message.params, _meta: { ...meta, progressToken: own } };
      this.onmessage?.({ ...renamed, params } as JSONRPCMessage);
    }
  }

  #cancel(own: RpcId): void {
    if (!this.#open.delete(own)) return;
    const params = { requestId: own, reason: 'The client went away.' };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }
}

/** A server of an older version does not know what it is asked first, in whichever words it says so: then its client begins as before. */
function answerTo({ id, method }: Exchange, answer: RpcMessage): RpcMessage {
  if (method === 'subscriptions/listen' && answer.result !== undefined) {
    const _meta = subscribed(answer.result['_meta'], id);
    return { ...answer, result: { ...answer.result, _meta } };
  }
  if (method !== 'server/discover' || answer.error === undefined) return answer;
  return { ...answer, error: { code: NO_METHOD, message: answer.error.message } };
}

function withToken(message: RpcMessage, progressToken: unknown): RpcMessage {
  if (message.method !== 'notifications/progress') return message;
  return { ...message, params: { ...message.params, progressToken } };
}

/** A subscription is named by the request that opened it, as its client knows that. */
function withSubscription(message: RpcMessage, id: RpcId): RpcMessage {
  const _meta = subscribed(message.params?.['_meta'], id);
  return _meta === undefined ? message : { ...message, params: { ...message.params, _meta } };
}

/** @returns undefined where it names none */
function subscribed(meta: unknown, id: RpcId): object | undefined {
  if (typeof meta !== 'object' || meta === null || !(SUBSCRIPTION_ID_META_KEY in meta)) return undefined;
  return { ...meta, [SUBSCRIPTION_ID_META_KEY]: id };
}
