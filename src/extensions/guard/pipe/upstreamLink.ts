/** One server behind the guard: requests with ids of the guard's own, and what the server sends by itself. Messages pass as they are. */
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/server';
import { inertText } from '../../../../protocol/wire/plainText.ts';
import { NoResult } from './purchases.ts';

export type RpcId = string | number;

/** A message of JSON-RPC 2.0, of whichever kind. */
export interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: RpcId;
  readonly method?: string;
  readonly params?: { readonly [member: string]: unknown };
  readonly result?: { readonly [member: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The answer to a request, without its id. */
export type RpcResponse = Pick<RpcMessage, 'error' | 'result'>;

/** A request that stays open until one of the two sides ends it. */
export interface LongRequest {
  readonly id: RpcId;
  /** Resolved once the server has answered, or its stream has ended. */
  readonly ended: Promise<void>;
  cancel(): void;
}

/** What a transport found wrong with a message, in one line of a log: a schema lists each of its parts. */
export function transportFault(error: Error): string {
  return 'issues' in error ? 'a message came that is not JSON-RPC of MCP' : inertText(error.message);
}

interface LinkEvents {
  /** A request or a notification of the server's own. */
  onMessage(message: RpcMessage): void;
  onClose(): void;
  log(line: string): void;
}

interface PendingRequest {
  resolve(answer: RpcResponse): void;
  reject(error: Error): void;
}

export class UpstreamLink {
  readonly name: string;
  /** Numbers of requests, so that no two clients' ids meet. */
  #next = 1;
  #isClosed = false;
  readonly #pending = new Map<RpcId, PendingRequest>();
  readonly #transport: Transport;
  readonly #events: LinkEvents;

  constructor(name: string, transport: Transport, events: LinkEvents) {
    this.name = name;
    this.#transport = transport;
    this.#events = events;
    transport.onmessage = (message) => this.#take(message as RpcMessage);
    transport.onerror = (error) => events.log(`${name}: ${transportFault(error)}`);
    transport.onclose = () => this.#closed();
  }

  /** @throws Error where the server cannot be started */
  start(): Promise<void> {
    return this.#transport.start();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** @returns its id at the server, and what it answers; rejected with NoResult where the connection, or the request's own stream over HTTP, ends first */
  request(
    method: string,
    params: RpcMessage['params'],
    options?: TransportSendOptions,
  ): { readonly id: RpcId; readonly answer: Promise<RpcResponse> } {
    const id = this.#next++;
    const answer = new Promise<RpcResponse>((resolve, reject) => {
      if (this.#isClosed) throw new NoResult(`${this.name} is gone.`);
      this.#pending.set(id, { resolve, reject });
      const message = { jsonrpc: '2.0' as const, id, method, ...(params === undefined ? {} : { params }) };
      this.#send(message, { onRequestStreamEnd: () => this.#drop(id), ...options }).catch((error: Error) => {
        this.#pending.delete(id);
        reject(new NoResult(`${this.name} could not be asked: ${error.message}`));
      });
    });
    // A caller may look at it later.
    answer.catch(() => {});
    return { id, answer };
  }

  /** Over HTTP it has a stream of its own, whose end ends it. */
  open(method: string, params: RpcMessage['params']): LongRequest {
    const abort = new AbortController();
    const { id, answer } = this.request(method, params, { requestSignal: abort.signal });
    const ended = answer.then(
      () => {},
      () => {},
    );
    const cancel = () => {
      if (!this.#drop(id)) return;
      abort.abort();
      if (this.#transport.hasPerRequestStream === true) return;
      void this.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    };
    return { id, ended, cancel };
  }

  /** @returns whether it waited for its answer still */
  #drop(id: RpcId): boolean {
    this.#pending.get(id)?.reject(new NoResult(`${this.name} ended it without an answer.`));
    return this.#pending.delete(id);
  }

  /** An answer to the server, or a notification. */
  async tell(message: RpcMessage): Promise<void> {
    if (!this.#isClosed)
      await this.#send(message).catch((error: Error) => this.#events.log(`${this.name}: ${error.message}`));
  }

  /** Over HTTP each request names the version that was agreed on. */
  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion?.(version);
  }

  #send(message: RpcMessage, options?: TransportSendOptions): Promise<void> {
    return this.#transport.send(message as JSONRPCMessage, options);
  }

  #take(message: RpcMessage): void {
    const { id, result, error } = message;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (message.method !== undefined) {
      this.#events.onMessage(message);
      return;
    }
    if (id === undefined || pending === undefined) {
      // Also a second answer to one request: the first was given on, and what was paid is told by it.
      this.#events.log(`${this.name}: an answer to no open request`);
      return;
    }
    this.#pending.delete(id);
    pending.resolve(error === undefined ? { result: result ?? {} } : { error });
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { reject } of this.#pending.values()) reject(new NoResult(`The connection to ${this.name} broke.`));
    this.#pending.clear();
    this.#events.onClose();
  }
}
