/** `countersign evidence bundle|search`: one transaction, and events by what they are. */
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { EVIDENCE_TYPES } from '../../../protocol/evidence/eventTypes.ts';
import type { EvidenceBundle } from '../../../protocol/evidence/query.ts';
import { WrongUse } from '../commandFailure.ts';
import { requireFolderOf, writePrivateFile } from '../input/files.ts';
import { columns, facts, localTime, money } from '../output/layout.ts';
import { colour, print } from '../output/print.ts';
import { inputOf, type ListOptions } from '../target/listRecords.ts';
import { agentNames, newest } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

interface BundleOptions extends TargetOptions {
  readonly portable?: boolean;
  readonly out?: string;
}

export function showBundle(env: NodeJS.ProcessEnv, transactionId: string, options: BundleOptions): Promise<void> {
  const { out } = options;
  if (out !== undefined) requireFolderOf(out);
  return withTarget(env, options, async ({ client }) => {
    const portable = options.portable === true || out !== undefined;
    const found = await client.evidenceBundle({ transactionId, ...(portable && { format: 'portable' }) });
    if (out !== undefined) {
      writePrivateFile(out, JSON.stringify(found));
      print(options, { transactionId, file: out }, `${out} holds the evidence of ${transactionId}.`);
    } else if (portable) {
      console.log(JSON.stringify(found));
    } else {
      const bundle = found as EvidenceBundle;
      print(options, bundle, describe(bundle, await namesOf(client, bundle.events)));
      if (!bundle.chainValid) process.exitCode = 1;
    }
  });
}

export function searchEvidence(
  env: NodeJS.ProcessEnv,
  options: ListOptions & { readonly type?: string },
): Promise<void> {
  if (options.type !== undefined) requireEvidenceTypes([options.type]);
  return withTarget(env, options, async ({ client }) => {
    const chosen = await inputOf(client, 'searchEvidence', options);
    const events = await newest(options.limit, (page) => client.searchEvidence({ ...page, ...chosen }));
    const found = events as EvidenceEvent[];
    print(options, events, eventTable(found, await namesOf(client, found)));
  });
}

/** @throws WrongUse for one that is not known, since a search for it would find nothing */
export function requireEvidenceTypes(types: readonly string[]): void {
  const unknown = types.find((type) => !(EVIDENCE_TYPES as readonly string[]).includes(type));
  if (unknown === undefined) return;
  throw new WrongUse(`"${unknown}" is not an event type; it must be one of ${EVIDENCE_TYPES.join(', ')}.`);
}

function namesOf(client: Target['client'], events: readonly EvidenceEvent[]): Promise<ReadonlyMap<string, string>> {
  return agentNames(
    client,
    events.flatMap(({ data }) => (typeof data.agentDid === 'string' ? [data.agentDid] : [])),
  );
}

function describe(
  { transactionId, summary, events, chainValid }: EvidenceBundle,
  names: ReadonlyMap<string, string>,
): string {
  const { agent } = summary;
  const name = names.get(agent);
  const about = facts({
    Transaction: transactionId,
    Status: summary.status,
    Amount: money(summary.amount, summary.currency),
    Merchant: summary.merchant,
    Agent: name === undefined ? agent : `${name} (${agent})`,
    Chain: chainValid ? { text: 'holds', paint: colour.green } : { text: 'does not hold', paint: colour.red },
  });
  return `${about}\n\n${eventTable(events, names)}`;
}

function eventTable(events: readonly EvidenceEvent[], names: ReadonlyMap<string, string>): string {
  const rows = events.map(({ seq, createdAt, eventType, data }) => {
    const { agentDid = '', ...rest } = data;
    const agent = String(agentDid);
    return [String(seq), localTime(createdAt), eventType, names.get(agent) ?? agent, subjectOf(rest)];
  });
  return columns(['SEQ', 'WHEN', 'EVENT', 'AGENT', 'ABOUT'], rows);
}

/** The subject of an event in a few words: an amount, a merchant, reason codes, what went wrong, or a name. */
export function subjectOf(given: Readonly<Record<string, unknown>>): string {
  const data = { ...membersOf(given.request), ...given };
  const amount = data.amount ?? data.maxAmount;
  const shop = data.merchant ?? data.merchantDomain;
  const { code, message } = membersOf(data.error);
  const subject = [
    typeof amount === 'number' && typeof data.currency === 'string' ? money(amount, data.currency) : undefined,
    typeof shop === 'string' ? `at ${shop}` : undefined,
    Array.isArray(data.reasonCodes) && data.reasonCodes.length > 0 ? data.reasonCodes.join(', ') : undefined,
    typeof code === 'string' ? `${code}: ${message}` : undefined,
  ].filter((part) => part !== undefined);
  if (subject.length > 0) return subject.join(' ');
  const named = data.displayName ?? data.name ?? data.violationType ?? data.agentDid ?? data.reason ?? '';
  return typeof named === 'string' ? named : '';
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
