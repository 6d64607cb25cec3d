/** Whether a change of one rule loosens a policy, by kinds of rules: limits, demands, lists of what is allowed or denied. */
import { z } from 'zod';
import type { Rules } from './rules.ts';

export const Direction = z.enum(['looser', 'tighter', 'other']);
export type Direction = z.infer<typeof Direction>;

/** The values of one rule in two policies, and the policies. */
export interface Pair<Value> {
  readonly former: Value | undefined;
  readonly next: Value | undefined;
  readonly formerly: Rules;
  readonly later: Rules;
}

export const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Of two numbers: the less is allowed, the tighter. */
export function byNumber(former: number, next: number): Direction | undefined {
  if (former === next) return undefined;
  return next < former ? 'tighter' : 'looser';
}

/** A limit, of which none is set where it is absent. */
export function limit({ former = NO_LIMIT, next = NO_LIMIT }: Pair<number>): Direction | undefined {
  return byNumber(former, next);
}

/** What is asked for more where it is true. */
export function demand({ former = false, next = false }: Pair<boolean>): Direction | undefined {
  return byNumber(Number(next), Number(former));
}

/** A rule of several members that is there in one policy only; where it is in both, its members are compared. */
export function presentAtAll({ former, next }: Pair<unknown>): Direction | undefined {
  if ((former === undefined) === (next === undefined)) return undefined;
  return next === undefined ? 'looser' : 'tighter';
}

/** A rule that changes nothing about what may be bought. @param absent what holds where it is not set */
export function neutral<Value>(absent: Value): (pair: Pair<Value>) => Direction | undefined {
  return ({ former = absent, next = absent }) =>
    JSON.stringify(former) === JSON.stringify(next) ? undefined : 'other';
}

/** Tells of an entry whether a list covers it; the list is read once, since lists may be long. */
type Coverage<Entry> = (list: readonly Entry[]) => (entry: Entry) => boolean;

export function hasSame(list: readonly unknown[]): (entry: unknown) => boolean {
  const texts = new Set(list.map(textOf));
  return (entry) => texts.has(textOf(entry));
}

/** Of entries of one kind: strings, or objects. */
function textOf(entry: unknown): string {
  return typeof entry === 'string' ? entry : JSON.stringify(entry);
}

/** Whether every entry of one list is covered by the other. */
function isWithin<Entry>(entries: readonly Entry[], others: readonly Entry[], coverage: Coverage<Entry>): boolean {
  return entries.every(coverage(others));
}

/** A list of what is allowed alone; everything is where the list is empty or absent. */
export function allowed<Entry>(
  coverage: Coverage<Entry> = hasSame,
): (pair: Pair<readonly Entry[]>) => Direction | undefined {
  return ({ former = [], next = [] }) => {
    const isNarrower = next.length > 0 && (former.length === 0 || isWithin(next, former, coverage));
    const isWider = former.length > 0 && (next.length === 0 || isWithin(former, next, coverage));
    if ((isNarrower && isWider) || former.length + next.length === 0) return undefined;
    return isNarrower ? 'tighter' : 'looser';
  };
}

/** A list of what is denied. */
export function denied<Entry>(
  coverage: Coverage<Entry> = hasSame,
): (pair: Pair<readonly Entry[]>) => Direction | undefined {
  return ({ former = [], next = [] }) => {
    const keepsAll = isWithin(former, next, coverage);
    if (keepsAll && isWithin(next, former, coverage)) return undefined;
    return keepsAll ? 'tighter' : 'looser';
  };
}
