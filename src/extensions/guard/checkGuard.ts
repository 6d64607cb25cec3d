/** `countersign guard check`: what the rules do with each tool of the servers, and what has changed since a person accepted them. No tool is called. */
import { acceptTools, compareTools, type StateFile, type ToolChanges } from './guardState.ts';
import type { GuardedUpstream } from './pipe/relay.ts';
import { listTools, losesOutputSchema } from './pipe/toolCatalog.ts';
import { UpstreamLink } from './pipe/upstreamLink.ts';
import type { GuardConfig, ToolRule } from './rules/guardConfig.ts';
import { isReadOnly, matches, moneyMembers, type UpstreamTool } from './rules/readCall.ts';

interface CheckOptions {
  readonly accept: boolean;
  readonly config: GuardConfig;
  readonly state: StateFile;
  readonly version: string;
  readonly print: (text: string) => void;
  readonly log: (line: string) => void;
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
    const lines = linesOf(upstream, tools, options.config, changes);
    for (const { text, isOpen } of lines) {
      options.print(text);
      needsPerson ||= isOpen && !options.accept;
    }
    if (options.accept) {
      acceptTools(options.state, upstream.name, tools);
      options.print(`${upstream.name}: these ${tools.length} tools are accepted.`);
    }
  }
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
  config: GuardConfig,
  changes: ToolChanges,
): Line[] {
  const lines: Line[] = [{ text: `${name}: ${tools.length} tools`, isOpen: false }];
  if (tools.length > 0 && tools.every(({ annotations }) => annotations === undefined)) {
    lines.push({ text: '  No tool has annotations: what only reads is known by rules alone.', isOpen: false });
  }
  for (const tool of tools) {
    const { text, isOpen } = treatmentOf(tool, rules, config);
    const changed = changes.changed.includes(tool.name) ? 'CHANGED since it was accepted' : undefined;
    const added = changes.added.includes(tool.name) ? 'NEW since the tools were accepted' : undefined;
    const removed = losesOutputSchema(tool, rules)
      ? 'its outputSchema is not shown, since it may ask for payment'
      : undefined;
    const notes = [changed, added, removed].filter((note) => note !== undefined);
    const told = [text, ...notes].join('; ');
    lines.push({ text: `  ${tool.name}: ${told}`, isOpen: isOpen || changed !== undefined || added !== undefined });
  }
  for (const gone of changes.gone)
    lines.push({ text: `  ${gone}: is GONE; it was there when the tools were accepted`, isOpen: true });
  for (const rule of rules.filter(({ action }) => action === 'guard')) {
    if (!tools.some((tool) => matches(rule, tool.name)))
      lines.push({ text: `  (no tool matches the rule "${rule.match}")`, isOpen: false });
  }
  return lines;
}

function treatmentOf(tool: UpstreamTool, rules: readonly ToolRule[], { unmatched }: GuardConfig): Line {
  const matching = rules.filter((rule) => matches(rule, tool.name));
  // After one that holds for every call no other is asked.
  const last = matching.findIndex(({ when }) => when === undefined);
  const asked = last === -1 ? matching : matching.slice(0, last + 1);
  const parts = asked.map(ruleText);
  if (last !== -1) return { text: parts.join('; else '), isOpen: false };
  const rest = unmatchedText(tool, unmatched);
  return { text: [...parts, rest.text].join('; else '), isOpen: rest.isOpen };
}

function unmatchedText(tool: UpstreamTool, unmatched: GuardConfig['unmatched']): Line {
  const reads = isReadOnly(tool);
  const action = reads ? unmatched.read_only : unmatched.other;
  const members = moneyMembers(tool);
  const money = members.length === 0 ? '' : `, though it names ${members.join(', ')}`;
  if (reads) return { text: `${ACTION[action]} as read-only`, isOpen: false };
  const claims = tool.annotations?.readOnlyHint === true ? ' (it calls itself read-only)' : '';
  const text = `${ACTION[action]}: no rule says what it may spend${money}${claims}`;
  return { text, isOpen: money !== '' || (action !== 'refuse' && tool.annotations === undefined) };
}

const ACTION = { forward: 'forwarded', refuse: 'refused', ask: 'asks the person' } as const;

function ruleText(rule: ToolRule): string {
  const when = Object.entries(rule.when ?? {}).map(([path, value]) => {
    const values = [value].flat();
    return `${path} is ${values.length > 3 ? `one of ${values.length} names` : values.join(' or ')}`;
  });
  const where = when.length === 0 ? '' : ` where ${when.join(' and ')}`;
  if (rule.action !== 'guard') return `${ACTION[rule.action]} by a rule${where}`;
  const what =
    rule.completes === undefined
      ? `amount from ${amountText(rule)}`
      : `what was reserved for the order at ${rule.completes}`;
  return `guarded${where}: ${what}`;
}

function amountText({ amount, unit, currency }: ToolRule): string {
  const terms = [amount].flat().map((term) => {
    if (typeof term !== 'object') return String(term);
    const { each, price, quantity, percent, minus } = term;
    const product = [`${each ?? ''}${each === undefined ? price : price.slice(1)}`, quantity, percent && `${percent} %`]
      .filter(Boolean)
      .join(' × ');
    return minus === true ? `− ${product}` : product;
  });
  return `${terms.join(' + ').replaceAll('+ −', '−')} (${unit} units, ${currency})`;
}
