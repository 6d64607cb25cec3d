/** What open mandates say of a purchase that no closed mandate states: an intent, and the cart and the payment that follow. */
import type { ReasonDetails } from '../reason.ts';
import {
  type ConstraintFinding,
  type ConstraintPayment,
  type ConstraintRule,
  constraintRule,
  judgeConstraints,
} from '../sdjwt/constraint.ts';
import { type MandateChain, OWN_CLAIMS } from '../sdjwt/mandateChain.ts';
import { ClosedPayment, MandateMerchant } from '../sdjwt/mandateContent.ts';
import {
  AllowedInstruments,
  AllowedPayees,
  agentRecurrence,
  amountRange,
  executionDate,
  majorBudget,
} from '../sdjwt/paymentConstraints.ts';
import { isObject, type JsonObject } from '../sdjwt/sdJwt.ts';
import { payeeDomain } from './payee.ts';

/** The open mandates of a delegation, and what needs a memory of their uses. */
export type DelegatedMandate = Pick<MandateChain, 'open' | 'limits'>;

export interface DelegatedPurchase {
  /** Of an intent its maximum, of a cart its total. */
  readonly amountMinor: number;
  readonly currency: string;
  /** A domain; undefined where an intent names none yet. */
  readonly merchant: string | undefined;
  /** What is paid with: its id, null for none that is known, undefined where an intent cannot tell yet. */
  readonly instrument: string | null | undefined;
  /** An intent may turn out to be less than its maximum. */
  readonly isFinal: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Facts extends ConstraintPayment {
  readonly purchase: DelegatedPurchase;
}

const PAYEES = 'AP2 v0.2, Payment Mandate: Allowed Payees';
const INSTRUMENTS = 'AP2 v0.2, Payment Mandate: Allowed Payment Instruments';

/** The constraints that an intent and a cart can be judged by. A PISP, or one open checkout mandate, is named by neither. */
const RULES: Readonly<Record<string, ConstraintRule<Facts>>> = {
  'payment.amount_range': {
    clause: amountRange.clause,
    // An intent may be for less than its maximum, and the least is for the cart to keep.
    judge: (constraint, facts) =>
      amountRange
        .judge(constraint, facts)
        .filter(({ code }) => facts.purchase.isFinal || code !== 'CONSTRAINT_VIOLATED'),
  },
  'payment.allowed_payees': constraintRule(PAYEES, AllowedPayees, ({ allowed }, { purchase }: Facts) =>
    refusePayee(allowed, purchase),
  ),
  'payment.allowed_payment_instruments': constraintRule(
    INSTRUMENTS,
    AllowedInstruments,
    ({ allowed }, { purchase }: Facts) => refuseInstrument(allowed, purchase),
  ),
  'payment.agent_recurrence': agentRecurrence,
  'payment.budget': majorBudget,
  'payment.execution_date': executionDate,
};

/** What an open mandate may set for the closed one, and how a purchase is held to it. */
const PRESETS: Readonly<Record<string, (value: unknown, purchase: DelegatedPurchase) => readonly ConstraintFinding[]>> =
  {
    payee: (value, purchase) => refusePayee([MandateMerchant.safeParse(value).data ?? {}], purchase),
    payment_amount: refuseAmount,
    payment_instrument: (value, purchase) => {
      const { id } = ClosedPayment.shape.payment_instrument.safeParse(value).data ?? { id: '' };
      return refuseInstrument([{ id }], purchase);
    },
  };

function refusePayee(allowed: readonly MandateMerchant[], { merchant }: DelegatedPurchase): ConstraintFinding[] {
  if (merchant === undefined || allowed.some((payee) => payeeDomain(payee) === merchant)) return [];
  const detail = `The merchant ${merchant} is the website of none of the ${allowed.length} disclosed payees that are allowed.`;
  return [{ code: 'MERCHANT_NOT_ALLOWED', detail }];
}

function refuseInstrument(
  allowed: readonly { readonly id: string }[],
  { instrument }: DelegatedPurchase,
): ConstraintFinding[] {
  if (instrument === undefined || allowed.some(({ id }) => id === instrument)) return [];
  const detail =
    instrument === null
      ? `The open mandate allows ${allowed.length} payment instruments; name one of them as \`instrument\`.`
      : `The payment instrument ${instrument} is none of the ${allowed.length} disclosed ones that are allowed.`;
  return [{ code: 'CONSTRAINT_VIOLATED', detail }];
}

function refuseAmount(value: unknown, { amountMinor, currency }: DelegatedPurchase): ConstraintFinding[] {
  const set = ClosedPayment.shape.payment_amount.safeParse(value).data;
  if (set?.amount === amountMinor && set.currency === currency) return [];
  return [
    { code: 'CONSTRAINT_VIOLATED', detail: 'The open mandate sets the amount, and the purchase has another one.' },
  ];
}

/** @returns of each code the first sentence */
export function refuseDelegated({ open }: DelegatedMandate, purchase: DelegatedPurchase): ReasonDetails {
  const details: ReasonDetails = {};
  for (const { hop, mandate } of open) {
    for (const { code, detail } of [...brokenPresets(mandate, purchase), ...broken(mandate, purchase)]) {
      details[code] ??= { message: `Of mandate ${hop + 1}: ${detail}` };
    }
  }
  return details;
}

/** Why purchases by open mandates cannot be judged here at all: a constraint or a member that an intent and a cart do not tell of. */
export function refuseUnresolved({ open }: DelegatedMandate): ReasonDetails {
  const details: ReasonDetails = {};
  for (const { hop, mandate } of open) {
    const found = [...unresolvedPresets(mandate), ...unresolved(mandate)];
    for (const { code, detail } of found) details[code] ??= { message: `Of mandate ${hop + 1}: ${detail}` };
  }
  return details;
}

const PREFIX = { prefix: '', clauses: { mandate: '', unknownConstraint: '' } } as const;

function broken(mandate: JsonObject, purchase: DelegatedPurchase): readonly ConstraintFinding[] {
  return judgeConstraints(PREFIX, RULES, mandate, factsOf(mandate, purchase));
}

/** Codes that do not depend on what is bought. */
const LASTING = ['MANDATE_INVALID', 'CONSTRAINT_UNRESOLVED'];

function unresolved(mandate: JsonObject): readonly ConstraintFinding[] {
  const facts = factsOf(mandate, { amountMinor: 0, currency: '', ...NOTHING_KNOWN });
  const found = broken(mandate, facts.purchase).filter(({ code }) => LASTING.includes(code));
  const recurring = (mandate['constraints'] as readonly unknown[])
    .filter(isObject)
    .filter(({ type }) => type === 'payment.agent_recurrence')
    .flatMap((constraint) => agentRecurrence.judge(constraint, facts));
  return [...found.map(explained), ...recurring];
}

const NOTHING_KNOWN = { merchant: undefined, instrument: undefined, isFinal: false, at: 0 } as const;

function explained({ code, detail }: ConstraintFinding): ConstraintFinding {
  const named = detail.replace(' is not known here, so it counts as broken.', '');
  if (named === detail) return { code, detail };
  return { code, detail: `${named} cannot be judged by an intent and a cart; present the mandate as a chain instead.` };
}

function presetsOf(mandate: JsonObject): readonly string[] {
  return Object.keys(mandate).filter((name) => !OWN_CLAIMS.includes(name));
}

function brokenPresets(mandate: JsonObject, purchase: DelegatedPurchase): readonly ConstraintFinding[] {
  return presetsOf(mandate).flatMap((name) =>
    Object.hasOwn(PRESETS, name) ? (PRESETS[name]?.(mandate[name], purchase) ?? []) : [],
  );
}

function unresolvedPresets(mandate: JsonObject): readonly ConstraintFinding[] {
  return presetsOf(mandate)
    .filter((name) => !Object.hasOwn(PRESETS, name))
    .map((name) => ({
      code: 'CONSTRAINT_UNRESOLVED' as const,
      detail: `It sets ${name}, which an intent and a cart do not tell; present the mandate as a chain instead.`,
    }));
}

function factsOf(open: JsonObject, purchase: DelegatedPurchase): Facts {
  const { amountMinor: amount, currency, at } = purchase;
  return {
    payment: {
      transaction_id: '',
      payee: {},
      payment_amount: { amount, currency },
      payment_instrument: { id: '', type: '' },
    },
    open,
    at: at / 1000,
    openCheckoutHashes: () => undefined,
    algorithm: 'sha-256',
    purchase,
  };
}

/** The domains that every open mandate with payees allows; undefined where each merchant is allowed. */
export function payeesOf(open: DelegatedMandate['open']): string[] | undefined {
  const lists = open.flatMap(({ mandate, constraints }) => [
    ...(mandate['payee'] === undefined ? [] : [[mandate['payee']]]),
    ...constraints
      .filter(isObject)
      .filter(({ type }) => type === 'payment.allowed_payees')
      .map(({ allowed }) => (Array.isArray(allowed) ? allowed : [])),
  ]);
  const [first, ...others] = lists.map((list) => new Set(list.flatMap(domainOf)));
  return first === undefined ? undefined : [...first].filter((domain) => others.every((each) => each.has(domain)));
}

function domainOf(payee: unknown): string[] {
  const domain = payeeDomain(MandateMerchant.safeParse(payee).data ?? {});
  return domain === undefined ? [] : [domain];
}
