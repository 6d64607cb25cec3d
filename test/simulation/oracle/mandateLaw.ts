/**
 * I1 of mandates, read from the chain of evidence and the mandates in it alone: a checkout is allowed once under its first mandate, an
 * open mandate without recurrence once, and its uses, by chains and by intents that name its delegation, never come to more than its
 * budget. Once it is revoked, nothing is allowed by it.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Law, violated } from './law.ts';
import { type Event, eventOf } from './shapes.ts';

interface Use {
  /** The open mandate, and what it signs. */
  readonly open: string;
  readonly root: string;
  readonly minor: number;
}

export class MandateLaw implements Law {
  readonly #checkouts = new Set<string>();
  /** What is allowed and not taken back, by its intent. */
  readonly #live = new Map<string, Use>();
  /** The open mandates of delegations, by their ids, and those that are revoked, by what they sign. */
  readonly #delegations = new Map<string, string>();
  readonly #revoked = new Set<string>();
  #read = 0;

  tell(happening: Happening, place: number): readonly Violation[] {
    return happening.kind === 'quiet' ? this.#judge(happening.books, place) : [];
  }

  #judge({ events }: Books, place: number): readonly Violation[] {
    const found: Violation[] = [];
    for (const given of events) {
      const event = eventOf(given);
      if (event.seq <= this.#read) continue;
      this.#read = event.seq;
      for (const sentence of this.#follow(event)) {
        found.push(violated('I1', `${sentence} (event ${event.seq}).`, place));
      }
    }
    return found;
  }

  #follow({ eventType, data }: Event): readonly string[] {
    const intentId = String(data['intentId']);
    switch (eventType) {
      case 'MANDATE_ACCEPTED':
        return this.#accept(intentId, String(data['paymentMandate']), String(data['checkoutHash']));
      case 'DELEGATION_REGISTERED':
        this.#delegations.set(String(data['delegationId']), String(data['openMandate']));
        return [];
      case 'DELEGATION_REVOKED':
        this.#revoked.add(signedIn(this.#delegations.get(String(data['delegationId'])) ?? ''));
        return [];
      case 'INTENT_ISSUED': {
        const { delegationId, mandateId, maxAmount, openMandate: open = '' } = data;
        if (delegationId === undefined) return [];
        if (this.#delegations.get(String(delegationId)) !== open)
          return ['An intent has another open mandate than its delegation'];
        return this.#use(String(mandateId), useOf(String(open), centsOf(maxAmount)), 'An intent was issued');
      }
      case 'CART_VALIDATED': {
        const use = this.#live.get(intentId);
        return use === undefined
          ? []
          : this.#use(intentId, { ...use, minor: centsOf(data['amount']) }, 'A cart was approved');
      }
      case 'PM_ISSUED': {
        const use = this.#live.get(intentId);
        return use === undefined ? [] : this.#use(intentId, use, 'A payment was mandated');
      }
      case 'INTENT_EXPIRED':
        this.#live.delete(String(data['mandateId']));
        return [];
      case 'PAYMENT_CANCELED':
      case 'PAYMENT_FAILED':
        this.#live.delete(intentId);
        return [];
      default:
        return [];
    }
  }

  #accept(intentId: string, chain: string, checkout: string): readonly string[] {
    const [open = '', closed = ''] = chain.split('~~');
    const use = useOf(open, mandateIn(closed).payment_amount.amount as number);
    const place = `${use.root} ${checkout}`;
    const again = this.#checkouts.has(place) ? ['A mandate was accepted twice for one checkout'] : [];
    this.#checkouts.add(place);
    return [...again, ...this.#use(intentId, use, 'A mandate was accepted')];
  }

  /** What is allowed from now on by an open mandate, in place of what was allowed for the same intent before. */
  #use(intentId: string, use: Use, what: string): readonly string[] {
    const others = [...this.#live].filter(([id, { root }]) => id !== intentId && root === use.root);
    this.#live.set(intentId, use);
    const found: string[] = [];
    if (this.#revoked.has(use.root)) found.push(`${what} by an open mandate that was revoked before`);
    const constraints = mandateIn(use.open).constraints as readonly { type: string; max?: number }[];
    const isRecurring = constraints.some(({ type }) => type === 'payment.agent_recurrence');
    if (!isRecurring && others.length > 0)
      found.push(`${what} by an open mandate for one payment, which was used before`);
    const most = constraints.find(({ type }) => type === 'payment.budget')?.max;
    const spent = others.reduce((sum, [, { minor }]) => sum + minor, use.minor);
    // All budgets of these worlds are in dollars.
    if (most !== undefined && spent > most * 100) {
      found.push(`${what}, and uses of its open mandate come to ${spent} cents, of a budget of ${most} dollars`);
    }
    return found;
  }
}

function useOf(open: string, minor: number): Use {
  return { open, root: signedIn(open), minor };
}

/** What the JWT of a token signs: its signature has two forms. */
function signedIn(token: string): string {
  const jwt = String(token.split('~')[0]);
  return jwt.slice(0, jwt.lastIndexOf('.'));
}

function centsOf(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}

/** The mandate of a token, which is its one disclosure. */
function mandateIn(
  token: string,
): Readonly<Record<string, never>> & { payment_amount: { amount: unknown }; constraints: unknown } {
  const disclosures = token.split('~').slice(1).filter(Boolean);
  const values = disclosures.map((text) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[]);
  return values
    .map((value) => value.at(-1))
    .find((value) => typeof value === 'object' && value !== null && 'vct' in value) as never;
}
