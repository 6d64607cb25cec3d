/**
 * I1 of chains of mandates and of Verifiable Intent, read from the chain of evidence and the tokens in it alone: a checkout is allowed once
 * under what a person signed, an open mandate without recurrence once, and its uses never come to more than its budget or number; and
 * where nothing of this stands against it, it is not refused for that. Uses are chains and layers, and intents that name a delegation;
 * once that is revoked, nothing is allowed by its open mandate.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Law, UnreadEvents, violated } from './law.ts';
import { type Members, mandateOf, openHashOf, type PresentedUse, useOfIntentBy } from './presentedUse.ts';
import type { Event } from './shapes.ts';

export class MandateLaw implements Law {
  readonly #checkouts = new Set<string>();
  /** What is allowed and not taken back, by its intent. */
  readonly #live = new Map<string, PresentedUse>();
  /** The open mandates of delegations, by their ids, and those that are revoked, by what they sign. */
  readonly #delegations = new Map<string, string>();
  readonly #revoked = new Set<string>();
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
    const intentId = String(data['intentId']);
    switch (eventType) {
      case 'MANDATE_ACCEPTED':
        return this.#accept(intentId, mandateOf(data));
      case 'DELEGATION_REGISTERED':
        this.#delegations.set(String(data['delegationId']), String(data['openMandate']));
        return [];
      case 'DELEGATION_REVOKED':
        this.#revoked.add(openHashOf(this.#delegations.get(String(data['delegationId'])) ?? ''));
        return [];
      case 'INTENT_ISSUED':
        return data['delegationId'] === undefined ? [] : this.#issue(data);
      case 'CART_VALIDATED':
        return this.#goOn(intentId, 'a cart was approved', centsOf(data['amount']));
      case 'PM_ISSUED':
        return this.#goOn(intentId, 'a payment was mandated');
      case 'MANDATE_REFUSED':
        return this.#refuse(data);
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

  #accept(intentId: string, use: PresentedUse): readonly string[] {
    const found = [...this.#against(use)];
    this.#checkouts.add(use.checkout);
    this.#live.set(intentId, use);
    return found.map(([, sentence]) => `A mandate was accepted, and ${sentence}`);
  }

  #issue({ delegationId, mandateId, maxAmount, openMandate }: Members): readonly string[] {
    const open = String(openMandate);
    if (this.#delegations.get(String(delegationId)) !== open)
      return ['An intent has another mandate than its delegation'];
    return this.#accept(String(mandateId), useOfIntentBy(open, String(mandateId), centsOf(maxAmount)));
  }

  /** What was allowed by a mandate goes on: to a cart, whose total it takes from then on, and to a payment. */
  #goOn(intentId: string, what: string, minor?: number): readonly string[] {
    const use = this.#live.get(intentId);
    if (use === undefined) return [];
    this.#live.delete(intentId);
    this.#checkouts.delete(use.checkout);
    return this.#accept(intentId, { ...use, minor: minor ?? use.minor }).map((sentence) => `${sentence}: ${what}`);
  }

  /** Each reason that a ledger gives has to be one. Of a chain that does not hold nothing is told. */
  #refuse(data: Members): readonly string[] {
    if (data['paymentMandate'] === undefined && data['verifiableIntent'] === undefined) return [];
    const details = data['details'] as Readonly<Record<string, { readonly message?: string }>>;
    if (details['MANDATE_INVALID'] !== undefined) return [];
    const reasons = new Set([...this.#against(mandateOf(data))].map(([reason]) => reason));
    return Object.values(details).flatMap(({ message = '' }) => {
      const said = SAID.find(([, words]) => message.includes(words))?.[0];
      return said === undefined || reasons.has(said)
        ? []
        : [`A mandate was refused as ${said}, and is not: ${message}`];
    });
  }

  /** What stands against one more use. */
  *#against({ checkout, ledger, minor, isSingleUse, mostMinor, mostUses }: PresentedUse): Generator<[Reason, string]> {
    if (this.#checkouts.has(checkout)) yield ['used', 'was before, for the same checkout'];
    if (ledger === undefined) return;
    if (this.#revoked.has(ledger)) yield ['revoked', 'it was revoked before'];
    const others = [...this.#live.values()].filter((other) => other.ledger === ledger);
    if (isSingleUse && others.length > 0) yield ['single', 'it is for one payment, and was used for another one'];
    if (mostUses !== undefined && others.length >= mostUses) yield ['number', `it is for ${mostUses} payments`];
    const spent = others.reduce((sum, other) => sum + other.minor, minor);
    if (mostMinor !== undefined && spent > mostMinor) {
      yield ['budget', `its uses come to ${spent} cents, and its budget is ${mostMinor}`];
    }
  }
}

type Reason = 'revoked' | 'used' | 'single' | 'number' | 'budget';

/** By which words of a refusal it is told from those of the policy. */
const SAID: readonly (readonly [Reason, string])[] = [
  ['revoked', 'The open mandate was revoked'],
  ['used', 'for this checkout before'],
  ['single', 'allows one payment, and was used'],
  ['number', 'The subscription of the open mandate'],
  ['budget', 'of the open mandate’s budget'],
  ['budget', "of the open mandate's budget"],
];

/** All amounts of these worlds are in dollars. */
function centsOf(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}
