/**
 * The tools that one client is served: as its servers list them, compared with what a person has accepted. The client is told when that
 * changes: a server says so, or a person accepts what was held back, at the node or at this machine.
 */
import { type StateFile, toolHash } from '../guardState.ts';
import type { ToolRule } from '../rules/guardConfig.ts';
import type { UpstreamTool } from '../rules/readCall.ts';
import { mergeAnswers } from './mergeAnswers.ts';
import { heldBack, isAccepted, listTools, shownTool } from './toolCatalog.ts';
import type { ToolReports } from './toolReports.ts';
import type { RpcResponse, UpstreamLink } from './upstreamLink.ts';

export interface ToolServer {
  readonly link: UpstreamLink;
  readonly rules: readonly ToolRule[];
  /** As it listed them last; undefined before, and once it says that they changed. */
  tools: ReadonlyMap<string, UpstreamTool> | undefined;
  /** Why a tool must not be called, by its name. */
  held: ReadonlyMap<string, string>;
}

interface ServedToolsDeps {
  readonly state: StateFile;
  /** Absent where no node is told of the tools. */
  readonly reports?: ToolReports;
  readonly log: (line: string) => void;
  /** @param isAsked whether a client is just given the new list */
  readonly onChange: (isAsked: boolean) => void;
}

/** What a request says of itself, where the protocol wants that of each. */
type RequestMeta = Readonly<Record<string, unknown>> | undefined;

/** How often it is looked whether a person has accepted something meanwhile, while something is held back. */
const LOOK_MS = 30_000;
/** A server that says again and again that its tools changed is not asked more often for them. */
const REST_MS = 1_000;

export class ServedTools<Server extends ToolServer> {
  readonly #servers: readonly Server[];
  readonly #deps: ServedToolsDeps;
  /** What was loaded last of each server, as far as it is compared. */
  readonly #loaded = new Map<Server, string>();
  /** What the client knows of it; undefined before anything was loaded. */
  #known: string | undefined;
  /** What the newest request of the client said of itself. */
  #meta: RequestMeta;
  #looks: NodeJS.Timeout | undefined;
  readonly #resting = new Set<Server>();
  readonly #again = new Set<Server>();
  #isClosed = false;

  constructor(servers: readonly Server[], deps: ServedToolsDeps) {
    this.#servers = servers;
    this.#deps = deps;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#looks);
  }

  /** What a client is answered that asks for the tools. */
  async list(meta: RequestMeta): Promise<RpcResponse> {
    const answers = await Promise.all(this.#servers.map((server) => this.#load(server, meta)));
    const taken = new Set<unknown>();
    const shown = answers.map((answer, index): RpcResponse => {
      const { rules, held } = this.#servers[index] as Server;
      if (answer.result === undefined) return answer;
      const tools = (answer.result['tools'] as UpstreamTool[])
        // Of two tools of one name the first server's is called.
        .filter(({ name }) => this.#servers.length === 1 || !taken.has(name))
        .map((tool) => shownTool(tool, held.get(tool.name), rules));
      for (const { name } of tools) taken.add(name);
      return { result: { ...answer.result, tools } };
    });
    this.#compare(true);
    return mergeAnswers('tools/list', shown);
  }

  /** @returns the server whose tool it is @throws NoResult where a server that has to be asked is gone */
  async serverOf(name: string, meta: RequestMeta): Promise<Server> {
    const asked = this.#servers.filter(({ tools }) => tools === undefined);
    for (const server of asked) await this.#load(server, meta);
    const found = this.#servers.find(({ tools }) => tools?.has(name) === true) ?? this.#servers[0];
    if (found === undefined) throw new Error('A guard stands before one server at least.');
    // A person may have accepted it at the node meanwhile: as it is listed now.
    const isAsked = this.#isHeld(found, name) && this.#deps.reports?.mayAsk() === true;
    if (isAsked) await this.#load(found, meta);
    if (isAsked || asked.length > 0) this.#compare(false);
    return found;
  }

  /** @returns why it must not be called; undefined where it may */
  reasonAgainst(server: Server, name: string): string | undefined {
    return this.#isHeld(server, name) ? server.held.get(name) : undefined;
  }

  /** Its server says that its tools changed: none is called before they are compared. */
  changed(server: Server): void {
    server.tools = undefined;
    if (this.#known === undefined) this.#deps.onChange(false);
    else this.#reload(server);
  }

  #isHeld({ held, tools, link }: Server, name: string): boolean {
    const tool = tools?.get(name);
    return held.has(name) && tool !== undefined && !isAccepted(this.#deps.state, link.name, tool);
  }

  async #load(server: Server, meta: RequestMeta): Promise<RpcResponse> {
    const { progressToken: _own, ...rest } = meta ?? {};
    if (meta !== undefined) this.#meta = rest;
    const answer = await listTools(server.link, meta === undefined ? undefined : rest);
    if (answer.result === undefined) return answer;
    const tools = answer.result['tools'] as UpstreamTool[];
    const { reports, state } = this.#deps;
    const { link, rules } = server;
    server.held = heldBack(state, link.name, tools);
    server.tools = new Map(tools.map((tool) => [tool.name, tool]));
    reports?.saw({ name: link.name, rules }, tools);
    if (server.held.size > 0 && (await reports?.takeUp(link.name, tools)) === true) {
      server.held = heldBack(state, link.name, tools);
      reports?.saw({ name: link.name, rules }, tools);
    }
    this.#loaded.set(server, servedText(tools, server.held));
    this.#watch();
    return answer;
  }

  /** Tells the client where it is served other tools than it knows. @param isSaid whether a server says that there are others */
  #compare(isAsked: boolean, isSaid = false): void {
    const served = JSON.stringify(this.#servers.map((server) => this.#loaded.get(server)));
    const before = this.#known;
    this.#known = served;
    if (before !== undefined && (isSaid || before !== served)) this.#deps.onChange(isAsked);
  }

  #reload(server: Server): void {
    if (this.#isClosed) return;
    if (this.#resting.has(server)) {
      this.#again.add(server);
      return;
    }
    this.#resting.add(server);
    setTimeout(() => {
      this.#resting.delete(server);
      if (this.#again.delete(server)) this.#reload(server);
    }, REST_MS).unref();
    void this.#loadUnasked(server, true);
  }

  async #loadUnasked(server: Server, isSaid: boolean): Promise<void> {
    try {
      await this.#load(server, ownOf(this.#meta));
      this.#compare(false, isSaid);
    } catch (error) {
      if (!this.#isClosed) this.#deps.log(`the tools of ${server.link.name}: ${(error as Error).message}`);
    }
  }

  /** Looks now and then while something is held back, and no longer; no process stays for it. */
  #watch(): void {
    const isHeld = !this.#isClosed && this.#servers.some(({ held }) => held.size > 0);
    if (!isHeld) {
      clearInterval(this.#looks);
      this.#looks = undefined;
    } else this.#looks ??= setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  async #look(): Promise<void> {
    for (const server of this.#servers) {
      const { held, link, tools } = server;
      const waiting = [...held.keys()].flatMap((name) => tools?.get(name) ?? []);
      if (waiting.length === 0) continue;
      const isHere = waiting.some((tool) => isAccepted(this.#deps.state, link.name, tool));
      if (isHere || (await this.#deps.reports?.isAccepted(link.name, waiting)) === true)
        await this.#loadUnasked(server, false);
    }
  }
}

/** In no order of the server's, and without what changes though a person has not to look at it. */
function servedText(tools: readonly UpstreamTool[], held: ReadonlyMap<string, string>): string {
  return JSON.stringify(tools.map((tool) => `${held.get(tool.name) ?? toolHash(tool)} ${tool.name}`).sort());
}

/** What a request of the guard's own says of itself: what its client is and can do, and nothing of a call. */
function ownOf(meta: RequestMeta): RequestMeta {
  const own = Object.entries(meta ?? {}).filter(([name]) => name.startsWith('io.modelcontextprotocol/'));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}
