/** Compiles a policy's rules to sets and clocks, once for each version, so that an evaluation takes microseconds. */
import { type AmountLimits, compileAmounts } from './checks/amountCap.ts';
import { type CompiledGeo, compileGeo } from './checks/geography.ts';
import { type CompiledCategories, compileCategories } from './checks/merchantCategory.ts';
import { type CompiledMerchants, compileMerchants } from './checks/merchantLists.ts';
import { type CompiledWindow, compileWindows } from './checks/timeWindow.ts';
import { type CompiledLimit, compileLimit } from './checks/velocity.ts';
import type { Rules } from './rules.ts';

export interface CompiledPolicy {
  readonly rules: Rules;
  /** The limits of one purchase, computed at the first use of a currency. */
  readonly amountsIn: (currency: string) => AmountLimits;
  readonly merchants: CompiledMerchants;
  readonly categories: CompiledCategories;
  readonly windows: readonly CompiledWindow[];
  readonly geo: CompiledGeo;
  readonly limit: CompiledLimit | undefined;
}

/** @param rules as Rules has accepted them */
export function compilePolicy(rules: Rules): CompiledPolicy {
  const amounts = new Map<string, AmountLimits>();
  return {
    rules,
    amountsIn(currency) {
      const known = amounts.get(currency) ?? compileAmounts(rules, currency);
      amounts.set(currency, known);
      return known;
    },
    merchants: compileMerchants(rules.merchant),
    categories: compileCategories(rules),
    windows: compileWindows(rules.context),
    geo: compileGeo(rules.context),
    limit: compileLimit(rules.risk),
  };
}
