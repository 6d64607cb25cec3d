/** What answers a dispute in words, for a rail that takes it in fields. */
import { formatAmount } from '../money.ts';
import { type DisputePack, type EventRun, eventRuns } from './disputePack.ts';

/** Stripe takes 20,000 characters in a field at most. */
const MOST_CHARACTERS = 20_000;

export interface DisputeAnswer {
  /** What was bought, of whom. */
  readonly product: string;
  /** What happened when, a line each. */
  readonly activity: string;
  /** Who decided by what, what the merchant told, and how all of it is checked. */
  readonly summary: string;
}

export function disputeAnswer(pack: DisputePack): DisputeAnswer {
  const { payment, decision, merchant, bundle } = pack;
  const { description = 'A purchase', amount, currency, merchant: shop } = payment;
  const asked = formatAmount(amount, currency);
  const policy = decision.approved?.data;
  const persons = decision.persons.map(({ eventType, createdAt }) => `${eventType} at ${createdAt}`);
  const told = merchant.told === undefined ? [] : [`The merchant told: ${JSON.stringify(merchant.told)}`];
  const lines = [
    `The purchase was made by the customer's software agent ${payment.agentDid} under the customer's own policy.`,
    `Policy ${policy?.['policyId'] ?? ''} version ${policy?.['policyVersion'] ?? ''} allowed ${asked} at ${shop}.`,
    persons.length === 0 ? 'The policy asked no person.' : `The person: ${persons.join('; ')}.`,
    ...told,
    `Each step is signed by ${bundle.issuer} (transaction ${bundle.transactionId}), and can be checked offline with the evidence bundle.`,
  ];
  return {
    product: cut(`${description}, ${asked}, at ${shop}`),
    activity: cut(eventRuns(bundle.events).map(lineOf).join('\n')),
    summary: cut(lines.join('\n')),
  };
}

function lineOf({ first: { createdAt, eventType }, last, count }: EventRun): string {
  return count === 1
    ? `${createdAt} ${eventType}`
    : `${createdAt} ${eventType}, ${count} times until ${last.createdAt}`;
}

function cut(text: string): string {
  return text.slice(0, MOST_CHARACTERS);
}
