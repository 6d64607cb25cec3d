/** Turns a policy's rules into sets and clocks, once for each version, so that judging a request costs microseconds. */
import { type AmountLimits, compileAmounts } from './amount.ts';
import { type CompiledCategories, compileCategories } from './category.ts';
import { type CompiledGeo, compileGeo } from './geo.ts';
import { type CompiledMerchants, compileMerchants } from './merchant.ts';
import type { Rules } from './rules.ts';
import { type CompiledLimit, compileLimit } from './velocity.ts';
import { type CompiledWindow, compileWindows } from './window.ts';

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
