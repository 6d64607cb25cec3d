/**
 * I1 of chains of mandates, read from the chain of evidence and the chains in it alone: a checkout is allowed once under its first
 * mandate, an open mandate without recurrence once, and its uses never come to more than its budget.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Law, violated } from './law.ts';
import { type Event, eventOf } from './shapes.ts';

interface Use {
  readonly root: string;
  readonly minor: number;
}

export class MandateLaw implements Law {
  readonly #checkouts = new Set<string>();
  /** What is allowed and not taken back, by its intent. */
  readonly #live = new Map<string, Use>();
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
    const root = String(open.split('~')[0]);
    const use = { root, minor: mandateIn(closed).payment_amount.amount as number };
    const found: string[] = [];
    if (this.#checkouts.has(`${root} ${checkout}`)) found.push('A mandate was accepted twice for one checkout');
    this.#checkouts.add(`${root} ${checkout}`);
    const others = [...this.#live.values()].filter((other) => other.root === root);
    const constraints = mandateIn(open).constraints as readonly { type: string; max?: number }[];
    const isRecurring = constraints.some(({ type }) => type === 'payment.agent_recurrence');
    if (!isRecurring && others.length > 0) found.push('An open mandate for one payment was used for a second one');
    const most = constraints.find(({ type }) => type === 'payment.budget')?.max;
    const spent = [use, ...others].reduce((sum, { minor }) => sum + minor, 0);
    // All budgets of these worlds are in dollars.
    if (most !== undefined && spent > most * 100) {
      found.push(`Uses of an open mandate come to ${spent} cents, and its budget is ${most} dollars`);
    }
    this.#live.set(intentId, use);
    return found;
  }
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
