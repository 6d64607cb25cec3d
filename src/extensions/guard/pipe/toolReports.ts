/**
 * What the node knows of the tools behind this guard, and what people accept there. It is told when a list changes or something was
 * accepted, never with a call; a node that is away, or that keeps no such list, changes nothing for the guard.
 */
import { CountersignError } from '../../../../client/error.ts';
import type { Guard } from '../../../../client/operations.ts';
import { MOST_DEFINITION, MOST_DEFINITIONS, MOST_GUARD_TOOLS } from '../../../../protocol/guard/guardTools.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { inertText } from '../../../../protocol/wire/plainText.ts';
import type { AcceptedTexts } from '../acceptedTexts.ts';
import { acceptTool, compareTools, type StateFile, sha256, toolHash, toolText } from '../guardState.ts';
import type { GuardReport, ToolNode } from '../reservationNode.ts';
import type { GuardConfig, ToolRule } from '../rules/guardConfig.ts';
import { isReadOnly, type UpstreamTool } from '../rules/readCall.ts';
import { treatmentOf } from '../rules/treatment.ts';
import { isAway } from './sentCalls.ts';

type ToolReport = GuardReport['servers'][number]['tools'][number];

interface ReportDeps {
  /** What the node calls this guard. */
  readonly name: string;
  readonly agentDid: string;
  /** Of all servers behind the guard. */
  readonly servers: readonly string[];
  readonly node: ToolNode;
  readonly state: StateFile;
  readonly texts: AcceptedTexts;
  readonly unmatched: GuardConfig['unmatched'];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** One line, for who operates the guard. */
  readonly log: (line: string) => void;
}

interface ListedServer {
  readonly rules: readonly ToolRule[];
  readonly tools: readonly UpstreamTool[];
}

const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** For the list of the last server, where there are several. */
const GATHER_MS = 10_000;
/** How often the node is asked for what was accepted, and how long a client waits for that. */
const ASK_EVERY_MS = 3_000;
const WAIT_MS = 3_000;
/** While nothing is called; less than what lies between the looks of a client's tools. */
const LOOK_EVERY_MS = 25_000;
/** The node forgets a guard that it does not hear of. */
const AGAIN_MS = 24 * 3_600_000;

export class ToolReports {
  readonly #deps: ReportDeps;
  readonly #listed = new Map<string, ListedServer>();
  /** What people accepted and this guard has not taken up: the hash, by server and tool. */
  readonly #accepted = new Map<string, string>();
  /** Counts lists: an answer to an older one says nothing of what is listed now. */
  #version = 0;
  #id: string | undefined;
  #lastTold = '';
  #lastAskedAt = Number.NEGATIVE_INFINITY;
  #tries = 0;
  /** That the node knows no guards, or this one no more: it is asked nothing then. */
  #isUnknown = false;
  /** Whether it is told what was accepted of a tool that changed, which a node of before does not take. */
  #tellsAccepted = true;
  #telling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: ReportDeps) {
    this.#deps = deps;
  }

  /** A server has listed its tools. */
  saw(
    { name, rules }: { readonly name: string; readonly rules: readonly ToolRule[] },
    tools: readonly UpstreamTool[],
  ): void {
    this.#listed.set(name, { rules, tools });
    this.#deps.texts.keep(name, tools);
    this.#version++;
    const hashes = new Map(tools.map((tool) => [tool.name, toolHash(tool)]));
    // What was accepted is not what is there: it would have to be accepted once more.
    for (const [key, hash] of this.#accepted) {
      const [server, tool] = JSON.parse(key) as [string, string];
      if (server === name && hashes.get(tool) !== hash) this.#accepted.delete(key);
    }
    const isWhole = this.#deps.servers.every((each) => this.#listed.has(each));
    if (isWhole) void this.#tell();
    else this.#later(GATHER_MS);
  }

  /** Whether the node may be asked once more for what people accepted. */
  mayAsk(): boolean {
    return !this.#isUnknown && this.#deps.now() - this.#lastAskedAt >= ASK_EVERY_MS;
  }

  /**
   * Whether a person has accepted one of these tools at the node, which is looked at now and then for all clients together.
   * @param tools as their server listed them last
   */
  async isAccepted(server: string, tools: readonly UpstreamTool[]): Promise<boolean> {
    if (!this.#isUnknown && this.#deps.now() - this.#lastAskedAt >= LOOK_EVERY_MS) await this.#refresh();
    return tools.some((tool) => this.#accepted.get(JSON.stringify([server, tool.name])) === toolHash(tool));
  }

  /** @param tools as their server lists them now @returns whether a person had accepted one of them at the node */
  async takeUp(server: string, tools: readonly UpstreamTool[]): Promise<boolean> {
    await this.#refresh();
    let isAny = false;
    for (const tool of tools) {
      const key = JSON.stringify([server, tool.name]);
      if (this.#accepted.get(key) !== toolHash(tool)) continue;
      this.#accepted.delete(key);
      acceptTool(this.#deps.state, server, tool);
      this.#deps.log(`${server} ${inertText(tool.name)}: accepted at the node`);
      isAny = true;
    }
    return isAny;
  }

  /** @returns once the node was told of what is there, or could not be */
  async told(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#tell();
  }

  async #refresh(): Promise<void> {
    if (this.#telling !== undefined) {
      await Promise.race([this.#telling, new Promise((done) => setTimeout(done, WAIT_MS).unref())]);
      return;
    }
    const id = this.#id;
    if (id === undefined || !this.mayAsk()) return;
    this.#lastAskedAt = this.#deps.now();
    const version = this.#version;
    try {
      this.#take(await this.#deps.node.show(id), version);
    } catch (error) {
      if (!(error instanceof CountersignError) || error.status !== 404) return;
      this.#lastTold = '';
      await this.#tell();
    }
  }

  #take(guard: Guard, version: number): void {
    this.#id = guard.id;
    if (version !== this.#version) return;
    this.#accepted.clear();
    for (const { name, tools } of guard.servers)
      for (const tool of tools)
        if (tool.acceptance !== undefined) this.#accepted.set(JSON.stringify([name, tool.name]), tool.hash);
  }

  /** What fails in it stops no call. */
  async #tell(): Promise<void> {
    try {
      await this.#tellNow();
    } catch (error) {
      this.#deps.log(`the node is not told of the tools: ${(error as Error).message}`);
    }
  }

  async #tellNow(): Promise<void> {
    if (this.#telling !== undefined) {
      await this.#telling;
      if (this.#telling !== undefined) return;
    }
    if (this.#isUnknown) return;
    const { name, agentDid, node, now } = this.#deps;
    const version = this.#version;
    const tellsAccepted = this.#tellsAccepted;
    const servers = reportOf(this.#listed, this.#deps, tellsAccepted);
    const text = JSON.stringify(servers);
    if (text === this.#lastTold) return;
    this.#lastAskedAt = now();
    this.#telling = node
      .tell({ name, agentDid, servers })
      .then((guard) => {
        this.#lastTold = text;
        this.#tries = 0;
        this.#take(guard, version);
        this.#later(AGAIN_MS, true);
      })
      // Also what is no answer of a node: the guard goes on as it would without one.
      .catch((error: unknown) => this.#failed(error, text))
      .finally(() => {
        this.#telling = undefined;
      });
    await this.#telling;
    if (version !== this.#version || tellsAccepted !== this.#tellsAccepted) await this.#tell();
  }

  #failed(error: unknown, text: string): void {
    const { message } = error as Error;
    if (isAway(error)) {
      this.#later(PAUSES_MS[Math.min(this.#tries++, PAUSES_MS.length - 1)] as number);
      if (this.#tries === 1) this.#deps.log(`the node does not know the tools yet: ${message}`);
      return;
    }
    if (this.#tellsAccepted && isOfAccepted(error)) {
      this.#tellsAccepted = false;
      this.#deps.log(`the node shows no comparison of tools that changed, and is told the rest: ${message}`);
      return;
    }
    this.#lastTold = text;
    const { status } = error as CountersignError;
    if (status === 404 || status === 409) {
      this.#isUnknown = true;
      // What people accepted there and this guard has not taken up ends.
      this.#accepted.clear();
    }
    this.#deps.log(`the node keeps no list of the tools: ${message}`);
  }

  /** @param isForced though nothing has changed */
  #later(pauseMs: number, isForced = false): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (isForced) {
        this.#lastTold = '';
        // It may be a newer one by then.
        this.#tellsAccepted = true;
      }
      void this.#tell();
    }, pauseMs);
    this.#timer.unref();
  }
}

/** Whether the node refuses no more of a report than what was accepted of its tools. */
function isOfAccepted(error: unknown): boolean {
  if (!(error instanceof CountersignError) || error.status !== 400 || error.details.length === 0) return false;
  return error.details.every(({ path }) => /^servers\.\d+\.tools\.\d+\.accepted$/.test(path));
}

function reportOf(
  listed: ReadonlyMap<string, ListedServer>,
  { state: file, texts, unmatched }: Pick<ReportDeps, 'state' | 'texts' | 'unmatched'>,
  tellsAccepted: boolean,
): GuardReport['servers'] {
  const state = file.read();
  const left = { tools: MOST_GUARD_TOOLS, characters: MOST_DEFINITIONS };
  const servers = [...listed].map(([name, { rules, tools }]) => {
    const { added, changed, gone } = compareTools(state, name, tools);
    const changes = new Map<string, ToolReport['change']>();
    for (const each of added) changes.set(each, 'added');
    for (const each of changed) changes.set(each, 'changed');
    const reports = tools.map((tool) => toolReport(tool, treatmentOf(tool, rules, unmatched), changes.get(tool.name)));
    const accepted = state.tools[name] ?? {};
    const missing = gone.map((each): ToolReport => {
      const told = treatmentOf({ name: each }, rules, unmatched);
      return { name: each, readOnly: false, action: told.action, hash: accepted[each] as string, change: 'gone' };
    });
    const names = new Set<string>();
    // What a person has to look at goes before what does not fit.
    const all = [...reports, ...missing]
      .filter((each) => each.name !== '' && each.name.length <= 200 && !names.has(each.name) && names.add(each.name))
      .sort((one, other) => Number(other.change !== undefined) - Number(one.change !== undefined))
      .slice(0, left.tools);
    left.tools -= all.length;
    return { name, tools: all.map((each) => withinLimits(each, left)) };
  });
  if (!tellsAccepted) return servers;
  // What is listed now goes before what it is compared with.
  return servers.map(({ name, tools }) => ({
    name,
    tools: tools.map((each) => withAccepted(each, texts.of(name, each.name), left)),
  }));
}

function withinLimits(report: ToolReport, left: { characters: number }): ToolReport {
  const { definition, ...rest } = report;
  if (definition === undefined || definition.length > Math.min(MOST_DEFINITION, left.characters)) return rest;
  left.characters -= definition.length;
  return report;
}

function withAccepted(report: ToolReport, text: string | undefined, left: { characters: number }): ToolReport {
  if (report.change !== 'changed' || report.definition === undefined || text === undefined) return report;
  if (text.length > Math.min(MOST_DEFINITION, left.characters)) return report;
  left.characters -= text.length;
  return { ...report, accepted: text };
}

function toolReport(
  tool: UpstreamTool,
  { action, text }: ReturnType<typeof treatmentOf>,
  change: ToolReport['change'],
): ToolReport {
  const title = tool['title'] ?? tool.annotations?.['title'];
  const definition = toolText(tool);
  return compact({
    name: tool.name,
    title: typeof title === 'string' ? inertText(title).slice(0, 200) : undefined,
    readOnly: isReadOnly(tool),
    action,
    rules: inertText(text).slice(0, 300),
    hash: sha256(definition),
    change,
    definition: change === undefined ? undefined : definition,
  });
}
