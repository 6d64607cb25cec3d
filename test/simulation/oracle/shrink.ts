/**
 * Makes a failing world small: fewer steps, fewer actors, fewer kinds of faults, by playing it again and again with something left
 * out, for as long as the same invariant is violated. What is left is a plan that fails and says what it needs for that.
 */
import type { Violation } from '../history.ts';

/** What of a world is played. */
export interface Plan {
  readonly seed: string;
  readonly steps: number;
  /** Names of actors and of kinds of faults that take no part, in order. */
  readonly without: readonly string[];
}

/** What came of playing a plan. */
export interface Outcome {
  readonly violations: readonly Violation[];
  /** The step at which the first violation was seen, where that is known. */
  readonly violatedAt?: number | undefined;
}

export interface Shrinking {
  readonly plan: Plan;
  /** How often the world was played. */
  readonly plays: number;
  readonly violation: Violation;
}

export interface ShrinkOptions {
  readonly play: (plan: Plan) => Promise<Outcome>;
  /** All that can be left out. */
  readonly parts: readonly string[];
  /** The world is played so often at most. */
  readonly mostPlays: number;
}

/**
 * @param plan one that fails
 * @returns undefined where it does not fail
 */
export async function shrink(plan: Plan, { play, parts, mostPlays }: ShrinkOptions): Promise<Shrinking | undefined> {
  let plays = 0;
  const attempt = async (tried: Plan, invariant?: Violation['invariant']) => {
    if (plays >= mostPlays) return undefined;
    plays += 1;
    const { violations, violatedAt } = await play(tried);
    const violation = violations.find((each) => invariant === undefined || each.invariant === invariant);
    return violation && { plan: tried, violation, violatedAt };
  };
  let best = await attempt(plan);
  if (best === undefined) return undefined;
  const { invariant } = best.violation;
  const keep = async (tried: Plan): Promise<boolean> => {
    const smaller = await attempt(tried, invariant);
    if (smaller !== undefined) best = smaller;
    return smaller !== undefined;
  };
  await shorten(
    () => best?.plan ?? plan,
    () => best?.violatedAt,
    keep,
  );
  await leaveOut(parts, () => best?.plan ?? plan, keep);
  // With fewer actors the same number of steps goes further.
  await shorten(
    () => best?.plan ?? plan,
    () => best?.violatedAt,
    keep,
  );
  return { plan: best.plan, plays, violation: best.violation };
}

/** Steps: just until the violation where it is seen at once, or else by halves. */
async function shorten(
  plan: () => Plan,
  violatedAt: () => number | undefined,
  keep: (tried: Plan) => Promise<boolean>,
): Promise<void> {
  const seen = violatedAt();
  if (seen !== undefined && seen + 1 < plan().steps) await keep({ ...plan(), steps: seen + 1 });
  let fails = plan().steps;
  let holds = 0;
  while (fails - holds > Math.max(1, fails / 16)) {
    const middle = Math.floor((fails + holds) / 2);
    if (await keep({ ...plan(), steps: middle })) fails = middle;
    else holds = middle;
  }
}

/** Halves of what can be left out, then quarters, and at last each alone. */
async function leaveOut(
  parts: readonly string[],
  plan: () => Plan,
  keep: (tried: Plan) => Promise<boolean>,
): Promise<void> {
  for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < parts.length; from += size) {
      const more = parts.slice(from, from + size).filter((part) => !plan().without.includes(part));
      if (more.length > 0) await keep({ ...plan(), without: [...plan().without, ...more].sort() });
    }
  }
}
