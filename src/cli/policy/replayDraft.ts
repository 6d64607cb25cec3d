/** `countersign policy replay`: which recorded decisions a draft would flip, and why. */
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { MAX_EXPORT } from '../../../protocol/evidence/query.ts';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import type { LimitReplay } from '../../../protocol/policy/replay/limitReplay.ts';
import {
  type Flip,
  REPLAYED_EVENTS,
  type Replay,
  type ReplayedDecision,
  startReplay,
} from '../../../protocol/policy/replay/replay.ts';
import { Rules } from '../../../protocol/policy/rules.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { parseInput } from '../../usecase/useCase.ts';
import { Failure, WrongUse } from '../commandFailure.ts';
import { ExportReader } from '../evidence/exportReader.ts';
import { readJsonFile } from '../input/files.ts';
import { type Cell, columns, localTime, money } from '../output/layout.ts';
import { colour, print, progress } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

const DAY_MS = 24 * 3600 * 1000;
const SHOWN = 50;

interface ReplayOptions extends TargetOptions {
  readonly days: number;
  readonly failOnFlips?: boolean;
}

export function replayDraft(env: NodeJS.ProcessEnv, file: string, options: ReplayOptions): Promise<void> {
  const at = Date.now();
  const since = at - options.days * DAY_MS;
  const flips: Flip[] = [];
  const onFlip = (flip: Flip) => flips.push(flip);
  const replaying = startReplay(compilePolicy(readPolicyFile(file).rules), { since, at, onFlip });
  return withTarget(env, options, async (target) => {
    const readSince = await readInto(target, at, replaying.add);
    const replay = { ...replaying.totals(), limits: replaying.limits(readSince), flips };
    print(options, replay, describe(replay));
    if (options.failOnFlips === true && replay.flips.length > 0) process.exitCode = 1;
  });
}

/** @returns from when on the events were read, in milliseconds since the epoch */
async function readInto(target: Target, until: number, take: ReturnType<typeof startReplay>['add']): Promise<number> {
  const newest = (await target.client.searchEvidence({ limit: 1 })).data[0]?.seq ?? 0;
  const bar = progress('Replaying');
  const asked = { eventTypes: REPLAYED_EVENTS, last: MAX_EXPORT, format: 'ndjson' } as const;
  let read = 0;
  let first: string | undefined;
  try {
    for await (const line of new ExportReader(target.exportEvidence(asked)).events()) {
      const event = JSON.parse(line) as EvidenceEvent;
      first ??= event.createdAt;
      // What is asked for meanwhile is a matter of the next replay.
      if (Date.parse(event.createdAt) <= until) take(event);
      read += 1;
      if (read % 500 === 0) bar.at(event.seq, newest);
    }
  } finally {
    bar.end();
  }
  return first === undefined || read < MAX_EXPORT ? Number.NEGATIVE_INFINITY : Date.parse(first);
}

function describe({ requests, wereAllowed, wouldBeAllowed, wouldNeedPresence, limits, flips }: Replay): string {
  const totals = [
    `${requests} ${requests === 1 ? 'request' : 'requests'}: ${wereAllowed} ${wereAllowed === 1 ? 'was' : 'were'} allowed, ` +
      `${wouldBeAllowed} would be, of which ${wouldNeedPresence} ${wouldNeedPresence === 1 ? 'needs' : 'need'} a person.`,
    flips.length === 0
      ? 'No decision would flip.'
      : `${flips.length} ${flips.length === 1 ? 'decision' : 'decisions'} would flip:`,
  ];
  const ofLimits = limits.length === 0 ? [] : ['', columns(LIMIT_HEADS, limits.map(limitRow))];
  if (flips.length === 0) return [...totals, ...ofLimits].join('\n');
  const table = columns(['WHEN', 'AMOUNT', 'MERCHANT', 'WAS', 'WOULD BE', 'WHY'], flips.slice(-SHOWN).map(row));
  const rest = flips.length > SHOWN ? [`… and ${flips.length - SHOWN} before these; --json lists all.`] : [];
  return [...totals, '', table, ...rest, ...ofLimits].join('\n');
}

const LIMIT_HEADS = ['LIMIT', 'PERIOD', 'ASKED IN THE LAST ONE', 'WOULD BE REFUSED', 'WOULD NEED A PERSON'];

function limitRow({ name, window, asked, refused, person }: LimitReplay): Cell[] {
  return [name, window, asked === undefined ? 'not read' : sumText(asked), sumText(refused), sumText(person)];
}

/** "3: 96.40 USD" */
function sumText({ requests, money: sums }: LimitReplay['refused']): string {
  const amounts = sums.map(({ amount, currency }) => money(amount, currency));
  return [String(requests), ...(amounts.length === 0 ? [] : [amounts.join(', ')])].join(': ');
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

interface PolicyFile {
  readonly name: string | undefined;
  readonly rules: Rules;
}

/** @throws WrongUse for a file that holds no object, Failure for rules that a node would refuse, with the members at fault */
export function readPolicyFile(file: string): PolicyFile {
  const value = readJsonFile(file);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new WrongUse(`${file} does not hold a policy; a policy is {"version": "2.0", …} or {"name", "rules"}.`);
  }
  const wrapped = 'rules' in value;
  const name = wrapped && 'name' in value && typeof value.name === 'string' ? value.name : undefined;
  return { name, rules: parseRules(file, wrapped ? value.rules : value) };
}

function parseRules(file: string, rules: unknown): Rules {
  try {
    return parseInput(Rules, rules);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const details = error.details ?? [];
    const lines = details.map(({ path, message }) => `  ${path || 'the rules'}: ${message}`);
    throw new Failure(`${file} is not a valid policy:`, { code: error.code, exitCode: 1, details, lines });
  }
}
