/**
 * I1, I2 and I6 of what servers ask for by HTTP: one challenge is paid by one payment, the payee of a purchase stays who the person and
 * the policy saw, nothing is made for a purchase whose first try can still be paid or was, and no merchant's cart is paid by a rail
 * that has a gate of its own.
 */
import { z } from 'zod';
import type { Happening, Violation } from '../history.ts';
import { type Asked, type Calls, doneBody } from './calls.ts';
import { type Law, type Of, UnreadEvents, violated } from './law.ts';
import { type Event, FACTS } from './shapes.ts';
import { membersOf } from './trail.ts';

const Granted = z.object({ allowed: z.literal(true), mandateId: z.string(), challengeId: z.string().optional() });

/** What pays a merchant, as its rail made it. */
interface Credential {
  readonly place: number;
  readonly payee: string;
  readonly endsAt: number;
  readonly amountMinor: number;
  taken: number;
  isRevoked: boolean;
}

/** Rails by which no merchant's cart is paid. */
const GATED: readonly string[] = ['SPT_RAIL', 'X402_RAIL', 'EXTERNAL_RAIL'];

export class HttpPaymentLaw implements Law {
  readonly #calls: Calls;
  readonly #made = new Map<string, Credential>();
  /** By challenge, the payment. */
  readonly #granted = new Map<string, { readonly payment: string; readonly place: number }>();
  /** Intents whose cart the node made. */
  readonly #offers = new Set<string>();
  /** Of these, where it is known, who is paid. */
  readonly #payees = new Map<string, string>();
  /** By cart. */
  readonly #shown = new Map<string, string>();
  readonly #unread = new UnreadEvents();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'rail') this.#deal(happening, place);
    if (happening.kind === 'quiet') {
      return this.#unread.in(happening.books).flatMap((event) => this.#read(event, place));
    }
    if (happening.kind !== 'answered') return [];
    const asked = this.#calls.find(happening.id);
    return asked?.call === 'authorizeHttpPayment' ? this.#grant(asked, place) : [];
  }

  #deal({ operation, did, payment, payee, endsAt, amountMinor }: Of<'rail'>, place: number): void {
    if (did !== 'created' || payee === undefined) return;
    const known = this.#made.get(payment);
    if (operation === 'authorize' && endsAt !== undefined) {
      this.#made.set(payment, { place, payee, endsAt, amountMinor, taken: 0, isRevoked: false });
    }
    if (known === undefined) return;
    if (operation === 'capture') known.taken += amountMinor;
    if (operation === 'cancel') known.isRevoked = true;
  }

  #grant(asked: Asked, place: number): readonly Violation[] {
    const granted = Granted.safeParse(doneBody(asked)).data;
    if (granted === undefined) return [];
    const { mandateId: payment, challengeId } = granted;
    const { replaces } = membersOf(asked.input);
    const found = typeof replaces === 'string' ? this.#second(payment, replaces, asked, place) : [];
    if (challengeId === undefined) return found;
    const before = this.#granted.get(challengeId);
    if (before === undefined) this.#granted.set(challengeId, { payment, place });
    if (before === undefined || before.payment === payment) return found;
    const sentence = `Challenge ${challengeId} is paid by two payments, ${before.payment} and ${payment}.`;
    return [...found, violated('I2', sentence, before.place, asked.place, place)];
  }

  /** What replaces a first try is made once that can never be paid, and was not. */
  #second(payment: string, replaces: string, asked: Asked, place: number): readonly Violation[] {
    const first = this.#made.get(replaces);
    const second = this.#made.get(payment);
    // A transfer is known from its answer on.
    const madeAt = second?.place ?? asked.place;
    if (first === undefined || payment === replaces || first.place > madeAt) return [];
    const what = `Payment ${payment} was made in the place of ${replaces}`;
    const places = [first.place, madeAt, asked.place, place];
    if (first.taken > 0) return [violated('I2', `${what}, which was paid.`, ...places)];
    if (first.isRevoked || first.endsAt <= asked.at) return [];
    return [violated('I2', `${what}, which can still be paid.`, ...places)];
  }

  #read({ eventType, data, seq }: Event, place: number): readonly Violation[] {
    if (eventType === 'CART_VALIDATED' || eventType === 'CART_REJECTED') return this.#cart(data, seq, place);
    if (eventType !== 'PM_ISSUED') return [];
    const { mandateId, intentId } = FACTS.PAYMENT.parse(data);
    const payee = this.#payees.get(intentId);
    const made = this.#made.get(mandateId);
    if (!this.#offers.has(intentId) && GATED.includes(String(data['rail'])))
      return [violated('I6', `Payment ${mandateId} of a merchant's cart is by ${data['rail']} (event ${seq}).`, place)];
    if (payee === undefined || made === undefined || made.payee === payee) return [];
    const sentence = `Payment ${mandateId} to ${payee} was made out to ${made.payee} (event ${seq}).`;
    return [violated('I6', sentence, made.place, place)];
  }

  #cart(data: Event['data'], seq: number, place: number): readonly Violation[] {
    const { intentId, cartHash, source, payee } = FACTS.CART.parse(data);
    if (source === undefined) return [];
    this.#offers.add(intentId);
    if (payee === undefined) return [];
    this.#payees.set(intentId, payee);
    const shown = this.#shown.get(cartHash);
    this.#shown.set(cartHash, shown ?? payee);
    if (shown === undefined || shown === payee) return [];
    const sentence = `The cart ${cartHash} was of ${shown}, and pays ${payee} (event ${seq}).`;
    return [violated('I6', sentence, place)];
  }

  forget(_place: number, at: number): void {
    for (const [payment, { endsAt }] of this.#made) if (endsAt < at - 86_400_000) this.#made.delete(payment);
  }
}
