/**
 * What a next policy changes, rule by rule, as people read it, and whether that loosens it. A change counts as tighter only
 * where it is so for every request: a policy without a looser change lets nothing through that was refused before, and spares
 * no person a question.
 */
import { z } from 'zod';
import { Direction, hasSame, type Pair } from './direction.ts';
import { valueAt, WORDED } from './ruleMembers.ts';
import type { Rules } from './rules.ts';
import type { TimeWindow } from './values/timeWindow.ts';

export const RuleChange = z.object({
  path: z.string().describe('The rule, such as spend.amount_cap.'),
  former: z.unknown().optional().describe('What it was; absent where it was not set.'),
  next: z.unknown().optional().describe('What it will be; absent where it will not be set.'),
  direction: Direction.describe('looser: something may pass that did not; tighter: nothing may; other: neither.'),
  sentence: z.string(),
});
export type RuleChange = z.infer<typeof RuleChange>;

type Member = (typeof WORDED)[number];
type ChangeText = NonNullable<Member['change']>;

/** @returns one entry for each rule that changes, in the order of the schema; none where both allow the same */
export function compareRules(former: Rules, next: Rules): RuleChange[] {
  return WORDED.flatMap((member) => {
    if (member.whole?.change !== undefined) return [];
    return changeOf(member, former, next) ?? [];
  });
}

/** A rule of several members is one change, looser where one of them is: a longer window alone does not make more purchases tighter. */
function changeOf(member: Member, former: Rules, next: Rules): RuleChange | undefined {
  if (member.change === undefined) return undefined;
  const pair = {
    former: valueAt(former, member.path),
    next: valueAt(next, member.path),
    formerly: former,
    later: next,
  };
  const change = (direction: Direction, sentence: string): RuleChange => ({
    path: member.path,
    ...(pair.former === undefined ? {} : { former: pair.former }),
    ...(pair.next === undefined ? {} : { next: pair.next }),
    direction,
    sentence,
  });
  const whole = member.change.direction(pair);
  if (whole !== undefined) return change(whole, sentenceOf(member.change, member.isAmount === true, pair));
  const parts = WORDED.filter((part) => part.whole === member).flatMap((part) => changeOf(part, former, next) ?? []);
  const direction = (['looser', 'tighter', 'other'] as const).find((each) =>
    parts.some((part) => part.direction === each),
  );
  if (direction === undefined) return undefined;
  return change(direction, `${member.change.label}: ${parts.map(({ sentence }) => sentence).join(', ')}`);
}

export function isLooser(changes: readonly RuleChange[]): boolean {
  return changes.some(({ direction }) => direction === 'looser');
}

/** "cap 100 → 150 USD"; of lists what comes and what goes, or that everything is allowed by an empty one. */
function sentenceOf({ label, everything }: ChangeText, isAmount: boolean, pair: Pair<unknown>): string {
  const { former, next, formerly, later } = pair;
  if (everything !== undefined && (isEmptyList(former) || isEmptyList(next))) {
    const [before, after] = [former, next].map((list) => (isEmptyList(list) ? everything : `only ${shown(list)}`));
    return `${label}: ${before} → ${after}`;
  }
  if (Array.isArray(former) && Array.isArray(next)) {
    const lacking = (entries: unknown[], others: unknown[]) => {
      const isThere = hasSame(others);
      return entries.filter((entry) => !isThere(entry)).map(shown);
    };
    const parts = [
      ...lacking(next, former).map((entry) => `+ ${entry}`),
      ...lacking(former, next).map((entry) => `− ${entry}`),
    ];
    return `${label}: ${parts.length === 0 ? `${shown(former)} → ${shown(next)}` : parts.join(', ')}`;
  }
  const unit = isAmount ? (later.spend?.currency ?? formerly.spend?.currency) : undefined;
  const last = unit === undefined ? '' : ` ${unit}`;
  if (next === undefined) return `${label} ${shown(former)}${last} → none`;
  return `${label} ${shown(former)} → ${shown(next)}${last}`;
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  if ('timezone' in value && 'to' in value) return windowText(value as TimeWindow);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${each}`)
    .join(', ');
}

function windowText({ days, from, to, timezone }: TimeWindow): string {
  return `${days === undefined ? 'every day' : days.join(' ')} ${from}–${to} ${timezone}`;
}
