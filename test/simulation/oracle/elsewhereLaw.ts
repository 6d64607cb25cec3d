/**
 * I1, I2 and I5 of payments that are made elsewhere: what was told and acknowledged counts as it was told, one receipt pays for one
 * reservation, and nothing is freed but by a word or a policy that frees it.
 */
import { z } from 'zod';
import type { Books, Happening, Violation } from '../history.ts';
import { type Asked, type Calls, doneBody, mayBeDone } from './calls.ts';
import { type Law, violated } from './law.ts';
import { PaymentBooked } from './shapes.ts';
import { membersOf } from './trail.ts';

const Told = z.object({ mandateId: z.string(), merchant: z.string(), status: z.string(), captured: z.number() });
const Receipt = z.object({ sha256: z.string().optional(), reference: z.string().optional() });

/** What says how a reservation ended. */
const ENDING: readonly string[] = ['commitReservation', 'releaseReservation', 'settlePayment'];
/** What frees one. */
const FREEING: readonly string[] = ['releaseReservation', 'settlePayment'];

export class ElsewhereLaw implements Law {
  readonly #calls: Calls;
  /** By document, or by a merchant’s reference, which reservation it has paid for. */
  readonly #receipts = new Map<string, { readonly payment: string; readonly place: number }>();
  /** Whether some policy frees what nothing was told of. */
  #mayLapse = false;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'asked') this.#learn(membersOf(happening.input)['rules']);
    if (happening.kind === 'quiet') return this.#compare(happening.books, place);
    if (happening.kind !== 'answered') return [];
    const asked = this.#calls.find(happening.id);
    return asked?.call === 'commitReservation' ? this.#commit(asked, place) : [];
  }

  /** Without a word on it, the sandbox frees what nothing was told of. */
  #learn(rules: unknown): void {
    if (rules === undefined) return;
    this.#mayLapse ||= membersOf(membersOf(rules)['external'])['on_expiry'] !== 'hold';
  }

  #commit(asked: Asked, place: number): readonly Violation[] {
    const told = Told.safeParse(doneBody(asked)).data;
    if (told?.status !== 'CAPTURED') return [];
    const { sha256, reference } = Receipt.parse(membersOf(asked.input)['evidence']);
    // Two merchants may call two orders the same.
    const named = reference === undefined ? undefined : `${reference} of ${told.merchant}`;
    return [sha256, named].flatMap((receipt) => {
      if (receipt === undefined) return [];
      const first = this.#receipts.get(receipt);
      this.#receipts.set(receipt, first ?? { payment: told.mandateId, place });
      if (first === undefined || first.payment === told.mandateId) return [];
      const sentence = `The receipt ${receipt} has paid for ${first.payment} and for ${told.mandateId}.`;
      return [violated('I2', sentence, first.place, place)];
    });
  }

  #compare({ payments }: Books, place: number): readonly Violation[] {
    const endings = new Map<string, Asked[]>();
    for (const asked of this.#calls.all()) {
      if (!ENDING.includes(asked.call)) continue;
      const id = String(membersOf(asked.input)['mandateId']);
      endings.set(id, [...(endings.get(id) ?? []), asked]);
    }
    return payments
      .map((payment) => PaymentBooked.parse(payment))
      .filter(({ rail }) => rail === 'EXTERNAL_RAIL')
      .flatMap((payment) => this.#judge(payment, endings.get(payment.mandateId) ?? [], place));
  }

  #judge(payment: PaymentBooked, asked: readonly Asked[], place: number): readonly Violation[] {
    const { mandateId, status, captured, amount } = payment;
    const found: Violation[] = [];
    for (const each of asked) {
      const told = Told.safeParse(doneBody(each)).data;
      if (told?.status !== 'CAPTURED' || (status === 'CAPTURED' && captured === told.captured)) continue;
      const sentence = `Payment ${mandateId} was acknowledged as paid with ${told.captured}, and is ${status} with ${captured}.`;
      found.push(violated('I5', sentence, each.place, each.end?.place, place));
    }
    const isFreed = asked.some(
      (each) => FREEING.includes(each.call) && (mayBeDone(each) || doneBody(each) !== undefined),
    );
    if (status === 'CANCELED' && !isFreed && !this.#mayLapse) {
      found.push(violated('I1', `Payment ${mandateId} was freed, and nothing had freed it.`, place));
    }
    const isSettled = asked.some(({ call }) => call === 'settlePayment');
    if (captured > amount && !isSettled) {
      found.push(violated('I1', `Payment ${mandateId} is paid with more than the ${amount} reserved.`, place));
    }
    return found;
  }
}
