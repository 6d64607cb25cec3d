/**
 * I1 of checkouts of UCP, read from the chain of evidence alone: mandates are made for money that is held, once for a payment, and for one
 * payment of a checkout.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Law, UnreadEvents, violated } from './law.ts';
import type { Event } from './shapes.ts';

export class CheckoutLaw implements Law {
  /** Payments whose money is held. */
  readonly #held = new Set<string>();
  /** What mandates were made for: payments, checkouts by their business and id, and checkouts by their hash. */
  readonly #mandated = new Set<string>();
  readonly #unread = new UnreadEvents();

  tell(happening: Happening, place: number): readonly Violation[] {
    return happening.kind === 'quiet' ? this.#judge(happening.books, place) : [];
  }

  #judge(books: Books, place: number): readonly Violation[] {
    const found: Violation[] = [];
    for (const event of this.#unread.in(books)) {
      for (const sentence of this.#follow(event)) {
        found.push(violated('I1', `${sentence} (event ${event.seq}).`, place));
      }
    }
    return found;
  }

  #follow({ eventType, data }: Event): readonly string[] {
    const payment = String(data['mandateId']);
    if (eventType === 'PAYMENT_AUTHORIZED') this.#held.add(payment);
    if (eventType === 'PAYMENT_CANCELED' || eventType === 'PAYMENT_FAILED') this.#held.delete(payment);
    if (eventType !== 'CHECKOUT_MANDATES_ISSUED') return [];
    const found: string[] = [];
    if (!this.#held.has(payment)) found.push('Mandates were made for a payment whose money is not held');
    const { merchant, checkoutId, checkoutHash } = data;
    for (const subject of [payment, `${merchant} ${checkoutId}`, String(checkoutHash)]) {
      if (this.#mandated.has(subject)) found.push(`Mandates were made twice for ${subject}`);
      this.#mandated.add(subject);
    }
    return found;
  }
}
