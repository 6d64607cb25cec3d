/** What limits over time count now, for those who ask: an agent, its principal, or an owner who looks at all of them. */

import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import type { CurrencySum, LimitFigures } from '../../../protocol/policy/limitUse.ts';
import type { WindowUse } from '../../store/statements/limits/windowUse.ts';
import { type Script, together } from '../../store/store.ts';
import { countedIn, type LimitWindowFrom, limitUseOf } from './loadFacts.ts';

export function* figuresOf(policy: CompiledPolicy, windows: readonly LimitWindowFrom[]): Script<LimitFigures[]> {
  const uses = yield* together(...windows.map((window) => countedIn(window)));
  return windows.map((window, index) => {
    const use = uses[index] as WindowUse;
    const named = window.limit.currency ?? policy.rules.spend?.currency;
    const sums = named === undefined ? sumsOf(use) : [sumIn(use, named)];
    const { limit, count } = limitUseOf({ ...window, use }, named ?? '');
    return { limit, count, sums };
  });
}

/** Each currency in which something was bought, by its name. */
function sumsOf(use: WindowUse): CurrencySum[] {
  const bought = Object.keys(use.amounts).filter((currency) => use.amounts[currency] !== 0);
  return bought.sort().map((currency) => sumIn(use, currency));
}

function sumIn({ amounts }: WindowUse, currency: string): CurrencySum {
  return { currency, amountMinor: amounts[currency] ?? 0 };
}
