/** What `countersign spend` and the other commands for a first look show. */
import type { Attention, Operations, Spend, SpendEntry } from '../../../client/operations.ts';
import { moneyText } from '../../../protocol/money.ts';
import { categoryText } from '../../../protocol/policy/values/category.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { type Cell, columns, localTime, statusCell } from '../output/layout.ts';
import { limitTable } from '../output/limitText.ts';
import { print, printPieces } from '../output/print.ts';
import { inputOf } from '../target/listRecords.ts';
import { agentCalled, agentNames, principalCalled, principalNames } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type SpendGrouping = NonNullable<Operations['showSpend']['input']['by']>;

interface SpendOptions extends TargetOptions {
  readonly by?: SpendGrouping;
  readonly csv?: boolean;
}

const SUMS = ['PAYMENTS', 'PAID', 'REFUNDED', 'NET', 'HELD', 'DISPUTED'];
const HEAD: Readonly<Record<SpendGrouping, string>> = {
  agent: 'AGENT',
  merchant: 'MERCHANT',
  day: 'DAY',
  month: 'MONTH',
  principal: 'WHOSE MONEY',
  category: 'CATEGORY',
};

export function showSpend(env: NodeJS.ProcessEnv, options: SpendOptions): Promise<void> {
  const { by } = options;
  return withTarget(env, options, async ({ client, listAsCsv }) => {
    const chosen = await inputOf(client, 'showSpend', options);
    if (options.csv === true) return printPieces(listAsCsv('showSpend', chosen));
    const spend = await client.showSpend(chosen);
    const names = new Map<string, string>();
    const dids = spend.entries.flatMap(({ agentDid, principalDid }) => agentDid ?? principalDid ?? []);
    // An agent may spend its own money.
    if (dids.length > 0) for (const [did, name] of await agentNames(client, dids)) names.set(did, name);
    if (by === 'principal') for (const [did, name] of await principalNames(client)) names.set(did, name);
    print(options, spend, by === undefined ? totalsOf(spend) : entriesOf(spend, HEAD[by], names));
  });
}

export function showAttention(env: NodeJS.ProcessEnv, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const attention = await client.showAttention({});
    print(options, attention, attentionOf(attention));
  });
}

interface SearchOptions extends TargetOptions {
  readonly limit: number;
}

export function search(env: NodeJS.ProcessEnv, text: string, options: SearchOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const found = await client.search({ q: text, limit: options.limit });
    const rows = found.hits.map(({ kind, id, label, status }) => [kind, statusCell(status ?? ''), label, id]);
    print(options, found, columns(['WHAT', 'STATUS', 'LABEL', 'ID'], rows));
  });
}

function attentionOf({ items, counts }: Attention): string {
  if (items.length === 0) return 'Nothing needs you.';
  const rows = items.map(({ kind, message, since, until, dueBy = until, url }) => [
    kind,
    since === undefined ? '' : localTime(since),
    dueBy === undefined ? '' : localTime(dueBy),
    url === undefined ? message : `${message} ${url}`,
  ]);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const table = columns(['WHAT', 'SINCE', 'UNTIL', ''], rows);
  return total > items.length ? `${table}\n${total - items.length} more.` : table;
}

function inWords({ merchant, day, month, category = 'none' }: SpendEntry): string {
  return merchant ?? day ?? month ?? categoryText(category);
}

function totalsOf({ totals }: Spend): string {
  return columns(
    SUMS,
    totals.map((sums) => sumsOf(sums)),
  );
}

function entriesOf({ totals, entries, hasMore }: Spend, head: string, names: ReadonlyMap<string, string>): string {
  const nameOf = ({ agentDid, principalDid = agentDid, ...entry }: SpendEntry) =>
    principalDid === undefined ? inWords(entry) : (names.get(principalDid) ?? principalDid);
  const rows = entries.map((entry) => [nameOf(entry), ...sumsOf(entry)]);
  const all = totals.map((sums) => ['all', ...sumsOf(sums)]);
  const table = columns([head, ...SUMS], [...rows, ...(rows.length === 0 ? [] : all)]);
  return hasMore ? `${table}\nThere are more; a shorter time, or --currency, shows fewer.` : table;
}

function sumsOf({ payments, paid, refunded, net, held, disputed, currency }: Spend['totals'][number]): Cell[] {
  return [String(payments), ...[paid, refunded, net, held, disputed].map(({ text }) => moneyText(text, currency))];
}

interface LimitsOptions extends TargetOptions {
  readonly agent?: string;
  readonly principal?: string;
}

export function showLimits(env: NodeJS.ProcessEnv, options: LimitsOptions): Promise<void> {
  const { agent, principal } = options;
  return withTarget(env, options, async ({ client }) => {
    const agentDid = agent === undefined ? undefined : await agentCalled(client, agent);
    const principalDid = principal === undefined ? undefined : await principalCalled(client, principal);
    const shown = await client.showLimits(compact({ agentDid, principalDid }));
    print(options, shown, shown.limits.length === 0 ? noneText(options) : limitTable(shown.limits));
  });
}

function noneText({ agent, principal }: LimitsOptions): string {
  if (agent !== undefined) return 'No limit over time holds for this agent.';
  return principal === undefined
    ? 'No limit is shared by all agents; --agent shows those of one, --principal those that agents with the same money share.'
    : 'No limit is shared by the agents that spend this money; --agent shows those of one.';
}
