/**
 * I1 of money alone: whatever was held, approved or said before, what is paid in the window of a limit that refuses never comes to more
 * than the limit, when a payment is mandated, by the limits of that moment. No hold is looked at here.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Law, UnreadEvents, violated } from './law.ts';
import { budgetsOf, Ledger } from './limitModel.ts';
import type { Rules } from './policyModel.ts';
import { type Event, FACTS } from './shapes.ts';
import { Standing } from './standing.ts';
import { sayMoney, thousandthsOf } from './thousandths.ts';

interface Party {
  readonly agent: string;
  readonly principal: string;
  /** The category of the intent's merchant, and then of the cart's. */
  mcc: string | undefined;
}

export class BudgetLaw implements Law {
  readonly #rulesOf: (hash: string) => Rules | undefined;
  readonly #standing = new Standing();
  /** Of payments alone. */
  readonly #money = new Ledger();
  readonly #parties = new Map<string, Party>();
  readonly #unread = new UnreadEvents();

  /** @param rulesOf the rules with a hash, where an outsider of the node knows them */
  constructor(rulesOf: (hash: string) => Rules | undefined) {
    this.#rulesOf = rulesOf;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    return happening.kind === 'quiet' ? this.#judge(happening.books, place) : [];
  }

  #judge(books: Books, place: number): readonly Violation[] {
    const found: Violation[] = [];
    for (const event of this.#unread.in(books)) {
      this.#standing.follow(event);
      for (const sentence of this.#follow(event))
        found.push(violated('I1', `${sentence} (event ${event.seq}).`, place));
    }
    return found;
  }

  #follow({ eventType, data, createdAt }: Event): readonly string[] {
    const at = Date.parse(createdAt);
    const id = String(data['mandateId']);
    switch (eventType) {
      case 'INTENT_ISSUED': {
        const { agentDid: agent, principalDid: principal, mcc } = FACTS.INTENT.parse(data);
        this.#parties.set(id, { agent, principal, mcc });
        return [];
      }
      case 'CART_VALIDATED': {
        const { intentId, mcc } = FACTS.CART.parse(data);
        const party = this.#parties.get(intentId);
        if (party !== undefined && mcc !== undefined) party.mcc = mcc;
        return [];
      }
      case 'INTENT_EXPIRED':
        this.#parties.delete(id);
        return [];
      case 'PM_ISSUED':
        return this.#pay(data, at);
      case 'PAYMENT_AUTHORIZED':
        this.#money.authorize(id, at);
        return [];
      case 'PAYMENT_CAPTURED':
      case 'PAYMENT_SYNCED':
        if (eventType === 'PAYMENT_CAPTURED') this.#money.resume(id);
        this.#money.capture(id, thousandthsOf(data['captured']) ?? 0);
        return [];
      case 'PAYMENT_FAILED':
      case 'PAYMENT_CANCELED':
        this.#money.end(id);
        return [];
      default:
        return [];
    }
  }

  #pay(data: Event['data'], at: number): readonly string[] {
    const { mandateId, intentId, amount, currency, merchant } = FACTS.PAYMENT.parse(data);
    const party = this.#parties.get(intentId);
    const rules = this.#standing.policy && this.#rulesOf(this.#standing.policy.hash);
    if (party === undefined) return [];
    this.#parties.delete(intentId);
    const { agent, principal, mcc } = party;
    const governed = this.#standing.governedBy(agent, principal);
    const bought = { agent, governed, currency, merchant, mcc, thousandths: thousandthsOf(amount) ?? 0 };
    const limits = rules === undefined ? [] : budgetsOf(rules, this.#standing.limitOf(agent));
    const verdicts = this.#money.judge(limits, bought, at);
    this.#money.pay(intentId, mandateId, at, bought);
    return verdicts
      .filter(({ limit, passes }) => limit.action === 'deny' && passes.some(({ surely }) => surely))
      .map(({ limit: { name, maxTransactions, maxAmount }, purchases, amount: sum }) => {
        const paid = `${purchases.least + 1} payments and ${sayMoney(sum.least + bought.thousandths, currency)}`;
        const most = [maxTransactions, maxAmount === undefined ? undefined : sayMoney(maxAmount, currency)];
        return `Payment ${mandateId} makes it ${paid} in the window of ${name}, whose maximum is ${most.filter(Boolean).join(' and ')}`;
      });
  }

  forget(_place: number, at: number): void {
    this.#money.forget(at - 366 * 86_400_000);
  }
}
