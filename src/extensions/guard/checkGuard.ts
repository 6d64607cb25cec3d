/** `countersign guard check`: what the rules do with each tool of the servers, and what has changed since a person accepted them. No tool is called. */
import { revealedText } from '../../../protocol/guard/revealedText.ts';
import { differenceText } from '../../../protocol/guard/toolDifference.ts';
import type { AcceptedTexts } from './acceptedTexts.ts';
import { acceptTools, compareTools, type StateFile, type ToolChanges, toolText } from './guardState.ts';
import type { GuardedUpstream } from './pipe/relay.ts';
import { listTools, losesOutputSchema } from './pipe/toolCatalog.ts';
import type { ToolReports } from './pipe/toolReports.ts';
import { UpstreamLink } from './pipe/upstreamLink.ts';
import type { GuardConfig } from './rules/guardConfig.ts';
import { matches, type UpstreamTool } from './rules/readCall.ts';
import { treatmentOf } from './rules/treatment.ts';

interface CheckOptions {
  readonly accept: boolean;
  readonly config: GuardConfig;
  readonly state: StateFile;
  readonly texts: AcceptedTexts;
  readonly version: string;
  readonly print: (text: string) => void;
  readonly log: (line: string) => void;
  /** Tells the node of the tools; absent where no key of it is given. */
  readonly reports?: ToolReports | undefined;
}

/** @returns whether something needs a person */
export async function checkGuard(upstreams: readonly GuardedUpstream[], options: CheckOptions): Promise<boolean> {
  let needsPerson = false;
  for (const upstream of upstreams) {
    const tools = await toolsOf(upstream, options);
    if (tools === undefined) {
      needsPerson = true;
      continue;
    }
    const changes = compareTools(options.state.read(), upstream.name, tools);
    options.texts.keep(upstream.name, tools);
    const lines = linesOf(upstream, tools, options, changes);
    for (const { text, isOpen } of lines) {
      options.print(text);
      needsPerson ||= isOpen && !options.accept;
    }
    if (options.accept) {
      acceptTools(options.state, upstream.name, tools);
      options.print(`${upstream.name}: these ${tools.length} tools are accepted.`);
      options.texts.keep(upstream.name, tools);
    }
    options.reports?.saw(upstream, tools);
  }
  await options.reports?.told();
  return needsPerson;
}

async function toolsOf(
  upstream: GuardedUpstream,
  { log, print, version }: CheckOptions,
): Promise<UpstreamTool[] | undefined> {
  const link = new UpstreamLink(upstream.name, upstream.transport, { onMessage: () => {}, onClose: () => {}, log });
  try {
    await link.start();
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'countersign-guard', version },
    };
    const opened = await link.request('initialize', params).answer;
    const agreed = opened.result?.['protocolVersion'];
    if (typeof agreed === 'string') link.setProtocolVersion(agreed);
    await link.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { result, error } = opened.error === undefined ? await listTools(link, undefined) : opened;
    if (result !== undefined) return result['tools'] as UpstreamTool[];
    print(`${upstream.name}: does not list its tools: ${error?.message}`);
  } catch (error) {
    print(`${upstream.name}: cannot be asked: ${(error as Error).message}`);
  } finally {
    await link.close();
  }
  return undefined;
}

interface Line {
  readonly text: string;
  /** Whether a person has to look. */
  readonly isOpen: boolean;
}

/** What the rules do with each tool of one server. */
function linesOf(
  { name, rules }: Pick<GuardedUpstream, 'name' | 'rules'>,
  tools: readonly UpstreamTool[],
  { config, texts }: Pick<CheckOptions, 'config' | 'texts'>,
  changes: ToolChanges,
): Line[] {
  const lines: Line[] = [{ text: `${name}: ${tools.length} tools`, isOpen: false }];
  if (tools.length > 0 && tools.every(({ annotations }) => annotations === undefined)) {
    lines.push({ text: '  No tool has annotations: what only reads is known by rules alone.', isOpen: false });
  }
  for (const tool of tools) {
    const { text, isOpen } = treatmentOf(tool, rules, config.unmatched);
    const changed = changes.changed.includes(tool.name) ? 'CHANGED since it was accepted' : undefined;
    const added = changes.added.includes(tool.name) ? 'NEW since the tools were accepted' : undefined;
    const removed = losesOutputSchema(tool, rules)
      ? 'its outputSchema is not shown, since it may ask for payment'
      : undefined;
    const notes = [changed, added, removed].filter((note) => note !== undefined);
    const told = [text, ...notes].join('; ');
    const isOther = changed !== undefined || added !== undefined;
    lines.push({ text: `  ${revealedText(tool.name)}: ${told}`, isOpen: isOpen || isOther });
    if (isOther) lines.push({ text: toldText(tool, texts.of(name, tool.name)), isOpen: false });
  }
  for (const gone of changes.gone)
    lines.push({ text: `  ${revealedText(gone)}: is GONE; it was there when the tools were accepted`, isOpen: true });
  for (const rule of rules.filter(({ action }) => action === 'guard')) {
    if (!tools.some((tool) => matches(rule, tool.name)))
      lines.push({ text: `  (no tool matches the rule "${rule.match}")`, isOpen: false });
  }
  return lines;
}

/** So much of a tool is printed: a terminal keeps no more. */
const MOST_PRINTED = 200_000;

/** All that a model is told of it; where it is known what was accepted, with what is struck and what is new. */
function toldText(tool: UpstreamTool, accepted: string | undefined): string {
  const definition = toolText(tool);
  const text = differenceText(accepted, definition, '    ');
  if (text.length <= MOST_PRINTED) return text;
  return `${text.slice(0, MOST_PRINTED)}\n    … and ${text.length - MOST_PRINTED} characters more: do not accept what you have not read.`;
}
