/**
 * The pipe between one client and the servers behind the guard. Messages pass both ways as they are, by the transports of the MCP
 * packages, with ids of the guard's own; only lists of tools and calls of tools are looked into.
 */
import { type JSONRPCMessage, PROTOCOL_VERSION_META_KEY, type Transport } from '@modelcontextprotocol/server';
import { inertText } from '../../../../protocol/wire/plainText.ts';
import type { StateFile } from '../guardState.ts';
import type { GuardConfig, ToolRule } from '../rules/guardConfig.ts';
import { judgeCall, type ToolCall } from '../rules/readCall.ts';
import { type McpToolResult, paymentPageOf } from '../rules/readResult.ts';
import { contentOf } from './callNames.ts';
import { refusal } from './callResults.ts';
import { ListenStreams } from './listenStreams.ts';
import { MERGED, mergeAnswers, withListChanged } from './mergeAnswers.ts';
import { NoResult, type Purchases } from './purchases.ts';
import { continuationIn } from './questions.ts';
import { ServedTools, type ToolServer } from './servedTools.ts';
import type { ToolReports } from './toolReports.ts';
import { type RpcId, type RpcMessage, type RpcResponse, transportFault, UpstreamLink } from './upstreamLink.ts';

/** A server, as a connection to it is opened for one client. */
export interface GuardedUpstream {
  readonly name: string;
  readonly account?: string;
  readonly rules: readonly ToolRule[];
  readonly transport: Transport;
}

interface RelayDeps {
  readonly purchases: Purchases;
  readonly state: StateFile;
  readonly unmatched: GuardConfig['unmatched'];
  /** Absent where no node is told of the tools. */
  readonly reports?: ToolReports;
  readonly log: (line: string) => void;
  /** Called once all of its servers have ended by themselves, with which the pipe ends. */
  readonly onGone?: () => void;
}

/** What the client said of itself, where it said it once. */
interface ClientCapabilities {
  readonly elicitation?: unknown;
}

interface Server extends ToolServer {
  readonly account: string | undefined;
}

/** A request of the client's that is not answered yet. */
interface OpenRequest {
  /** Where it went on, by which id. */
  readonly sent: { readonly server: Server; readonly id: RpcId }[];
  readonly progressToken: unknown;
  readonly canceled: AbortController;
}

const PAGE_LIFE_MS = 3600 * 1000;

export class Relay {
  readonly #front: Transport;
  readonly #deps: RelayDeps;
  readonly #servers: readonly Server[];
  readonly #served: ServedTools<Server>;
  readonly #streams: ListenStreams;
  readonly #open = new Map<RpcId, OpenRequest>();
  /** Requests of servers that the client is to answer, by the id that it sees. */
  readonly #asked = new Map<RpcId, { readonly server: Server; readonly id: RpcId } | ((answer: RpcResponse) => void)>();
  /** Pages where a person pays, by what was called: asked again, the server makes another. */
  readonly #pages = new Map<string, { readonly url: string; readonly until: number }>();
  #nextAsked = 1;
  #capabilities: ClientCapabilities = {};
  /** Whether the client has begun a session, in which it is told of changes unasked. */
  #isSession = false;
  #gone = 0;
  #isClosed = false;

  constructor(front: Transport, upstreams: readonly GuardedUpstream[], deps: RelayDeps) {
    this.#front = front;
    this.#deps = deps;
    this.#servers = upstreams.map(({ name, account, rules, transport }) => {
      const link: UpstreamLink = new UpstreamLink(name, transport, {
        onMessage: (message) => this.#fromServer(link, message),
        onClose: () => this.#serverClosed(name),
        log: deps.log,
      });
      return { link, account, rules, tools: undefined, held: new Map() };
    });
    const onChange = (isAsked: boolean) => this.#toolsChanged(isAsked);
    this.#served = new ServedTools(this.#servers, { ...deps, onChange });
    const links = this.#servers.map(({ link }) => link);
    this.#streams = new ListenStreams(links, (message, related) => this.#send(message, related));
  }

  /** @throws Error where a server cannot be started */
  async start(): Promise<void> {
    await Promise.all(this.#servers.map(({ link }) => link.start()));
    this.#front.onmessage = (message) => this.#fromClient(message as RpcMessage);
    this.#front.onerror = (error) => this.#deps.log(transportFault(error));
    const before = this.#front.onclose;
    this.#front.onclose = () => {
      before?.();
      void this.close();
    };
    await this.#front.start();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#served.close();
    await Promise.allSettled(this.#servers.map(({ link }) => link.close()));
    await this.#front.close();
  }

  #serverClosed(name: string): void {
    if (this.#isClosed) return;
    this.#deps.log(`${name} has ended`);
    this.#gone += 1;
    if (this.#gone < this.#servers.length) return;
    this.#deps.onGone?.();
    // Answers to what was open are sent first.
    setImmediate(() => void this.close());
  }

  #fromClient(message: RpcMessage): void {
    const { id, method } = message;
    if (method === undefined) this.#answerServer(message);
    else if (id === undefined) this.#notifyServers(message);
    else this.#takeRequest(message, id);
  }

  #takeRequest(message: RpcMessage, id: RpcId): void {
    const progressToken = metaOf(message)?.['progressToken'];
    const request: OpenRequest = { sent: [], progressToken, canceled: new AbortController() };
    this.#open.set(id, request);
    this.#answer(message, request)
      .catch((error: unknown): RpcResponse => {
        if (!(error instanceof NoResult))
          this.#deps.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
        const text = error instanceof NoResult ? error.message : 'The guard failed; its log says why.';
        return { error: { code: -32603, message: text } };
      })
      .then((answer) => {
        if (this.#open.get(id) === request) this.#open.delete(id);
        // What was canceled is answered by nothing (MCP, cancellation).
        if (!request.canceled.signal.aborted) this.#send({ jsonrpc: '2.0', id, ...completed(message, answer) }, id);
      });
  }

  #answer(message: RpcMessage, request: OpenRequest): Promise<RpcResponse> {
    const { method = '', params } = message;
    if (method === 'initialize') return this.#initialize(message, request);
    if (method === 'tools/list') return this.#served.list(metaOf(message));
    if (method === 'tools/call') return this.#callTool(message, request);
    if (method === 'server/discover') return this.#askAll(message, request).then(withListChanged);
    if (method === 'subscriptions/listen') return this.#streams.listen(message, message.id as RpcId);
    const [only, ...others] = this.#servers;
    if (only !== undefined && others.length === 0) return this.#ask(only, request, method, params);
    return MERGED.has(method) ? this.#askAll(message, request) : this.#askInTurn(message, request);
  }

  #ask(server: Server, request: OpenRequest, method: string, params: RpcMessage['params']): Promise<RpcResponse> {
    const { id, answer } = server.link.request(method, params);
    request.sent.push({ server, id });
    return answer;
  }

  async #askAll({ method = '', params }: RpcMessage, request: OpenRequest): Promise<RpcResponse> {
    const answers = await Promise.all(this.#servers.map((server) => this.#ask(server, request, method, params)));
    return mergeAnswers(method, answers);
  }

  /** Of several servers the first that has it: a resource or a prompt is one server's. */
  async #askInTurn({ method = '', params }: RpcMessage, request: OpenRequest): Promise<RpcResponse> {
    let last: RpcResponse = { error: { code: -32601, message: `No server behind the guard knows ${method}.` } };
    for (const server of this.#servers) {
      last = await this.#ask(server, request, method, params);
      if (last.error === undefined) return last;
    }
    return last;
  }

  async #initialize(message: RpcMessage, request: OpenRequest): Promise<RpcResponse> {
    this.#capabilities = (message.params?.['capabilities'] ?? {}) as ClientCapabilities;
    const answer = await this.#askAll(message, request);
    const version = answer.result?.['protocolVersion'];
    if (typeof version === 'string') for (const { link } of this.#servers) link.setProtocolVersion(version);
    this.#isSession = answer.result !== undefined;
    return withListChanged(answer);
  }

  async #callTool(message: RpcMessage, request: OpenRequest): Promise<RpcResponse> {
    const { name, arguments: given } = message.params ?? {};
    if (typeof name !== 'string')
      return { error: { code: -32602, message: 'params.name must be the name of a tool.' } };
    const server = await this.#served.serverOf(name, metaOf(message));
    const { tools, rules, link } = server;
    const tool = tools?.get(name);
    const reason = this.#served.reasonAgainst(server, name);
    if (reason !== undefined)
      return { result: { ...refusal(`${inertText(name)} is not called. ${reason}`, ['TOOL_CHANGED']) } };
    const input = (typeof given === 'object' && given !== null ? given : {}) as ToolCall['input'];
    const continues = continuationIn(message.params ?? {});
    const account = server.account === undefined ? {} : { account: server.account };
    const call: ToolCall = { upstream: link.name, ...account, tool, name, input, continues };
    const page = this.#pageOf(call);
    if (page !== undefined) return { result: { ...page } };
    const forward = async () => {
      const answer = await this.#ask(server, request, 'tools/call', message.params);
      return this.#withoutPage(call, answer);
    };
    const verdict = judgeCall(rules, this.#deps.unmatched, call);
    if (verdict.kind === 'refuse')
      return { result: { ...refusal(`${verdict.because} Nothing was sent.`, ['TOOL_REFUSED']) } };
    if (verdict.kind === 'forward') return forward();
    if (verdict.kind !== 'guard') return this.#askPerson(call, forward);
    let error: RpcResponse | undefined;
    const result = await this.#deps.purchases.call(
      verdict.rule,
      call,
      async () => {
        const answer = await forward();
        if (answer.result !== undefined) return answer.result as McpToolResult;
        error = answer;
        throw new NoResult(
          `${link.name} answered with an error (${answer.error?.code}: ${inertText(answer.error?.message ?? '')}).`,
        );
      },
      request.canceled.signal,
    );
    // The error itself may carry what a client acts on, such as an offer.
    return error?.error === undefined ? { result: { ...result } } : { error: withPayment(error.error, result) };
  }

  /** A tool without an amount: the person at the client says. */
  async #askPerson(call: ToolCall, forward: () => Promise<RpcResponse>): Promise<RpcResponse> {
    const refuse = (why: string): RpcResponse => ({
      result: { ...refusal(`${why} Nothing was sent.`, ['TOOL_REFUSED']) },
    });
    if (this.#capabilities.elicitation === undefined)
      return refuse(`No rule says what ${inertText(call.name)} may spend, and this client cannot ask its person.`);
    const shown = inertText(JSON.stringify(call.input)).slice(0, 1000);
    const message = `No rule says what the tool ${inertText(call.name)} of ${call.upstream} may spend. Call it with ${shown}?`;
    const requestedSchema = { type: 'object', properties: {} };
    const answer = await new Promise<RpcResponse>((resolve) => {
      const id = this.#askedId(resolve);
      this.#send({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message, requestedSchema } });
    });
    return answer.result?.['action'] === 'accept' ? forward() : refuse('The person did not allow it.');
  }

  /** A page where a person pays is theirs: each further question would make another one. */
  #withoutPage(call: ToolCall, answer: RpcResponse): RpcResponse {
    const url = answer.result === undefined ? undefined : paymentPageOf(answer.result as McpToolResult);
    if (url === undefined) return answer;
    this.#pages.set(contentOf(call), { url, until: Date.now() + PAGE_LIFE_MS });
    return { result: { ...pageRefusal(call.name, url), structuredContent: undefined } };
  }

  #pageOf(call: ToolCall): McpToolResult | undefined {
    const page = this.#pages.size === 0 ? undefined : this.#pages.get(contentOf(call));
    return page === undefined || page.until < Date.now() ? undefined : pageRefusal(call.name, page.url);
  }

  #notifyServers(message: RpcMessage): void {
    if (message.method !== 'notifications/cancelled') {
      for (const { link } of this.#servers) void link.tell(message);
      return;
    }
    const { requestId, ...rest } = message.params ?? {};
    const request = this.#open.get(requestId as RpcId);
    if (request === undefined) return;
    request.canceled.abort();
    this.#streams.cancel(requestId as RpcId);
    for (const { server, id } of request.sent)
      void server.link.tell({ ...message, params: { ...rest, requestId: id } });
  }

  #answerServer({ id, result, error }: RpcMessage): void {
    const asked = id === undefined ? undefined : this.#asked.get(id);
    if (id === undefined || asked === undefined) return;
    this.#asked.delete(id);
    const answer = error === undefined ? { result: result ?? {} } : { error };
    if (typeof asked === 'function') asked(answer);
    else void asked.server.link.tell({ jsonrpc: '2.0', id: asked.id, ...answer });
  }

  #fromServer(link: UpstreamLink, message: RpcMessage): void {
    const server = this.#servers.find((each) => each.link === link);
    if (server === undefined) return;
    const related = this.#relatedTo(server, message);
    if (message.method === 'notifications/tools/list_changed') {
      this.#served.changed(server);
      return;
    }
    if (this.#streams.take(link, message)) return;
    if (message.id !== undefined) this.#send({ ...message, id: this.#askedId({ server, id: message.id }) }, related);
    else if (message.method === 'notifications/cancelled') this.#cancelAsked(server, message, related);
    else this.#send(message, related);
  }

  /** A session is told by the stream that its client has open over HTTP; without one a client is told by what it listens to. */
  #toolsChanged(isAsked: boolean): void {
    if (this.#isSession && !isAsked) this.#send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    this.#streams.toolsChanged();
  }

  #cancelAsked(server: Server, message: RpcMessage, related: RpcId | undefined): void {
    const { requestId, ...rest } = message.params ?? {};
    for (const [id, asked] of this.#asked) {
      if (typeof asked === 'function' || asked.server !== server || asked.id !== requestId) continue;
      this.#asked.delete(id);
      this.#send({ ...message, params: { ...rest, requestId: id } }, related);
    }
  }

  #askedId(asked: { readonly server: Server; readonly id: RpcId } | ((answer: RpcResponse) => void)): RpcId {
    const id = `guard-${this.#nextAsked++}`;
    this.#asked.set(id, asked);
    return id;
  }

  /** Over HTTP a message goes with the answer of the request that it belongs to: by its token of progress, else the newest. */
  #relatedTo(server: Server, { params }: RpcMessage): RpcId | undefined {
    const token = params?.['progressToken'];
    let newest: RpcId | undefined;
    for (const [id, { sent, progressToken }] of this.#open) {
      if (token !== undefined && progressToken === token) return id;
      if (sent.some((each) => each.server === server)) newest = id;
    }
    return newest;
  }

  #send(message: RpcMessage, related?: RpcId): void {
    if (this.#isClosed) return;
    const options = related === undefined ? undefined : { relatedRequestId: related };
    this.#front.send(message as JSONRPCMessage, options).catch((error: Error) => this.#deps.log(error.message));
  }
}

function metaOf({ params }: RpcMessage): Readonly<Record<string, unknown>> | undefined {
  return params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
}

/** Since protocol 2026-07-28, which each request names then, a result says what it is; one of the guard's own says it here. */
function completed(message: RpcMessage, answer: RpcResponse): RpcResponse {
  const { result } = answer;
  if (result === undefined || 'resultType' in result || metaOf(message)?.[PROTOCOL_VERSION_META_KEY] === undefined)
    return answer;
  return { result: { resultType: 'complete', ...result } };
}

function pageRefusal(name: string, url: string): McpToolResult {
  const sentence = `${inertText(name)} is paid by a person, on this page: ${url} . Give them the address. The tool is not called again for this meanwhile.`;
  return refusal(sentence, ['RAIL_UNAVAILABLE'], { url });
}

type RpcError = NonNullable<RpcResponse['error']>;

function withPayment(error: RpcError, { _meta }: McpToolResult): RpcError {
  const { data } = error;
  const isObject = typeof data === 'object' && data !== null;
  if (data !== undefined && !isObject) return error;
  return { ...error, data: { ...(data as object | undefined), ...(_meta as object | undefined) } };
}
