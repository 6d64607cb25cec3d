/** `countersign evidence bundle|search`: one transaction, and events by what they are. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import type { EvidenceBundle } from '../../../protocol/evidence/query.ts';
import { colour } from '../output/colour.ts';
import { columns, facts, localTime, money } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { DEFAULT_LIMIT, newest } from '../target/pages.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface SearchOptions extends TargetOptions {
  readonly type?: string;
  readonly actor?: string;
  readonly context?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
}

export function addReading(evidence: Command, env: NodeJS.ProcessEnv): void {
  targetOptions(evidence.command('bundle <transaction>'), 'read')
    .description('Show one transaction’s evidence; exit code 1 where its chain does not hold.')
    .option('--portable', 'as one signed file, for "evidence verify" anywhere')
    .option('--out <file>', 'put the portable bundle into a file')
    .action((transactionId: string, options: TargetOptions & { portable?: boolean; out?: string }) =>
      withTarget(env, options, async ({ client }) => {
        const portable = options.portable === true || options.out !== undefined;
        const found = await client.evidenceBundle({ transactionId, ...(portable && { format: 'portable' }) });
        if (options.out !== undefined) {
          writeFileSync(options.out, JSON.stringify(found), { mode: 0o600 });
          print(
            options,
            { transactionId, file: options.out },
            `${options.out} holds the evidence of ${transactionId}.`,
          );
        } else if (portable) {
          console.log(JSON.stringify(found));
        } else {
          const bundle = found as EvidenceBundle;
          print(options, bundle, describe(bundle));
          if (!bundle.chainValid) process.exitCode = 1;
        }
      }),
    );
  targetOptions(evidence.command('search'), 'read')
    .description('Search events, newest first.')
    .option('--type <type>', 'such as INTENT_DENIED')
    .option('--actor <did>', 'only what this one did')
    .option('--context <id>', 'only of this session')
    .option('--from <moment>', 'from this moment on (ISO 8601)')
    .option('--to <moment>', 'up to this moment')
    .option('--limit <count>', 'how many', DEFAULT_LIMIT)
    .action((options: SearchOptions) =>
      withTarget(env, options, async ({ client }) => {
        const { type: eventType, actor: actorDid, context: contextId, from, to } = options;
        const chosen = {
          ...(eventType && { eventType }),
          ...(actorDid && { actorDid }),
          ...(contextId && { contextId }),
          ...(from && { from }),
          ...(to && { to }),
        };
        const events = await newest(options.limit, (page) => client.searchEvidence({ ...page, ...chosen }));
        print(options, events, eventTable(events as EvidenceEvent[]));
      }),
    );
}

function describe({ transactionId, summary, events, chainValid }: EvidenceBundle): string {
  const about = facts({
    Transaction: transactionId,
    Status: summary.status,
    Amount: money(summary.amount, summary.currency),
    Merchant: summary.merchant,
    Agent: summary.agent,
    Chain: chainValid ? { text: 'holds', paint: colour.green } : { text: 'does not hold', paint: colour.red },
  });
  return `${about}\n\n${eventTable(events)}`;
}

function eventTable(events: readonly EvidenceEvent[]): string {
  const rows = events.map((event) => [
    String(event.seq),
    localTime(event.createdAt),
    event.eventType,
    sayingOf(event.data),
  ]);
  return columns(['SEQ', 'WHEN', 'EVENT', 'ABOUT'], rows);
}

/** What an event is about, in a few words: an amount, a shop, reasons, or whom it names. */
export function sayingOf(data: Readonly<Record<string, unknown>>): string {
  const amount = data.amount ?? data.maxAmount;
  const shop = data.merchant ?? data.merchantDomain;
  const said = [
    typeof amount === 'number' && typeof data.currency === 'string' ? money(amount, data.currency) : undefined,
    typeof shop === 'string' ? `at ${shop}` : undefined,
    Array.isArray(data.reasonCodes) && data.reasonCodes.length > 0 ? data.reasonCodes.join(', ') : undefined,
  ].filter((part) => part !== undefined);
  if (said.length > 0) return said.join(' ');
  const named = data.displayName ?? data.name ?? data.agentDid ?? data.reason ?? '';
  return typeof named === 'string' ? named : '';
}
