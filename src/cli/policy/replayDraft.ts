/** `countersign policy replay`: which recorded decisions a draft would flip, and why. */
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { MAX_EXPORT } from '../../../protocol/evidence/query.ts';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import {
  type Flip,
  REPLAYED_EVENTS,
  type Replay,
  type ReplayedDecision,
  startReplay,
} from '../../../protocol/policy/replay.ts';
import { ExportReader } from '../evidence/exportReader.ts';
import { colour } from '../output/colour.ts';
import { type Cell, columns, localTime, money } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { progress } from '../output/progress.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';
import { readPolicyFile } from './policyFile.ts';

const DAY_MS = 24 * 3600 * 1000;
const SHOWN = 50;

interface ReplayOptions extends TargetOptions {
  readonly days: number;
  readonly failOnFlips?: boolean;
}

export function replayDraft(env: NodeJS.ProcessEnv, file: string, options: ReplayOptions): Promise<void> {
  const since = Date.now() - options.days * DAY_MS;
  const flips: Flip[] = [];
  const onFlip = (flip: Flip) => flips.push(flip);
  const replaying = startReplay(compilePolicy(readPolicyFile(file).rules), { since, onFlip });
  return withTarget(env, options, async (target) => {
    await readInto(target, replaying.add);
    const replay = { ...replaying.totals(), flips };
    print(options, replay, describe(replay));
    if (options.failOnFlips === true && replay.flips.length > 0) process.exitCode = 1;
  });
}

async function readInto(target: Target, take: ReturnType<typeof startReplay>['add']): Promise<void> {
  const newest = (await target.client.searchEvidence({ limit: 1 })).data[0]?.seq ?? 0;
  const bar = progress('Replaying');
  const asked = { eventTypes: REPLAYED_EVENTS, last: MAX_EXPORT, format: 'ndjson' } as const;
  let read = 0;
  try {
    for await (const line of new ExportReader(target.exportEvidence(asked)).events()) {
      const event = JSON.parse(line) as EvidenceEvent;
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
    `${requests} ${requests === 1 ? 'request' : 'requests'}: ${wereAllowed} ${wereAllowed === 1 ? 'was' : 'were'} allowed, ` +
      `${wouldBeAllowed} would be, of which ${wouldNeedPresence} ${wouldNeedPresence === 1 ? 'needs' : 'need'} a person.`,
    flips.length === 0
      ? 'No decision would flip.'
      : `${flips.length} ${flips.length === 1 ? 'decision' : 'decisions'} would flip:`,
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
  return hpRequired ? { text: 'needs a person', paint: colour.yellow } : { text: 'allowed', paint: colour.green };
}
