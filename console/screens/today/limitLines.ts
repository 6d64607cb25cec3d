/** The limits that the first screen shows: those that all agents share once, and of each agent the tightest of the others. */
import { tightestFirst } from '../../parts/limits/limitStates.ts';
import {
  type LimitMeasure,
  type ListedLimits,
  maximaOf,
  type ShownLimit,
  VELOCITY_LIMIT,
  whereText,
} from '../../parts/limits/measures.ts';

export interface LimitLine {
  /** What its owner calls it. */
  readonly name: string;
  readonly measured: LimitMeasure;
  /** When its period of the calendar ends. */
  readonly resetsAt?: string;
}

type Limits = ListedLimits['limits'];

/** @param limits by agent; the fullest first */
export function sharedLines(limits: Iterable<Limits>): readonly LimitLine[] {
  const found = new Map<string, ShownLimit>();
  for (const limit of [...limits].flat()) if (limit.scope === 'policy') found.set(limit.name, limit);
  return tightestFirst([...found.values()]).flatMap((limit) => lineOf(limit) ?? []);
}

/** @returns undefined where the agent has no limit but those that it shares with all */
export function ownLine(limits: Limits): LimitLine | undefined {
  const [first] = tightestFirst(limits.filter(({ scope }) => scope !== 'policy'));
  return first === undefined ? undefined : lineOf(first);
}

/** Of a limit with two maxima the fuller one. */
function lineOf(limit: ShownLimit): LimitLine | undefined {
  const [measured] = [...maximaOf(limit)].sort((one, other) => other.share - one.share);
  if (measured === undefined) return undefined;
  const { name, window, resetsAt } = limit;
  const period = resetsAt === undefined ? `in ${window}` : window;
  const where = whereText(limit);
  const text = `${measured.text} ${period}${where === '' ? '' : `, ${where}`}`;
  return {
    name: name === VELOCITY_LIMIT ? 'Limit over time' : name,
    measured: { ...measured, text },
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
}
