/** What a limit in time would have done to what an agent asked for: counted over its recorded requests. */
import type { Operations } from '../../../client/operations.ts';
import { VELOCITY_LIMIT } from '../../parts/limits/measures.ts';

type Decision = Operations['listDecisions']['output']['data'][number];

/** A limit as a person is about to set it. */
export interface NewLimit {
  readonly maxTransactions: number | undefined;
  readonly maxAmount: number | undefined;
  readonly windowSeconds: number;
}

export interface Effect {
  readonly passed: number;
  readonly refused: number;
  /** Requests that were refused for other reasons than this limit, or by others too. */
  readonly others: number;
  /** The most that was asked for within one window: of requests, and of their sum. */
  readonly most: { readonly count: number; readonly amount: number };
}

/** What a limit in time refuses by. */
const OF_LIMITS: readonly string[] = ['VELOCITY_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED'];

/** The limit that a new one takes the place of. */
function isReplaced({ name, scope }: NonNullable<Decision['limits']>[number]): boolean {
  return name === VELOCITY_LIMIT && scope === 'agent';
}

/**
 * Each request is taken as it was asked for: one that passes counts in the window with all that it asked for, as it did then
 * until it expired or was given back.
 * @param decisions in any order
 */
export function effectOf(
  decisions: readonly Decision[],
  { maxTransactions, maxAmount, windowSeconds }: NewLimit,
): Effect {
  const requests = decisions.filter(({ kind }) => kind === 'intent');
  const candidates = requests.filter(
    ({ outcome, reasonCodes, limits = [] }) =>
      outcome === 'allowed' ||
      // A limit that stays as it is would refuse again.
      (reasonCodes.every((code) => OF_LIMITS.includes(code)) && limits.every(isReplaced)),
  );
  const inOrder = candidates
    .map(({ createdAt, amount }) => ({ at: Date.parse(createdAt), amount }))
    .sort((one, other) => one.at - other.at);
  const held = windowOf(windowSeconds * 1000);
  const asked = windowOf(windowSeconds * 1000);
  let passed = 0;
  const most = { count: 0, amount: 0 };
  for (const request of inOrder) {
    const before = held.until(request.at);
    const fits =
      (maxTransactions === undefined || before.count < maxTransactions) &&
      // Sums of decimal fractions are not exact.
      (maxAmount === undefined || before.amount + request.amount <= maxAmount + 1e-9);
    if (fits) {
      passed += 1;
      held.add(request);
    }
    asked.add(request);
    const { count, amount } = asked.until(request.at);
    most.count = Math.max(most.count, count);
    most.amount = Math.max(most.amount, amount);
  }
  return { passed, refused: inOrder.length - passed, others: requests.length - inOrder.length, most };
}

/** A sliding window over requests in order of time. */
function windowOf(ms: number) {
  const held: { readonly at: number; readonly amount: number }[] = [];
  return {
    add(request: { readonly at: number; readonly amount: number }): void {
      held.push(request);
    },
    until(now: number): { readonly count: number; readonly amount: number } {
      while (held[0] !== undefined && held[0].at <= now - ms) held.shift();
      return { count: held.length, amount: held.reduce((sum, { amount }) => sum + amount, 0) };
    },
  };
}
