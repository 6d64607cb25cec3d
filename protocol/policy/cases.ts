/** Test cases of a policy: requests, and the decisions that the policy must make. */
import { z } from 'zod';
import { VendorHints } from '../intent.ts';
import { Currency, toMinor } from '../money.ts';
import { refusalOf } from '../reason.ts';
import { Fault } from '../wire/fault.ts';
import type { PolicyFacts } from './check.ts';
import type { CompiledPolicy } from './compile.ts';
import { evaluate } from './evaluate.ts';
import { MerchantDomain } from './values/domain.ts';
import { limitsFor, MOST_LIMITS } from './values/spendingLimit.ts';

/** As a node reads a request, so that a case is judged as the node would. */
const Request = z.strictObject({
  amount: z.number().positive(),
  currency: Currency,
  merchantDomain: MerchantDomain.optional(),
  mcc: VendorHints.shape.mcc,
  country: VendorHints.shape.country,
});

/** The history before the request; none when left out. */
export const Before = z.strictObject({
  /** Purchases within the window of every limit over time, and below their sum. */
  transactions: z.int().min(0).default(0),
  spent: z.number().min(0).default(0),
  /** Of limits that count something else, by name. */
  limits: z
    .array(
      z.strictObject({
        name: z.string(),
        transactions: z.int().min(0).default(0),
        spent: z.number().min(0).default(0),
      }),
    )
    .max(MOST_LIMITS + 1)
    .default([]),
  /** False once something was paid at this merchant. */
  newMerchant: z.boolean().default(true),
  /** Earlier paid amounts, the latest first. */
  paid: z.array(z.number().positive()).default([]),
  /** How often the same was bought within the window of risk.duplicate; where it is left out, it is not known what is bought. */
  same: z.int().min(0).optional(),
});

const PolicyCase = z.strictObject({
  name: z.string().min(1),
  request: Request,
  /** The time of the request; now when left out. */
  at: z.iso.datetime({ offset: true }).optional(),
  before: Before.optional(),
  expect: z.strictObject({
    allowed: z.boolean(),
    reasonCodes: z.array(z.string()).optional(),
    hpRequired: z.boolean().optional(),
  }),
});
type PolicyCase = z.infer<typeof PolicyCase>;

export const PolicyCases = z.array(PolicyCase).min(1);
export type PolicyCases = z.infer<typeof PolicyCases>;

export interface CaseOutcome {
  readonly name: string;
  readonly passed: boolean;
  readonly expected: PolicyCase['expect'];
  readonly actual: { readonly allowed: boolean; readonly reasonCodes: readonly string[]; readonly hpRequired: boolean };
  /** One plain sentence for each reason. */
  readonly messages: readonly string[];
}

/**
 * @param now milliseconds since the epoch, for cases that do not say when
 * @throws Fault BAD_REQUEST for an amount that its currency does not have
 */
export function judgeCase(policy: CompiledPolicy, each: PolicyCase, now: number): CaseOutcome {
  const { amount, ...request } = each.request;
  const amountMinor = toMinor(amount, request.currency);
  const at = each.at === undefined ? now : Date.parse(each.at);
  const { details, hpRequired } = evaluate(
    policy,
    { ...blank, ...request, amountMinor },
    factsBefore(policy, request.currency, each.before),
    at,
  );
  const reasonCodes = refusalOf(details)?.reasonCodes ?? [];
  const actual = { allowed: reasonCodes.length === 0, reasonCodes, hpRequired: reasonCodes.length === 0 && hpRequired };
  const { expect } = each;
  const sameCodes =
    expect.reasonCodes === undefined || [...expect.reasonCodes].sort().join() === [...reasonCodes].sort().join();
  const passed =
    expect.allowed === actual.allowed &&
    sameCodes &&
    (expect.hpRequired === undefined || expect.hpRequired === actual.hpRequired);
  const messages = Object.values(details).map((detail) => String(detail?.message));
  return { name: each.name, passed, expected: expect, actual, messages };
}

const blank = { merchantDomain: undefined, mcc: undefined, country: undefined };

/**
 * The facts of a history that the caller states.
 * @throws Fault BAD_REQUEST for an amount that its currency does not have, or a limit that the policy does not have
 */
export function factsBefore(policy: CompiledPolicy, currency: string, before = Before.parse({})): PolicyFacts {
  const { newMerchant, paid, same } = before;
  const minor = (amount: number) => (amount === 0 ? 0 : toMinor(amount, currency));
  const limits = limitsFor(policy);
  const unknown = before.limits.find(({ name }) => limits.every((limit) => limit.name !== name));
  if (unknown !== undefined) {
    throw new Fault('BAD_REQUEST', `before.limits: the policy has no limit “${unknown.name}”.`, [
      {
        path: 'before.limits',
        message: `must name limits of the policy: ${limits.map(({ name }) => name).join(', ')}`,
      },
    ]);
  }
  return {
    limits: limits.map((limit) => {
      const { transactions, spent } = before.limits.find(({ name }) => name === limit.name) ?? before;
      return { limit, count: transactions, amountMinor: minor(spent) };
    }),
    newMerchant,
    paidAmountsMinor: paid.map(minor),
    sameBefore: same === undefined ? undefined : { count: same },
  };
}
