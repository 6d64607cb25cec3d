/** `countersign policy replay DRAFT`: which recorded decisions a draft would have turned round, and why. */
import type { Command } from 'commander';
import { MAX_EXPORT } from '../../../protocol/evidence/query.ts';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import {
  type Flip,
  REPLAYED_EVENTS,
  type Replay,
  type ReplayedDecision,
  startReplay,
} from '../../../protocol/policy/replay.ts';
import { eventsIn } from '../evidence/eventStream.ts';
import { wholeNumber } from '../input/numbers.ts';
import { colour } from '../output/colour.ts';
import { type Cell, columns, localTime, money } from '../output/layout.ts';
import { progress } from '../output/progress.ts';
import { type NodeAccess, withNode } from '../target/nodeAccess.ts';
import { print, type Where, whereOptions } from '../target/reach.ts';
import { readPolicyFile } from './policyFile.ts';

const DAY_MS = 24 * 3600 * 1000;
const SHOWN = 50;

interface ReplayOptions extends Where {
  readonly days: string;
  readonly failOnFlips?: boolean;
}

export function addReplay(policy: Command, env: NodeJS.ProcessEnv): void {
  whereOptions(policy.command('replay <draft>'), 'read')
    .description('Run a draft against the requests of the last days, and say which decisions would flip and why.')
    .option('--days <count>', 'how many days back requests are judged; what is older builds up history', '30')
    .option('--fail-on-flips', 'exit code 1 where a decision would flip')
    .action((file: string, options: ReplayOptions) => {
      const replaying = startReplay(
        compilePolicy(readPolicyFile(file).rules),
        Date.now() - wholeNumber(options.days, '--days') * DAY_MS,
      );
      return withNode(env, options, async (node) => {
        await readInto(node, replaying.add);
        const replay = replaying.result();
        print(options, replay, describe(replay));
        if (options.failOnFlips === true && replay.flips.length > 0) process.exitCode = 1;
      });
    });
}

async function readInto(node: NodeAccess, take: ReturnType<typeof startReplay>['add']): Promise<void> {
  const newest = (await node.client.searchEvidence({ limit: 1 })).data[0]?.seq ?? 0;
  const bar = progress('Replaying');
  const asked = { eventTypes: REPLAYED_EVENTS.join(','), last: String(MAX_EXPORT), format: 'json' };
  let read = 0;
  try {
    for await (const event of eventsIn(node.exportEvidence(asked))) {
      take(event);
      read += 1;
      if (read % 500 === 0) bar.at(event.seq, newest);
    }
  } finally {
    bar.end();
  }
}

function describe({ requests, wereAllowed, wouldBeAllowed, wouldNeedPresence, flips }: Replay): string {
  const totals = [
    `${requests} requests: ${wereAllowed} were allowed, ${wouldBeAllowed} would be, ` +
      `${wouldNeedPresence} of them with the person.`,
    flips.length === 0 ? 'No decision would flip.' : `${flips.length} decisions would flip:`,
  ];
  if (flips.length === 0) return totals.join('\n');
  const table = columns(['WHEN', 'AMOUNT', 'MERCHANT', 'WAS', 'WOULD BE', 'WHY'], flips.slice(-SHOWN).map(row));
  const rest = flips.length > SHOWN ? [`… and ${flips.length - SHOWN} before these; --json lists all.`] : [];
  return [...totals, '', table, ...rest].join('\n');
}

function row(flip: Flip): Cell[] {
  const reasons = Object.values(flip.details ?? {}).map((detail) => detail?.message ?? '');
  return [
    localTime(flip.createdAt),
    money(flip.amount, flip.currency),
    flip.merchantDomain ?? '',
    decision(flip.was),
    decision(flip.would),
    reasons.length > 0 ? reasons.join(' ') : flip.was.reasonCodes.map((code) => `no ${code} any more`).join(', '),
  ];
}

function decision({ allowed, hpRequired }: ReplayedDecision): Cell {
  if (!allowed) return { text: 'refused', paint: colour.red };
  return hpRequired ? { text: 'with person', paint: colour.yellow } : { text: 'allowed', paint: colour.green };
}
