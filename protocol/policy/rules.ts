/** The rules of a policy as its owner writes them. The schema is strict, so that no unknown rule is silently ignored. */
import { z } from 'zod';
import { Currency, floorToMinor, requireExact, toMinor } from '../money.ts';
import { Fault } from '../wire/fault.ts';
import { CATEGORY_NAMES } from './checks/merchantCategory.ts';
import { isDomainPattern } from './checks/merchantLists.ts';
import { TimeWindow } from './checks/timeWindow.ts';
import { Country } from './country.ts';
import { Duration } from './duration.ts';

/** How many payments the anomaly rule may consider. */
const MAX_HISTORY = 50;

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(1000);
const Amount = z.number().positive();
const Category = z.enum(CATEGORY_NAMES, { error: `must be one of ${CATEGORY_NAMES.join(', ')}` });
const DomainPattern = z
  .string()
  .refine(isDomainPattern, 'must be a domain such as example.com, or *.example.com for its subdomains');
const Mcc = z.string().regex(/^\d{4}$/, 'must be a merchant category code of four digits (ISO 18245)');
const Rail = z.string().min(1).max(100);

const Spend = z.strictObject({
  /** The most an agent may spend in one purchase without a person; 0 allows it nothing. */
  amount_cap: z.number().nonnegative().optional(),
  /** The most in one purchase with a person present; amount_cap when absent. */
  presence_cap: Amount.optional(),
  currency: Currency.optional(),
  categories: listOf(Category).optional(),
  /** Refuses purchases whose category nobody knows. */
  categories_strict: z.boolean().optional(),
});

const Merchant = z.strictObject({
  allow_list: listOf(DomainPattern).optional(),
  deny_list: listOf(DomainPattern).optional(),
  mcc_allow: listOf(Mcc).optional(),
  mcc_deny: listOf(Mcc).optional(),
});

const Context = z.strictObject({
  presence: z.enum(['optional', 'required', 'never']).optional(),
  /** Amounts above it require a person; 0 requires one at every purchase. */
  presence_threshold: z.number().nonnegative().optional(),
  presence_new_merchant: z.boolean().optional(),
  /**
   * Whether a presence proof must name the cart. When absent: `cart` in production, `any` in the sandbox. `agent` is what
   * earlier policies call `any`.
   */
  presence_binding: z.enum(['cart', 'any', 'agent']).optional(),
  /** Whether whoever has the link to an approval may deny it without a passkey; not when absent. */
  deny_by_link: z.boolean().optional(),
  time_windows: listOf(TimeWindow).optional(),
  geo: z.strictObject({ allow: listOf(Country).optional(), deny: listOf(Country).optional() }).optional(),
});

const VelocityRule = z
  .strictObject({
    max_transactions: z.int().nonnegative().optional(),
    max_amount: Amount.optional(),
    time_window: Duration,
    /** Whose purchases count together; `agent` when absent. */
    scope: z.enum(['agent', 'policy']).optional(),
  })
  .refine(({ max_transactions, max_amount }) => max_transactions !== undefined || max_amount !== undefined, {
    message: 'needs max_transactions, max_amount or both',
  });

const Anomaly = z.strictObject({
  min_history: z.int().min(1).max(MAX_HISTORY),
  /** in standard deviations above the mean */
  max_deviation: z.number().nonnegative(),
  action: z.enum(['deny', 'presence']),
});

const Risk = z.strictObject({ velocity_limit: VelocityRule.optional(), anomaly: Anomaly.optional() });
const Rails = z.strictObject({ allow: listOf(Rail).optional(), priorities: listOf(Rail).optional() });

type Known = z.infer<typeof Known>;
const Known = z.strictObject({
  version: z.literal('2.0'),
  spend: Spend.optional(),
  merchant: Merchant.optional(),
  context: Context.optional(),
  risk: Risk.optional(),
  rails: Rails.optional(),
});

/**
 * Rules as they are stored: as they were written, since attestations contain their hash, so the schema transforms nothing. It
 * takes the amounts of earlier policies too, which had no bound.
 */
export const StoredRules = Known.superRefine((rules, context) => {
  const { amount_cap, presence_cap } = rules.spend ?? {};
  if (amount_cap !== undefined && presence_cap !== undefined && presence_cap < amount_cap) {
    const message = `must not be below amount_cap, which is ${amount_cap}`;
    context.addIssue({ code: 'custom', path: ['spend', 'presence_cap'], message });
  }
  const { currency } = rules.spend ?? {};
  // Without a currency each request has its own.
  if (currency === undefined) return;
  addFaults(context, rules, (amount) => toMinor(amount, currency, { allowZero: true }));
});

/** Rules as an owner writes them. */
export const Rules = StoredRules.superRefine((rules, context) => {
  const { currency } = rules.spend ?? {};
  addFaults(context, rules, (amount) => {
    const minor = currency === undefined ? undefined : floorToMinor(amount, currency);
    // What is more than can be counted is refused above.
    if (currency !== undefined && minor !== undefined && minor < Number.MAX_SAFE_INTEGER) requireExact(minor, currency);
    if (currency === undefined && amount >= MOST_UNITS)
      throw new Fault('BAD_REQUEST', `The amount must be less than ${MOST_UNITS}.`);
  });
});
export type Rules = z.infer<typeof Rules>;

/** In no currency so many units have less than 16 digits. */
const MOST_UNITS = 1e15;

/** Adds an issue for each amount of the rules that a check refuses. @param check throws a Fault */
function addFaults(
  context: z.RefinementCtx,
  { spend, context: when, risk }: Known,
  check: (amount: number) => unknown,
) {
  // Of a currency that does not exist no amount is wrong.
  if (spend?.currency !== undefined && !Currency.safeParse(spend.currency).success) return;
  const amounts: [string[], number | undefined][] = [
    [['spend', 'amount_cap'], spend?.amount_cap],
    [['spend', 'presence_cap'], spend?.presence_cap],
    [['context', 'presence_threshold'], when?.presence_threshold],
    [['risk', 'velocity_limit', 'max_amount'], risk?.velocity_limit?.max_amount],
  ];
  for (const [path, amount] of amounts) {
    if (amount === undefined) continue;
    try {
      check(amount);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      context.addIssue({ code: 'custom', path, message: error.message });
    }
  }
}

/** An agent's own limit. At least one of the two maxima must be given. */
export const VelocityLimit = z
  .object({
    maxTransactions: z.int().nonnegative().optional(),
    maxAmount: Amount.optional(),
    timeWindow: Duration,
  })
  .refine(({ maxTransactions, maxAmount }) => maxTransactions !== undefined || maxAmount !== undefined, {
    message: 'maxTransactions, maxAmount or both must be given',
    path: ['maxTransactions'],
  });
export type VelocityLimit = z.infer<typeof VelocityLimit>;
