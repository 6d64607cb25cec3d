/** What a presentation would use, read from the tokens in an event of the evidence: of AP2 or of Verifiable Intent. */
import { createHash } from 'node:crypto';

export type Members = Readonly<Record<string, unknown>>;

export interface PresentedUse {
  /** What may be used for its checkout once. */
  readonly checkout: string;
  /** Where its uses are counted; undefined where a person closed it. */
  readonly ledger: string | undefined;
  readonly minor: number;
  readonly isSingleUse: boolean;
  readonly mostMinor: number | undefined;
  readonly mostUses: number | undefined;
}

interface Mandate {
  readonly payment_amount: { readonly amount: number };
  readonly transaction_id: string;
  readonly constraints: readonly Constraint[];
}
interface Constraint {
  readonly type: string;
  readonly max?: number;
  readonly number?: number;
  readonly conditional_transaction_id?: string;
}

export function mandateOf(data: Members): PresentedUse {
  const layers = data['verifiableIntent'] as { l1: string; l2: string; l3Payment?: string } | undefined;
  return layers === undefined ? useOfChain(String(data['paymentMandate'])) : useOfIntent(layers);
}

/** What an intent that names a registered open mandate uses of it. */
export function useOfIntentBy(open: string, intentId: string, minor: number): PresentedUse {
  const limits = limitsOf(paymentIn(open).constraints, 'payment.', 100);
  return { checkout: intentId, ledger: jwtOf(open), minor, ...limits };
}

/** What a token signs, by which its uses are told: its signature has two forms. */
export function openHashOf(open: string): string {
  return jwtOf(open);
}

function useOfChain(chain: string): PresentedUse {
  const [open = '', closed = ''] = chain.split('~~');
  const { payment_amount: paid, transaction_id: checkout } = paymentIn(closed);
  const root = jwtOf(open);
  const limits = limitsOf(paymentIn(open).constraints, 'payment.', 100);
  return { checkout: `${root} ${checkout}`, ledger: root, minor: paid.amount, ...limits };
}

function useOfIntent({ l1, l2, l3Payment }: { l1: string; l2: string; l3Payment?: string }): PresentedUse {
  const { payment_amount: paid, transaction_id: checkout } = paymentIn(l3Payment ?? l2);
  if (l3Payment === undefined) {
    const { cnf } = payloadOf(l1) as { readonly cnf: { readonly jwk: { readonly x: string } } };
    const none = { ledger: undefined, isSingleUse: false, mostMinor: undefined, mostUses: undefined };
    return { checkout: `${cnf.jwk.x} ${checkout}`, minor: paid.amount, ...none };
  }
  const root = jwtOf(l2);
  const { constraints } = paymentIn(l2);
  const pair = constraints.find(({ type }) => type === 'mandate.payment.reference')?.conditional_transaction_id;
  const limits = limitsOf(constraints, 'mandate.payment.', 1);
  return { checkout: `${root} ${checkout}`, ledger: `${root} ${pair}`, minor: paid.amount, ...limits };
}

/** @param minorUnits of one unit of the budget: all budgets of these worlds are in dollars, of AP2, or in cents */
function limitsOf(constraints: readonly Constraint[], prefix: string, minorUnits: number) {
  const named = (name: string) => constraints.find(({ type }) => type === prefix + name);
  const most = named('budget')?.max;
  const mostUses = named('recurrence')?.number;
  return {
    isSingleUse: named('agent_recurrence') === undefined && mostUses === undefined,
    mostMinor: most === undefined ? undefined : most * minorUnits,
    mostUses,
  };
}

function jwtOf(token: string): string {
  return createHash('sha256').update(token.split('.').slice(0, 2).join('.')).digest('hex');
}

function payloadOf(token: string): Members {
  return JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString());
}

/** The payment among the disclosures of a token. */
function paymentIn(token: string): Mandate {
  const disclosures = token.split('~').slice(1).filter(Boolean);
  const values = disclosures.map((text) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[]);
  return values
    .map((value) => value.at(-1) as Members)
    .find((value) => typeof value === 'object' && String(value?.['vct']).startsWith('mandate.payment')) as never;
}
