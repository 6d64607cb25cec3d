/** The rules of a policy by the codes that decisions have for them: what people call them, and where the policy has them. */

interface RuleName {
  readonly name: string;
  /** In the policy, such as `spend.amount_cap`. */
  readonly path: string;
}

const RULES: Readonly<Record<string, RuleName>> = {
  AMOUNT_OVER_CAP: { name: 'The most for one purchase', path: 'spend.amount_cap' },
  CURRENCY_NOT_ALLOWED: { name: 'Currency', path: 'spend.currency' },
  MERCHANT_NOT_ALLOWED: { name: 'Merchants that are allowed', path: 'merchant.allow_list' },
  MERCHANT_DENIED: { name: 'Merchants that are denied', path: 'merchant.deny_list' },
  MCC_DENIED: { name: 'Categories', path: 'spend.categories' },
  VELOCITY_EXCEEDED: { name: 'Purchases in a window', path: 'risk.velocity_limit' },
  SPENDING_LIMIT_EXCEEDED: { name: 'Spending in a window', path: 'risk.velocity_limit' },
  TIME_WINDOW_VIOLATED: { name: 'Times', path: 'context.time_windows' },
  GEO_RESTRICTED: { name: 'Countries', path: 'context.geo' },
  ANOMALY_DETECTED: { name: 'Unusual amounts', path: 'risk.anomaly' },
  threshold: { name: 'A person above an amount', path: 'context.presence_threshold' },
  new_merchant: { name: 'A person at a new merchant', path: 'context.presence_new_merchant' },
  anomaly: { name: 'A person at an unusual amount', path: 'risk.anomaly' },
  manual: { name: 'A person at every purchase', path: 'context.presence' },
};

/** @returns undefined for what is no rule of a policy, such as `INTENT_EXPIRED` */
export function ruleOf(code: string): RuleName | undefined {
  return RULES[code];
}
