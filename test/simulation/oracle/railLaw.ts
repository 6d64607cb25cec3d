/**
 * I2 and I7 as the rail sees them: a payment is created once and under one key, no more is captured than was authorized and no more
 * given back than was captured, and once all is quiet the books say of every payment what the rail says.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Law, type Of, violated } from './law.ts';
import { PaymentBooked } from './shapes.ts';
import { sayMoney, thousandthsOf, thousandthsOfMinor } from './thousandths.ts';

type Balance = Books['rail'][number];

/** What the rail was asked about one payment. */
interface Dealt {
  /** When it was dealt with last. */
  at: number;
  readonly created: Of<'rail'> & { readonly place: number };
  captured: number;
  refunded: number;
  /** Places of what changed the money. */
  readonly places: number[];
}

/** How long after it was dealt with last nothing more happens to a payment. */
const OVER_MS = 40 * 86_400_000;

export class RailLaw implements Law {
  /** The latest of the payments that were forgotten; ids are in the order of time. */
  #forgotten = '';
  readonly #dealt = new Map<string, Dealt>();
  /** The key of a payment's authorization, by payment. */
  readonly #keys = new Map<string, { readonly key: string; readonly place: number }>();

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'rail') return this.#deal(happening, place);
    if (happening.kind === 'quiet') return this.#compare(happening.books, place);
    return [];
  }

  forget(_place: number, at: number): void {
    for (const [payment, dealt] of this.#dealt) {
      if (dealt.at > at - OVER_MS) continue;
      this.#dealt.delete(payment);
      this.#keys.delete(payment);
      if (payment > this.#forgotten) this.#forgotten = payment;
    }
    for (const payment of this.#keys.keys()) {
      if (payment < this.#forgotten && !this.#dealt.has(payment)) this.#keys.delete(payment);
    }
  }

  #deal(act: Of<'rail'>, place: number): readonly Violation[] {
    const found = act.operation === 'authorize' ? this.#checkKey(act, place) : this.#checkAsked(act, place);
    if (act.did !== 'created') return found;
    const dealt = this.#dealt.get(act.payment);
    if (act.operation === 'authorize') {
      if (dealt === undefined) {
        const old = act.payment <= this.#forgotten;
        this.#dealt.set(act.payment, {
          at: act.at,
          created: { ...act, place },
          captured: 0,
          refunded: 0,
          places: [place],
        });
        if (!old) return found;
        return [...found, violated('I2', `Payment ${act.payment} was authorized long after it was mandated.`, place)];
      }
      const sentence = `The rail holds money twice for payment ${act.payment}.`;
      return [...found, violated('I2', sentence, dealt.created.place, place)];
    }
    return [...found, ...this.#move(act, place, dealt)];
  }

  #checkKey({ payment, key }: Of<'rail'>, place: number): readonly Violation[] {
    const first = this.#keys.get(payment);
    if (first === undefined) {
      this.#keys.set(payment, { key, place });
      return [];
    }
    if (first.key === key) return [];
    const sentence = `Payment ${payment} was asked of the rail under a second key, ${key} after ${first.key}.`;
    return [violated('I2', sentence, first.place, place)];
  }

  /** What the rail refuses was asked for all the same. */
  #checkAsked({ operation, did, payment, amountMinor, currency }: Of<'rail'>, place: number): readonly Violation[] {
    const dealt = this.#dealt.get(payment);
    if (operation !== 'refund' || did !== 'declined' || dealt === undefined) return [];
    const left = dealt.captured - dealt.refunded;
    if (amountMinor <= left) return [];
    const say = (minor: number) => sayMoney(thousandthsOfMinor(minor, currency), currency);
    const sentence = `The rail was asked to give back ${say(amountMinor)} of payment ${payment}, of which ${say(left)} are left.`;
    return [violated('I7', sentence, ...dealt.places, place)];
  }

  #move(act: Of<'rail'>, place: number, dealt: Dealt | undefined): readonly Violation[] {
    if (dealt === undefined) {
      const sentence = `A ${act.operation} of payment ${act.payment} was done, for which the rail holds nothing.`;
      return [violated('I7', sentence, place)];
    }
    dealt.places.push(place);
    dealt.at = act.at;
    if (act.operation === 'capture') dealt.captured += act.amountMinor;
    if (act.operation === 'refund') dealt.refunded += act.amountMinor;
    const { created, captured, refunded, places } = dealt;
    const say = (minor: number) => sayMoney(thousandthsOfMinor(minor, created.currency), created.currency);
    if (captured > created.amountMinor) {
      const sentence = `Of payment ${act.payment} ${say(captured)} were captured, and ${say(created.amountMinor)} authorized.`;
      return [violated('I1', sentence, ...places)];
    }
    if (refunded > captured) {
      const sentence = `Of payment ${act.payment} ${say(refunded)} were given back, and ${say(captured)} captured.`;
      return [violated('I7', sentence, ...places)];
    }
    return [];
  }

  /** The node may not know what the rail did, but then it must not say that it declined. */
  #takenForDeclined({ mandateId, status, attention }: PaymentBooked): string | undefined {
    if (status !== 'FAILED' || attention !== undefined || !this.#dealt.has(mandateId)) return undefined;
    return `Payment ${mandateId} is FAILED in the books, and the rail had authorized it.`;
  }

  #compare({ payments, rail }: Books, place: number): readonly Violation[] {
    const balances = new Map(rail.map((balance) => [balance.payment, balance]));
    const booked = payments.map((payment) => PaymentBooked.parse(payment));
    const known = new Set(booked.map(({ mandateId }) => mandateId));
    const of = (payment: string) => this.#dealt.get(payment)?.places ?? [];
    const unbooked = rail
      .filter(({ payment, authorizedMinor, cancelled }) => !known.has(payment) && authorizedMinor > 0 && !cancelled)
      .map(({ payment }) =>
        violated('I7', `The rail holds payment ${payment}, which no book knows.`, ...of(payment), place),
      );
    const different = booked.flatMap((payment) => {
      const fault = this.#takenForDeclined(payment) ?? differenceOf(payment, balances.get(payment.mandateId));
      return fault === undefined ? [] : [violated('I7', fault, ...of(payment.mandateId), place)];
    });
    return [...unbooked, ...different];
  }
}

const UNDECIDED: readonly string[] = ['PENDING', 'UNKNOWN'];

/** @returns one sentence where the books and the rail say different things */
function differenceOf(payment: PaymentBooked, balance: Balance | undefined): string | undefined {
  const { mandateId, status, currency } = payment;
  // What stays undecided is shown to a person, who looks at the rail.
  // A rail knows nothing of payments that are made elsewhere.
  if (payment.attention !== undefined || payment.rail === 'EXTERNAL_RAIL') return undefined;
  if (UNDECIDED.includes(status))
    return `Payment ${mandateId} is ${status}, though all is at rest and the rail answers.`;
  const at = (minor: number | undefined) => (minor === undefined ? 0 : thousandthsOfMinor(minor, currency));
  const held = balance?.cancelled === true ? 0 : at(balance?.authorizedMinor);
  const books = { captured: thousandthsOf(payment.captured) ?? 0, refunded: thousandthsOf(payment.refunded) ?? 0 };
  const say = (what: number) => sayMoney(what, currency);
  if (status === 'FAILED' || status === 'CANCELED') {
    return held === 0
      ? undefined
      : `Payment ${mandateId} is ${status} in the books, and the rail holds ${say(held)} for it.`;
  }
  const amount = thousandthsOf(payment.amount) ?? 0;
  // A merchant's word may only say that more was taken.
  if (balance?.isClaimed === true && books.captured === amount) return undefined;
  if (balance === undefined || (held !== amount && at(balance.capturedMinor) === 0)) {
    return `Payment ${mandateId} is ${status} with ${say(amount)} in the books, and the rail holds ${say(held)} for it.`;
  }
  for (const what of ['captured', 'refunded'] as const) {
    const there = at(balance[`${what}Minor`]);
    if (there !== books[what]) {
      return `Of payment ${mandateId} ${say(books[what])} are ${what} in the books, and ${say(there)} at the rail.`;
    }
  }
  return undefined;
}
