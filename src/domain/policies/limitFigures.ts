/** What limits over time count now, for those who ask: an agent, its principal, or an owner who looks at all of them. */

import { exponentOf } from '../../../protocol/money.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import type { LimitUse } from '../../../protocol/policy/limitUse.ts';
import type { WindowUse } from '../../store/statements/purchases/spendingWindows.ts';
import { type Script, together } from '../../store/store.ts';
import { countedIn, type LimitWindowFrom, limitUseOf } from './loadFacts.ts';

/** What a limit counts now, and in which currency its amount is told. */
interface LimitFigures {
  readonly use: LimitUse;
  /** The currency that limit or policy names; undefined where all count together at face value. */
  readonly named: string | undefined;
  /** The currency of the use's amount; undefined where nothing was bought and no currency is named. */
  readonly unit: string | undefined;
}

export function* figuresOf(policy: CompiledPolicy, windows: readonly LimitWindowFrom[]): Script<LimitFigures[]> {
  const uses = yield* together(...windows.map((window) => countedIn(window)));
  return windows.map((window, index) => {
    const use = uses[index] as WindowUse;
    const named = window.limit.currency ?? policy.rules.spend?.currency;
    const unit = named ?? unitOf(use);
    return { use: limitUseOf(policy, { ...window, use }, unit ?? 'USD'), named, unit };
  });
}

/** Amounts that count at face value are told in the currency of most decimals, so that no fraction is lost. */
function unitOf({ amounts }: WindowUse): string | undefined {
  return Object.keys(amounts).sort((one, other) => exponentOf(other) - exponentOf(one))[0];
}
