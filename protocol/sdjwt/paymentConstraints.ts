/** What the constraints of an open payment mandate say of the closed one (AP2 v0.2, Payment Mandate Constraints). */
import { z } from 'zod';
import { Currency, floorToMinor, formatMoney } from '../money.ts';
import { isoTime } from '../wire/time.ts';
import { type ConstraintFinding, type ConstraintPayment, constraintRule } from './constraint.ts';
import { Instant, isSameMerchant, MandateMerchant, MinorUnits, Pisp } from './mandateContent.ts';
import type { JsonObject } from './sdJwt.ts';

export const FREQUENCIES = ['ON_DEMAND', 'DAILY', 'WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY'] as const;
/** Those of ISO 20022 beside them, by which Verifiable Intent states a recurrence. */
const CODES = ['INDA', 'DAIL', 'WEEK', 'TOWK', 'TWMN', 'MNTH', 'TOMN', 'QUTR', 'FOMN', 'SEMI', 'YEAR', 'TYEA'] as const;
export type Frequency = (typeof FREQUENCIES)[number] | (typeof CODES)[number];

export const AmountRange = z.looseObject({ currency: Currency, max: MinorUnits, min: MinorUnits.optional() });
const Positive = z.number().positive();

export const MajorBudget = z.looseObject({ currency: Currency, max: Positive });
export const MinorBudget = z.looseObject({ currency: Currency, max: MinorUnits, min: MinorUnits.optional() });
export const AgentRecurrence = z.looseObject({
  frequency: z.enum([...FREQUENCIES, ...CODES]),
  max_occurrences: z.int().min(1).optional(),
});

const clause = (name: string) => `AP2 v0.2, Payment Mandate: ${name}`;

export const amountRange = constraintRule(clause('Amount Range'), AmountRange, judgeRange);

/** A range may lack either end in Verifiable Intent. */
export const openRange = constraintRule(
  clause('Amount Range'),
  z.looseObject({ currency: Currency, max: MinorUnits.optional(), min: MinorUnits.optional() }),
  judgeRange,
);

function judgeRange(
  {
    currency,
    min,
    max,
  }: { readonly currency: string; readonly min?: number | undefined; readonly max?: number | undefined },
  facts: ConstraintPayment,
): ConstraintFinding[] {
  const { amount, currency: paid } = facts.payment.payment_amount;
  if (paid !== currency) return [wrongCurrency(paid, currency)];
  if (max !== undefined && amount > max) {
    return [
      found('AMOUNT_OVER_CAP', `${money(facts)} is more than ${formatMoney(max, currency)}, the most that is allowed.`),
    ];
  }
  if (min !== undefined && amount < min) {
    return [
      found(
        'CONSTRAINT_VIOLATED',
        `${money(facts)} is less than ${formatMoney(min, currency)}, the least that is allowed.`,
      ),
    ];
  }
  return [];
}

export const AllowedPayees = z.looseObject({ allowed: z.array(MandateMerchant) });
export const allowedPayees = constraintRule(
  clause('Allowed Payees'),
  AllowedPayees,
  ({ allowed }, { payment: { payee } }: ConstraintPayment) =>
    allowed.some((each) => isSameMerchant(each, payee))
      ? []
      : [
          found(
            'MERCHANT_NOT_ALLOWED',
            `The payee ${nameOf(payee)} is none of the ${allowed.length} disclosed payees that are allowed.`,
          ),
        ],
);

export const AllowedInstruments = z.looseObject({ allowed: z.array(z.looseObject({ id: z.string().min(1) })) });
export const allowedInstruments = constraintRule(
  clause('Allowed Payment Instruments'),
  AllowedInstruments,
  ({ allowed }, { payment: { payment_instrument: used } }: ConstraintPayment) =>
    allowed.some(({ id }) => id === used.id)
      ? []
      : [
          found(
            'CONSTRAINT_VIOLATED',
            `The payment instrument ${used.id} is none of the ${allowed.length} disclosed ones that are allowed.`,
          ),
        ],
);

export const allowedPisps = constraintRule(
  clause('Allowed Payment Initiation Service Providers'),
  z.looseObject({ allowed: z.array(Pisp) }),
  ({ allowed }, { payment: { pisp } }: ConstraintPayment) => {
    if (pisp === undefined)
      return [found('CONSTRAINT_VIOLATED', 'The payment names no PISP, and only some are allowed.')];
    const isAllowed = allowed.some(
      (each) =>
        each.legal_name === pisp.legal_name &&
        each.brand_name === pisp.brand_name &&
        each.domain_name === pisp.domain_name,
    );
    return isAllowed
      ? []
      : [found('CONSTRAINT_VIOLATED', `The PISP ${pisp.domain_name} is none of those that are allowed.`)];
  },
);

export const executionDate = constraintRule(
  clause('Execution Date'),
  z.looseObject({ not_before: Instant.optional(), not_after: Instant.optional() }),
  ({ not_before: start_date, not_after: end_date }, { payment, at, isPaidNow }: ConstraintPayment) => {
    const { execution_date: stated } = payment;
    const [first] = [
      ...(stated === undefined ? [] : withinDates({ start_date, end_date }, stated)),
      ...(stated === undefined || isPaidNow ? withinDates({ start_date, end_date }, at * 1000) : []),
    ];
    return first === undefined ? [] : [first];
  },
);

export const checkoutReference = constraintRule(
  clause('Reference'),
  z.looseObject({ conditional_transaction_id: z.string().min(1) }),
  ({ conditional_transaction_id: named }, facts: ConstraintPayment) => {
    const hashes = facts.openCheckoutHashes(facts.algorithm);
    if (hashes === undefined) {
      return [
        found(
          'CHECKOUT_MISMATCH',
          'The payment is for one open checkout mandate, and neither that nor its hash was given.',
        ),
      ];
    }
    return hashes.includes(named)
      ? []
      : [found('CHECKOUT_MISMATCH', 'The open checkout mandate is not the one that the payment is for.')];
  },
);

/** What needs no memory; how often it was used is the ledger's to judge. */
export const agentRecurrence = constraintRule(
  clause('Agent Recurrence'),
  AgentRecurrence.extend({ frequency: z.enum(FREQUENCIES) }),
  (_, { open }: ConstraintPayment) => withoutCompanions(open),
);

function withoutCompanions(open: JsonObject): ConstraintFinding[] {
  const types = (open['constraints'] as readonly { readonly type?: unknown }[]).map(({ type }) => String(type));
  return ['amount_range', 'budget']
    .filter((name) => !types.some((type) => type.endsWith(`payment.${name}`)))
    .map((name) =>
      found('CONSTRAINT_VIOLATED', `Recurring payments need a constraint payment.${name} beside agent_recurrence.`),
    );
}

/** A budget in major units, as AP2 states it; what was spent before is the ledger's to judge. */
export const majorBudget = constraintRule(
  clause('Budget'),
  MajorBudget,
  ({ currency, max }, facts: ConstraintPayment) => overBudget(facts, currency, floorToMinor(max, currency)),
);

/** A budget in minor units, as Verifiable Intent states it. */
export const minorBudget = constraintRule(
  clause('Budget'),
  MinorBudget,
  ({ currency, max, min }, facts: ConstraintPayment) => {
    const { amount } = facts.payment.payment_amount;
    if (min === undefined || amount >= min) return overBudget(facts, currency, max);
    return [
      found(
        'CONSTRAINT_VIOLATED',
        `${money(facts)} is less than ${formatMoney(min, currency)}, the least that is allowed.`,
      ),
    ];
  },
);

/** Dates of Verifiable Intent: an end that is a day lasts until that day is over, in UTC. */
const LastInstant = z.union([
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  z.iso.date().transform((text) => Date.parse(text) + 86_399_999),
]);
const dates = { start_date: Instant.optional(), end_date: LastInstant.optional() };

export const datedRecurrence = constraintRule(
  clause('Agent Recurrence'),
  AgentRecurrence.extend(dates),
  (span, facts: ConstraintPayment) => [...nowWithinDates(span, facts), ...withoutCompanions(facts.open)],
);

/** A subscription that the merchant charges by itself: one setup, which a ledger counts. */
export const Subscription = z.looseObject({
  frequency: z.string().min(1),
  number: z.int().min(1).optional(),
  ...dates,
});
export const subscription = constraintRule(clause('Recurrence'), Subscription, nowWithinDates);

const Dated = z.looseObject({
  type: z.string(),
  not_after: Instant.optional().catch(undefined),
  end_date: LastInstant.optional().catch(undefined),
});

/** Until when constraints let something be paid, in milliseconds since the epoch; undefined where none has an end. */
export function paidUntil(constraints: readonly unknown[]): number | undefined {
  const ends = constraints.flatMap((constraint) => {
    const { type = '', not_after, end_date } = Dated.safeParse(constraint).data ?? {};
    if (type === 'payment.execution_date') return not_after ?? [];
    return /^mandate\.payment\.(agent_)?recurrence$/.test(type) ? (end_date ?? []) : [];
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}

interface Dates {
  readonly start_date?: number | undefined;
  readonly end_date?: number | undefined;
}

/** @param when the time of the payment, in milliseconds since the epoch */
function withinDates({ start_date: from, end_date: to }: Dates, when: number): ConstraintFinding[] {
  if (from !== undefined && when < from) {
    return [found('TIME_WINDOW_VIOLATED', `The payment is for ${isoTime(when)}, before ${isoTime(from)}.`)];
  }
  if (to === undefined || when <= to) return [];
  return [found('TIME_WINDOW_VIOLATED', `The payment is for ${isoTime(when)}, after ${isoTime(to)}.`)];
}

/** The verifier's time counts: an agent names no other one here. */
function nowWithinDates(span: Dates, { at }: ConstraintPayment): ConstraintFinding[] {
  return withinDates(span, at * 1000);
}

function overBudget(facts: ConstraintPayment, currency: string, max: number): ConstraintFinding[] {
  const { amount, currency: paid } = facts.payment.payment_amount;
  if (paid !== currency) return [wrongCurrency(paid, currency)];
  if (amount <= max) return [];
  return [
    found('SPENDING_LIMIT_EXCEEDED', `${money(facts)} is more than the whole budget of ${formatMoney(max, currency)}.`),
  ];
}

function wrongCurrency(paid: string, allowed: string): ConstraintFinding {
  return found('CURRENCY_NOT_ALLOWED', `The payment is in ${paid}, and ${allowed} is allowed.`);
}

function money({ payment: { payment_amount: paid } }: ConstraintPayment): string {
  return formatMoney(paid.amount, paid.currency);
}

function nameOf({ name, id }: MandateMerchant): string {
  return name ?? id ?? 'without a name';
}

function found(code: ConstraintFinding['code'], detail: string): ConstraintFinding {
  return { code, detail };
}
