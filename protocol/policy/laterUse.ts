/** What windows will still hold at a later time, if nothing else is bought until then. */
import type { LimitUse } from './limitUse.ts';
import { amountOf, type CompiledLimit } from './values/spendingLimit.ts';

/** Purchases that leave a window together. */
interface ExpiringUsage {
  /** When they were made, in milliseconds since the epoch. */
  readonly at: number;
  readonly count: number;
  readonly currency: string;
  readonly amountMinor: number;
}

/** A window as it is now. */
export interface HeldWindow {
  readonly limit: CompiledLimit;
  readonly count: number;
  /** By currency, in minor units. */
  readonly amounts: Readonly<Record<string, number>>;
  /** What leaves it, the oldest first: all that it holds, or the oldest part of that. */
  readonly leaving: readonly ExpiringUsage[];
}

export interface LaterUse {
  /** When something leaves a window, in order. */
  readonly moments: readonly number[];
  /** The use of the windows at a time. What is not known to leave stays. */
  at(time: number): LimitUse[];
}

/** What a window holds from a moment on. */
interface Stage {
  readonly from: number;
  readonly count: number;
  readonly amounts: Readonly<Record<string, number>>;
}

/** @param currency in which the use is told */
export function laterUse(currency: string, windows: readonly HeldWindow[]): LaterUse {
  const staged = windows.map((window) => ({ limit: window.limit, stages: stagesOf(window) }));
  const moments = staged.flatMap(({ stages }) => stages.slice(1).map(({ from }) => from));
  return {
    moments: [...new Set(moments)].sort((one, other) => one - other),
    at: (time) =>
      staged.map(({ limit, stages }) => {
        const { count, amounts } = stageAt(stages, time);
        return { limit, count, amountMinor: amountOf(amounts, currency) };
      }),
  };
}

/** What each window holds now, and after each time at which something leaves it. */
function stagesOf({ limit, count, amounts, leaving }: HeldWindow): Stage[] {
  const stages: Stage[] = [{ from: Number.NEGATIVE_INFINITY, count, amounts }];
  for (const each of leaving) {
    const last = stages.at(-1) as Stage;
    const from = Math.max(limit.window.leavesAt(each.at), last.from);
    const rest = (last.amounts[each.currency] ?? 0) - each.amountMinor;
    const stage = { from, count: last.count - each.count, amounts: { ...last.amounts, [each.currency]: rest } };
    if (from === last.from) stages.pop();
    stages.push(stage);
  }
  return stages;
}

function stageAt(stages: readonly Stage[], time: number): Stage {
  let low = 0;
  let high = stages.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((stages[middle] as Stage).from <= time) low = middle;
    else high = middle - 1;
  }
  return stages[low] as Stage;
}
