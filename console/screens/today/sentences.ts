/** What happened, as a sentence: who, did what, how much, with whom. */
import type { Approval, Payment } from '../../../client/operations.ts';

export interface Sentence {
  readonly key: string;
  readonly agentDid: string;
  /** Between the agent's name and the amount. */
  readonly did: string;
  readonly amount: number;
  readonly currency: string;
  /** Between the amount and the merchant. */
  readonly to: string;
  readonly merchant: string;
  /** After the merchant. */
  readonly tail: string;
  readonly time: string;
  readonly href: string;
}

const OF_PAYMENT: Readonly<Record<Payment['status'], readonly [did: string, to: string, tail?: string]>> = {
  PENDING: ['is paying', 'to'],
  UNKNOWN: ['asked to pay', 'to'],
  AUTHORIZED: ['reserved', 'for'],
  CAPTURED: ['paid', 'to'],
  PARTIALLY_REFUNDED: ['paid', 'to', ', and had part of it refunded'],
  REFUNDED: ['was refunded', 'by'],
  DISPUTED: ['paid', 'to', ', which is disputed'],
  FAILED: ['could not pay', 'to'],
  CANCELED: ['released', 'reserved for'],
};

const OF_APPROVAL: Readonly<Record<Approval['status'], string>> = {
  pending: 'asks to spend',
  approved: 'was allowed to spend',
  denied: 'was not allowed to spend',
  expired: 'got no answer about',
};

/** The newest first, so many of them. */
export function sentencesOf(
  payments: readonly Payment[],
  approvals: readonly Approval[],
  most: number,
): readonly Sentence[] {
  const all = [...payments.map(ofPayment), ...approvals.map(ofApproval)];
  return all.sort((one, other) => (one.time < other.time ? 1 : -1)).slice(0, most);
}

function ofPayment({ mandateId, agentDid, status, amount, currency, merchant, createdAt }: Payment): Sentence {
  const [did, to, tail = ''] = OF_PAYMENT[status];
  const href = `#/payments/${mandateId}`;
  return { key: mandateId, agentDid, did, amount, currency, to, merchant, tail, time: createdAt, href };
}

function ofApproval(approval: Approval): Sentence {
  const { id, agentDid, status, amount, currency, merchant, createdAt, decidedAt } = approval;
  const did = OF_APPROVAL[status];
  return {
    key: id,
    agentDid,
    did,
    amount,
    currency,
    to: 'at',
    merchant,
    tail: '',
    time: decidedAt ?? createdAt,
    href: `#/approvals/${id}`,
  };
}
