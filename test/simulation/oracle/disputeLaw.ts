/**
 * I7 of disputes: once all is quiet the books have each dispute of the rail, with its own amount and as it stands; a payment is disputed for
 * the sum of those that are open or lost; and the chain tells of each once that it was opened, and how it ended last.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Law, violated } from './law.ts';
import { eventOf, PaymentBooked } from './shapes.ts';
import { sayMoney, thousandthsOf, thousandthsOfMinor } from './thousandths.ts';

type Disputes = NonNullable<Books['rail'][number]['disputes']>;

const TAKES_MONEY: readonly string[] = ['needs_response', 'under_review', 'lost'];
const ENDS: readonly string[] = ['won', 'lost'];

/** What the chain tells of one dispute. */
interface Told {
  opened: number;
  closed: number;
  last: string;
}

export class DisputeLaw implements Law {
  /** By the rail's id of the dispute. */
  readonly #told = new Map<string, Told>();
  #read = 0;

  tell(happening: Happening, place: number): readonly Violation[] {
    return happening.kind === 'quiet' ? this.#judge(happening.books, place) : [];
  }

  #judge(books: Books, place: number): readonly Violation[] {
    this.#follow(books);
    const booked = new Map(
      books.payments.map((payment) => PaymentBooked.parse(payment)).map((each) => [each.mandateId, each]),
    );
    return books.rail.flatMap(({ payment, currency, disputes = [] }) => {
      const there = booked.get(payment);
      const fault =
        there === undefined ? undefined : (differenceOf(there, disputes, currency) ?? this.#untold(disputes));
      return fault === undefined ? [] : [violated('I7', `Payment ${payment} ${fault}.`, place)];
    });
  }

  #follow(books: Books): void {
    for (const { seq, eventType, data } of books.events.map(eventOf)) {
      if (seq <= this.#read) continue;
      this.#read = seq;
      const id = String((data as Readonly<Record<string, unknown>>)['railDisputeId']);
      const told = this.#told.get(id) ?? { opened: 0, closed: 0, last: '' };
      this.#told.set(id, told);
      if (eventType === 'PAYMENT_DISPUTED') told.opened += 1;
      if (eventType !== 'PAYMENT_DISPUTE_CLOSED') continue;
      told.closed += 1;
      told.last = String((data as Readonly<Record<string, unknown>>)['status']);
    }
  }

  #untold(disputes: Disputes): string | undefined {
    for (const { id, status } of disputes) {
      const { opened, closed, last } = this.#told.get(id) ?? { opened: 0, closed: 0, last: '' };
      const times = status.startsWith('inquiry') ? 0 : 1;
      if (opened !== times) return `has ${opened} events of the opening of ${id}, which is ${status}`;
      if (ENDS.includes(status) && (closed === 0 || last !== status)) {
        return `has no event that says last of ${id} that it was ${status}`;
      }
    }
    return undefined;
  }
}

/** @returns what the books say of a payment's disputes, where the rail says something else */
function differenceOf(payment: PaymentBooked, disputes: Disputes, currency: string): string | undefined {
  const sayAll = (all: readonly { id: string; amount: number; status: string }[]) =>
    all
      .map(({ id, amount, status }) => `${id} ${sayMoney(amount, currency)} ${status}`)
      .sort()
      .join(', ') || 'none';
  const there = disputes.map(({ id, amountMinor, status }) => {
    return { id, amount: thousandthsOfMinor(amountMinor, currency), status };
  });
  const here = payment.disputes.map(({ railDisputeId, amount, status }) => {
    return { id: railDisputeId, amount: thousandthsOf(amount) ?? 0, status };
  });
  if (sayAll(here) !== sayAll(there)) return `has the disputes ${sayAll(here)}, and the rail ${sayAll(there)}`;
  const standing = there.filter(({ status }) => TAKES_MONEY.includes(status));
  const sum = standing.reduce((all, { amount }) => all + amount, 0);
  if ((thousandthsOf(payment.disputed) ?? 0) !== sum) {
    return `is disputed for ${payment.disputed}, and its disputes come to ${sayMoney(sum, currency)}`;
  }
  const isDisputed = standing.length > 0 && payment.refunded < payment.captured;
  if (isDisputed === (payment.status === 'DISPUTED')) return undefined;
  return `is ${payment.status}, and ${standing.length} of its disputes are open or lost`;
}
