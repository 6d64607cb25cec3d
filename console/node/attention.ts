/** What needs a person now. */
import type { Approval } from '../../client/operations.ts';
import { node } from './node.ts';

export interface Need {
  readonly key: string;
  /** What is the matter, beside the agent and the amount that it is about. */
  readonly text: string;
  readonly agentDid: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly merchant?: string;
  readonly since: string;
  /** Until when something can be done about it. */
  readonly until?: string;
  readonly href: string;
}

const MOST = 20;

const PAYMENT_NEEDS = {
  UNKNOWN: 'The outcome of a payment is unknown',
  DISPUTED: 'A payment is disputed',
} as const;

/** The most urgent first: what ends soonest, then what is newest. */
export async function loadNeeds(signal: AbortSignal): Promise<readonly Need[]> {
  const [approvals, ...rest] = await Promise.all([
    pendingApprovals(signal),
    needsOfPayments('UNKNOWN', signal),
    needsOfPayments('DISPUTED', signal),
    frozenAgents(signal),
  ]);
  return [...approvals.map(needOfApproval), ...rest.flat().sort((one, other) => (one.since < other.since ? 1 : -1))];
}

async function pendingApprovals(signal: AbortSignal): Promise<readonly Approval[]> {
  const { data } = await node.listApprovals({ status: 'pending', limit: MOST }, { signal });
  return [...data].sort((one, other) => (one.expiresAt < other.expiresAt ? -1 : 1));
}

function needOfApproval({ id, agentDid, amount, currency, merchant, createdAt, expiresAt }: Approval): Need {
  const text = 'wants to buy';
  const href = `#/approvals/${id}`;
  return { key: id, text, agentDid, amount, currency, merchant, since: createdAt, until: expiresAt, href };
}

async function needsOfPayments(status: keyof typeof PAYMENT_NEEDS, signal: AbortSignal): Promise<readonly Need[]> {
  const { data } = await node.listPayments({ status, limit: MOST }, { signal });
  return data.map(({ mandateId, agentDid, amount, currency, merchant, createdAt }) => ({
    key: mandateId,
    text: PAYMENT_NEEDS[status],
    agentDid,
    amount,
    currency,
    merchant,
    since: createdAt,
    href: `#/payments/${mandateId}`,
  }));
}

async function frozenAgents(signal: AbortSignal): Promise<readonly Need[]> {
  const { data } = await node.listAgents({ status: 'SUSPENDED', limit: MOST }, { signal });
  return data.map(({ did, createdAt }) => ({
    key: did,
    text: 'is frozen and buys nothing',
    agentDid: did,
    since: createdAt,
    href: `#/agents/${encodeURIComponent(did)}`,
  }));
}
