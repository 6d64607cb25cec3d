/**
 * The model of all purchases: it reads the chain event by event, keeps who may buy and what was bought, and says of each decision
 * whether it was right. Allowing what the model refuses for certain, or refusing what it allows for certain, is a violation. It
 * knows the interface’s description and the docs, and none of the node’s code.
 */
import { type Bought, budgetsOf, Ledger, type Range, type Verdict } from './limitModel.ts';
import { judgeByRules, type Purchase, type Rules } from './policyModel.ts';
import { type Compared, SameModel, type SameVerdict } from './sameModel.ts';
import { type Event, FACTS, type LimitUse } from './shapes.ts';
import { Standing } from './standing.ts';
import { sayMoney, thousandthsOf } from './thousandths.ts';
import { Counts, durationMs, timeInId, type Use } from './windowModel.ts';

export interface Finding {
  readonly code: string;
  /** Subject first, without a full stop. */
  readonly sentence: string;
  /** Ids that the finding is about, for the story. */
  readonly about: readonly string[];
}

/** An intent as the model keeps it. */
export interface ModelIntent {
  readonly id: string;
  readonly agent: string;
  readonly principal: string;
  readonly most: number;
  readonly currency: string;
  readonly merchant: string | undefined;
  readonly mcc: string | undefined;
  readonly country: string | undefined;
  readonly expiresAt: number;
  /** Whether it names a registered open mandate. */
  readonly isDelegated: boolean;
  status: 'ACTIVE' | 'USED' | 'EXPIRED';
  payment?: string;
  /** The last cart that was validated for it: only its token lives. */
  cart?: {
    readonly hash: string;
    readonly thousandths: number;
    readonly tokenEndsAt: number;
    readonly hasPerson: boolean;
    /** Its merchant's. */
    readonly mcc: string | undefined;
    readonly country: string | undefined;
  };
}

interface ModelPayment {
  readonly id: string;
  readonly intent: ModelIntent;
  readonly thousandths: number;
  readonly currency: string;
  readonly merchant: string;
  readonly cart: string | undefined;
  /** Whether it is made elsewhere. */
  readonly isElsewhere: boolean;
  status: string;
  captured: number;
  refunded: number;
}

/** What may follow on each state of a payment. */
const FOLLOWING: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['UNKNOWN', 'AUTHORIZED', 'FAILED'],
  UNKNOWN: ['AUTHORIZED', 'FAILED'],
  AUTHORIZED: ['CAPTURED', 'CANCELED'],
  CAPTURED: ['REFUNDED', 'DISPUTED'],
  REFUNDED: ['REFUNDED', 'DISPUTED'],
  DISPUTED: ['REFUNDED', 'DISPUTED'],
  FAILED: [],
  CANCELED: [],
};

/** Of a payment elsewhere: only words tell of it, and what was freed counts again once it is told that it was paid. */
const FOLLOWING_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  ...FOLLOWING,
  AUTHORIZED: ['CAPTURED', 'CANCELED', 'UNKNOWN'],
  UNKNOWN: ['CAPTURED', 'CANCELED'],
  CANCELED: ['CAPTURED'],
};

/** Events after which other money is with the merchant. */
const MONEY_EVENTS: ReadonlySet<string> = new Set([...Object.keys(FOLLOWING), 'REFUND_FAILED', 'SYNCED']);

/** The longest that a limit slides. */
const YEAR_MS = 366 * 86_400_000;
/** The longest window of velocity is of 31 days, and a purchase that was captured is given back within so many. */
const OVER_MS = 40 * 86_400_000;

/** Codes about facts that only the node or a key knows: the model takes its word for a refusal. */
const OPEN: ReadonlySet<string> = new Set([
  'HP_REQUIRED',
  'HP_INVALID',
  'MERCHANT_UNVERIFIED',
  'RAIL_UNAVAILABLE',
  'CART_EXPIRED',
  'ANOMALY_DETECTED',
  'APPROVAL_TOKEN_EXPIRED',
  'MANDATE_REVOKED',
]);

/** What an open mandate may say against an intent that names it, and its cart (mandateLaw.ts judges what it allows). */
const BY_MANDATE: readonly string[] = ['MANDATE_INVALID', 'MANDATE_USED', 'SPENDING_LIMIT_EXCEEDED'];

export class PurchaseModel {
  readonly standing = new Standing();
  readonly ledger = new Ledger();
  readonly intents = new Map<string, ModelIntent>();
  readonly payments = new Map<string, ModelPayment>();
  readonly #same: SameModel;
  readonly #rulesOf: (hash: string) => Rules | undefined;
  readonly #issued = new Counts();
  readonly #paid = new Counts();
  readonly #visited = new Set<string>();
  readonly #paidCarts = new Map<string, string>();

  /**
   * @param rulesOf the rules with a hash, where an outsider of the node knows them
   * @param contentOf what the cart with a hash is of, as its asker sent it
   */
  constructor(rulesOf: (hash: string) => Rules | undefined, contentOf: (cartHash: string) => string | undefined) {
    this.#rulesOf = rulesOf;
    this.#same = new SameModel(contentOf);
  }

  /** Forgets what ended so long before that nothing may be said of it any more. @param now milliseconds since the epoch */
  forget(now: number): void {
    const before = now - OVER_MS;
    for (const [id, { expiresAt, status }] of this.intents) {
      if (status !== 'ACTIVE' && expiresAt < before) this.intents.delete(id);
    }
    for (const [id, { intent, status }] of this.payments) {
      // A hold lasts for days, but not for so many.
      if (intent.expiresAt < before && status !== 'PENDING' && status !== 'UNKNOWN') this.payments.delete(id);
    }
    for (const [cart, payment] of this.#paidCarts) if (!this.payments.has(payment)) this.#paidCarts.delete(cart);
    this.#issued.forget(before);
    this.#paid.forget(before);
    this.ledger.forget(now - YEAR_MS);
    this.#same.forget(before);
  }

  /** Reads the next event of the chain. @returns what of it is wrong */
  read(event: Event): readonly Finding[] {
    const at = Date.parse(event.createdAt);
    // A clock may have been ahead while nothing was recorded: ids tell, whose time never goes back.
    const latest = Math.max(at, timeInId(event.id) ?? at);
    this.#issued.see(latest);
    this.#paid.see(latest);
    this.standing.follow(event);
    if (event.eventType === 'AGENT_REVOKED') this.#same.revoke(FACTS.AGENT.parse(event.data).agentDid);
    switch (event.eventType) {
      case 'INTENT_ISSUED':
      case 'INTENT_DENIED':
        return this.#intent(event, at);
      case 'CART_VALIDATED':
      case 'CART_REJECTED':
        return this.#cart(event, at);
      case 'PM_ISSUED':
        return this.#mandate(event, at);
      case 'INTENT_EXPIRED':
        return this.#expire(FACTS.ENDED.parse(event.data), at);
      default:
        return event.eventType.startsWith('PAYMENT_') ? this.#payment(event, at) : [];
    }
  }

  #intent({ eventType, data }: Event, at: number): readonly Finding[] {
    const facts = FACTS.INTENT.parse(data);
    const { mandateId: id, agentDid: agent, principalDid: principal, currency } = facts;
    const most = thousandthsOf(facts.maxAmount) ?? 0;
    const { mcc, country, merchantDomain: merchant } = facts;
    const purchase = this.#purchase(agent, { thousandths: most, currency, merchant, mcc, country });
    const windows = this.#windows(agent, currency, at, this.#issued);
    const bought = this.#bought(agent, principal, purchase);
    const limits = this.ledger.judge(this.#limits(agent), bought, at);
    const judged = this.#judge(agent, principal, purchase, windows, limits, at);
    if (facts.delegationId !== undefined) for (const code of BY_MANDATE) judged.possibly.add(code);
    const about = [id, agent];
    const what = `An intent of ${sayMoney(most, currency)}`;
    const otherUse = otherFigures(what, facts.limitUse, judged, currency, about);
    if (eventType === 'INTENT_DENIED') return [...wrongRefusals(what, facts, judged, about), ...otherUse];
    const expiresAt = Date.parse(facts.expiresAt ?? '');
    const isDelegated = facts.delegationId !== undefined;
    const asked = { id, agent, principal, most, currency, merchant, mcc, country, expiresAt, isDelegated };
    this.intents.set(id, { ...asked, status: 'ACTIVE' });
    this.#issued.add({ id, agent, currency, at: [at], until: expiresAt, amount: most, isOne: true });
    this.ledger.issue(id, timeInId(id) ?? at, bought, limits);
    const person: Finding[] =
      judged.needsPerson && facts.hpRequired === false
        ? [
            {
              code: 'HP_REQUIRED',
              sentence: `${what} was issued without asking for the person that the policy wants`,
              about,
            },
          ]
        : [];
    return [
      ...wrongAllowances(`${what} was issued`, judged, about),
      ...otherUse,
      ...person,
      ...this.#otherPolicy(what, facts, about),
    ];
  }

  #cart({ eventType, data }: Event, at: number): readonly Finding[] {
    const facts = FACTS.CART.parse(data);
    const intent = this.intents.get(facts.intentId);
    const about = [facts.intentId, facts.cartHash];
    if (intent === undefined)
      return [{ code: 'NOT_FOUND', sentence: 'A cart was judged for an intent that no agent got', about }];
    const { currency, merchant, mcc = intent.mcc, country = intent.country } = facts;
    const thousandths = thousandthsOf(facts.amount) ?? 0;
    const purchase = this.#purchase(intent.agent, { thousandths, currency, merchant, mcc, country });
    const isPayment = facts.stage === 'payment';
    const windows = isPayment
      ? this.#windows(intent.agent, currency, at, this.#paid)
      : this.#windows(intent.agent, currency, at, this.#issued, intent.id);
    const bought = this.#bought(intent.agent, intent.principal, purchase);
    const limits = this.ledger.judge(this.#limits(intent.agent), bought, at, intent.id);
    const judged = this.#judge(intent.agent, intent.principal, purchase, windows, limits, at);
    if (intent.isDelegated) for (const code of BY_MANDATE) judged.possibly.add(code);
    const compared = this.#compared(bought, intent, facts);
    const same = this.#addSame(judged, compared, at, isPayment ? 'payment' : 'cart');
    this.#addOffer(judged, intent, { thousandths, currency, merchant, hash: facts.cartHash }, at);
    const cart = `A cart of ${sayMoney(thousandths, currency)}${merchant === undefined ? '' : ` of ${merchant}`}`;
    const what = isPayment ? `The payment of ${cart.toLowerCase()}` : cart;
    const otherUse = [
      ...otherFigures(what, facts.limitUse, judged, currency, about),
      ...otherCount(what, facts.sameBefore, same, about),
    ];
    if (eventType === 'CART_REJECTED') {
      // Of a token that its agent's end has voided no policy was asked.
      if (facts.policyId === undefined) return overRefusals(what, facts.reasonCodes ?? [], judged, about);
      return [...wrongRefusals(what, facts, judged, about), ...otherUse];
    }
    const hasPerson = facts.presenceId !== undefined;
    const tokenEndsAt = Date.parse(facts.approvalExpiresAt ?? '');
    intent.cart = { hash: facts.cartHash, thousandths, tokenEndsAt, hasPerson, mcc, country };
    this.ledger.approve(intent.id, { amount: thousandths, merchant, mcc }, tokenEndsAt);
    this.#same.approve(compared, intent.agent, tokenEndsAt);
    return [
      ...wrongAllowances(`${what} was validated`, judged, about),
      ...otherUse,
      ...withoutPerson(what, judged, hasPerson, about),
      ...this.#otherPolicy(what, facts, about),
    ];
  }

  #mandate({ data }: Event, at: number): readonly Finding[] {
    const facts = FACTS.PAYMENT.parse(data);
    const { mandateId: id, intentId, currency, merchant, cartHash } = facts;
    const thousandths = thousandthsOf(facts.amount) ?? 0;
    const intent = this.intents.get(intentId);
    const about = [id, intentId];
    const what = `Payment ${id} of ${sayMoney(thousandths, currency)}`;
    if (intent === undefined)
      return [{ code: 'NOT_FOUND', sentence: `${what} is for an intent that no agent got`, about }];
    const { mcc, country } = intent.cart ?? intent;
    const purchase = this.#purchase(intent.agent, { thousandths, currency, merchant, mcc, country });
    const windows = this.#windows(intent.agent, currency, at, this.#paid);
    const bought = this.#bought(intent.agent, intent.principal, purchase);
    const limits = this.ledger.judge(this.#limits(intent.agent), bought, at, intent.id);
    const judged = this.#judge(intent.agent, intent.principal, purchase, windows, limits, at);
    const same = this.#addSame(judged, this.#compared(bought, intent, { cartHash: cartHash ?? '' }), at, 'payment');
    this.#addOffer(judged, intent, { thousandths, currency, merchant, hash: cartHash ?? '' }, at);
    const others = intent.payment === undefined ? about : [...about, intent.payment];
    const found = [
      ...wrongAllowances(`${what} was mandated`, judged, others),
      ...otherFigures(what, facts.limitUse, judged, currency, about),
      ...otherCount(what, facts.sameBefore, same, about),
      ...withoutPerson(what, judged, intent.cart?.hasPerson === true, about),
      ...this.#otherPolicy(what, facts, about),
      ...tokenFindings(what, intent, { hash: cartHash, thousandths }, at, about),
    ];
    Object.assign(intent, { status: 'USED', payment: id });
    this.payments.set(id, {
      ...{ id, intent, thousandths, currency, merchant, cart: cartHash },
      ...{ isElsewhere: facts.rail === 'EXTERNAL_RAIL', status: 'PENDING', captured: 0, refunded: 0 },
    });
    this.#issued.change(intent.id, { amount: thousandths, until: Infinity });
    this.#paid.add({ id, agent: intent.agent, currency, at: [at], until: Infinity, amount: thousandths, isOne: true });
    this.ledger.pay(intent.id, id, at, bought);
    this.#same.pay(intent.id, id, at);
    return found;
  }

  #expire(
    { mandateId: id, reason }: { mandateId: string; reason?: string | undefined },
    at: number,
  ): readonly Finding[] {
    const intent = this.intents.get(id);
    if (intent === undefined)
      return [{ code: 'NOT_FOUND', sentence: `Intent ${id} expired, and no agent got it`, about: [id] }];
    this.#issued.change(id, { amount: 0, until: at });
    this.ledger.release(id);
    this.#same.endIntent(id, reason !== undefined);
    if (intent.status === 'ACTIVE') intent.status = 'EXPIRED';
    return [];
  }

  #payment({ eventType, data, createdAt }: Event, at: number): readonly Finding[] {
    const status = eventType.slice('PAYMENT_'.length);
    const payment = this.payments.get(FACTS.ENDED.parse(data).mandateId);
    if (status === 'SYNCED' && payment !== undefined) this.#captured(payment, FACTS.PAYMENT.parse(data).captured);
    if (payment !== undefined && MONEY_EVENTS.has(status)) this.#follow(payment, status, FACTS.PAYMENT.parse(data));
    if (FOLLOWING[status] === undefined) return [];
    if (payment === undefined) {
      const sentence = `An event of ${createdAt} says ${eventType} of a payment that was never mandated`;
      return [{ code: 'NOT_FOUND', sentence, about: [String(data['mandateId'])] }];
    }
    const about = [payment.id, payment.intent.id];
    const found: Finding[] = [];
    const following = payment.isElsewhere ? FOLLOWING_ELSEWHERE : FOLLOWING;
    if (following[payment.status]?.includes(status) !== true) {
      found.push({
        code: 'TRANSITION',
        sentence: `Payment ${payment.id} became ${status} after it was ${payment.status}`,
        about,
      });
    }
    if (payment.status === 'CANCELED') this.#countAgain(payment);
    payment.status = status;
    if (status === 'AUTHORIZED') this.#authorized(payment, at);
    if (status === 'CAPTURED') this.#captured(payment, FACTS.PAYMENT.parse(data).captured);
    if (status === 'FAILED' || status === 'CANCELED') this.#release(payment);
    return [...found, ...moveMoney(payment, FACTS.PAYMENT.parse(data), about)];
  }

  #authorized({ id, cart, intent, merchant }: ModelPayment, at: number): void {
    const counted = this.#paid.find(id);
    if (counted !== undefined) this.#paid.change(id, { at: [...counted.at, at] });
    if (cart !== undefined) this.#paidCarts.set(cart, id);
    this.#visited.add(`${intent.agent} ${merchant}`);
    this.ledger.authorize(id, at);
  }

  /** What became of its money, as far as it matters whether the same was bought. */
  #follow(
    { id, status: before }: ModelPayment,
    status: string,
    facts: { captured?: number | undefined; refunded?: number | undefined },
  ): void {
    const [captured, refunded] = [facts.captured, facts.refunded].map((amount) => thousandthsOf(amount));
    const money = { ...(captured !== undefined && { captured }), ...(refunded !== undefined && { refunded }) };
    this.#same.become(id, FOLLOWING[status] === undefined ? before : status, money);
  }

  #captured({ id }: ModelPayment, amount: number | undefined): void {
    const captured = thousandthsOf(amount);
    if (captured !== undefined) this.ledger.capture(id, captured);
  }

  #release({ id, intent }: ModelPayment): void {
    this.#issued.change(intent.id, { amount: 0, until: Infinity });
    this.#paid.change(id, { amount: 0, isOne: false });
    this.ledger.end(id);
  }

  /** What was freed was paid after all. */
  #countAgain({ id, intent, thousandths }: ModelPayment): void {
    this.#issued.change(intent.id, { amount: thousandths, until: Infinity });
    this.#paid.change(id, { amount: thousandths, isOne: true });
    this.ledger.resume(id);
  }

  #purchase(agent: string, purchase: Omit<Purchase, 'isKnownMerchant'>): Purchase {
    const { thousandths, currency, merchant, mcc, country } = purchase;
    return {
      thousandths,
      currency,
      merchant,
      mcc,
      country,
      isKnownMerchant: this.#visited.has(`${agent} ${merchant}`),
    };
  }

  /** A purchase as limits count it. */
  #bought(agent: string, principal: string, { thousandths, currency, merchant, mcc }: Purchase): Bought {
    const governed = this.standing.governedBy(agent, principal);
    return { agent, governed, thousandths, currency, merchant, mcc };
  }

  /** Who pays: a governed principal, else the agent. */
  #compared(
    { agent, merchant, currency, thousandths }: Bought,
    { id, principal }: ModelIntent,
    { cartHash, source }: { readonly cartHash: string; readonly source?: string | undefined },
  ): Compared {
    const payer = this.standing.isGoverned(principal) ? principal : agent;
    return { payer, merchant, currency, thousandths, cartHash, intent: id, isOffer: source !== undefined };
  }

  #limits(agent: string) {
    const rules = this.#rules();
    return rules === undefined ? [] : budgetsOf(rules, this.standing.limitOf(agent));
  }

  #rules(): Rules | undefined {
    return this.standing.policy && this.#rulesOf(this.standing.policy.hash);
  }

  /** What was bought in each window that limits an agent. @param own the purchase's own intent, which counts by itself */
  #windows(agent: string, currency: string, at: number, counts: Counts, own?: string): readonly Limited[] {
    const rules = this.#rules();
    if (rules === undefined) return [];
    const counted = own === undefined ? undefined : counts.find(own);
    return limitsOf(rules, this.standing.limitOf(agent)).flatMap((limit) => {
      // Once it has left the window, it was counted there in its time.
      if (counted !== undefined && !counts.isInside(counted, limit.ms, at)) return [];
      const window = {
        ms: limit.ms,
        agent: limit.isShared ? undefined : agent,
        currency,
      };
      return [{ ...limit, use: counts.use(window, at, own) }];
    });
  }

  #judge(
    agent: string,
    principal: string,
    purchase: Purchase,
    windows: readonly Limited[],
    limits: readonly Verdict[],
    at: number,
  ): Judged {
    const surely = new Set<string>();
    const possibly = new Set<string>(OPEN);
    if (this.#issued.isBehind(at))
      for (const code of ['VELOCITY_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED']) possibly.add(code);
    const status = this.standing.statusOf(agent);
    if (status !== 'ACTIVE') surely.add(status === 'SUSPENDED' ? 'AGENT_SUSPENDED' : 'AGENT_REVOKED');
    if (!this.standing.mayName(agent, principal)) surely.add('AGENT_NOT_DELEGATED');
    const rules = this.#rules();
    const required = new Set<string>();
    const judged = { surely, possibly, required, limits };
    if (rules === undefined) return { ...judged, needsPerson: false, isBlind: true, figures: '' };
    const { refusing, needsPerson } = judgeByRules(rules, purchase, at);
    for (const code of refusing) surely.add(code);
    const isOther = rules.spend.currency !== undefined && rules.spend.currency !== purchase.currency;
    let figures = '';
    for (const { maxTransactions, maxAmount, use } of windows) {
      if (maxTransactions !== undefined) {
        if (use.count.least + 1 > maxTransactions) surely.add('VELOCITY_EXCEEDED');
        if (use.count.most + 1 > maxTransactions) possibly.add('VELOCITY_EXCEEDED');
      }
      const most = thousandthsOf(maxAmount);
      if (most !== undefined && !isOther) {
        if (use.amount.least + purchase.thousandths > most) surely.add('SPENDING_LIMIT_EXCEEDED');
        if (use.amount.most + purchase.thousandths > most) possibly.add('SPENDING_LIMIT_EXCEEDED');
      }
      figures += sayUse(use, { maxTransactions, maxAmount }, purchase.currency);
    }
    let isOver = false;
    for (const { limit, passes, purchases, amount } of limits) {
      for (const { code, ...passed } of passes) {
        if (limit.action === 'presence') isOver ||= passed.surely;
        else if (passed.surely) required.add(code);
        else if (passed.possibly) possibly.add(code);
      }
      const maxAmount = limit.maxAmount === undefined ? undefined : limit.maxAmount / 1000;
      const most = { maxTransactions: limit.maxTransactions, maxAmount };
      figures += sayUse({ count: purchases, amount }, most, purchase.currency);
    }
    for (const code of required) surely.add(code);
    for (const code of surely) possibly.add(code);
    return {
      ...judged,
      needsPerson: needsPerson || (isOver && !surely.has('AMOUNT_OVER_CAP')),
      isBlind: false,
      figures,
    };
  }

  #addSame(judged: Judged, compared: Compared, at: number, stage: 'cart' | 'payment'): SameVerdict | undefined {
    const rules = this.#rules();
    const same = rules && this.#same.judge(rules, compared, at, stage);
    if (same === undefined) {
      judged.possibly.add('DUPLICATE_SUSPECTED');
      return undefined;
    }
    if (same.action === 'presence') judged.needsPerson ||= same.surely && !judged.surely.has('AMOUNT_OVER_CAP');
    else if (same.surely) for (const codes of [judged.surely, judged.required]) codes.add('DUPLICATE_SUSPECTED');
    if (same.action === 'deny' && same.possibly) judged.possibly.add('DUPLICATE_SUSPECTED');
    return same;
  }

  /** What a cart has to be for its intent. */
  #addOffer(
    { surely, possibly }: Judged,
    intent: ModelIntent,
    cart: {
      readonly thousandths: number;
      readonly currency: string;
      readonly merchant: string | undefined;
      readonly hash: string;
    },
    at: number,
  ): void {
    const codes: string[] = [];
    if (cart.currency !== intent.currency) codes.push('CURRENCY_NOT_ALLOWED');
    else if (cart.thousandths > intent.most) codes.push('CART_EXCEEDS_INTENT');
    if (intent.merchant !== undefined && cart.merchant !== intent.merchant) codes.push('MERCHANT_MISMATCH');
    if (intent.status === 'USED') codes.push('INTENT_USED');
    else if (intent.status === 'EXPIRED' || intent.expiresAt <= at) codes.push('INTENT_EXPIRED');
    const paid = this.#paidCarts.get(cart.hash);
    if (paid !== undefined && FOLLOWING[this.payments.get(paid)?.status ?? 'FAILED']?.length !== 0)
      codes.push('CART_USED');
    for (const code of codes) {
      surely.add(code);
      possibly.add(code);
    }
    // Refused as well while its payment is not decided.
    possibly.add('CART_USED');
  }

  #otherPolicy(
    what: string,
    facts: { readonly policyId?: string | undefined; readonly policyVersion?: number | undefined },
    about: readonly string[],
  ): readonly Finding[] {
    const { policy } = this.standing;
    if (policy === undefined || facts.policyId === undefined) return [];
    if (facts.policyId === policy.id && facts.policyVersion === policy.version) return [];
    const by = `version ${facts.policyVersion} of ${facts.policyId}`;
    const sentence = `${what} was judged by ${by}, while version ${policy.version} of ${policy.id} was current`;
    return [{ code: 'POLICY', sentence, about: [...about, policy.id] }];
  }
}

interface Judged {
  /** Codes that refuse it for certain. */
  readonly surely: Set<string>;
  /** Codes that may refuse it. */
  readonly possibly: Set<string>;
  /** Codes of limits that refuse it for certain, which a refusal for another reason names as well. */
  readonly required: Set<string>;
  readonly limits: readonly Verdict[];
  needsPerson: boolean;
  /** True where the rules are not known, so that their codes cannot be judged. */
  readonly isBlind: boolean;
  readonly figures: string;
}

interface Limit {
  readonly ms: number;
  readonly isShared: boolean;
  readonly maxTransactions: number | undefined;
  readonly maxAmount: number | undefined;
}

interface Limited extends Limit {
  readonly use: Use;
}

/** An agent's own limit replaces the policy's limit per agent, and holds beside one for all agents together. */
function limitsOf({ risk: { velocity_limit: rule } }: Rules, own: ReturnType<Standing['limitOf']>): readonly Limit[] {
  const isShared = rule?.scope === 'policy';
  const limits: Limit[] = [];
  if (rule !== undefined && (isShared || own?.timeWindow === undefined)) {
    const { max_transactions: maxTransactions, max_amount: maxAmount } = rule;
    limits.push({ ms: durationMs(rule.time_window), isShared, maxTransactions, maxAmount });
  }
  if (own?.timeWindow !== undefined) {
    const { maxTransactions, maxAmount, timeWindow } = own;
    limits.push({ ms: durationMs(timeWindow), isShared: false, maxTransactions, maxAmount });
  }
  return limits;
}

function wrongAllowances(what: string, { surely, figures }: Judged, about: readonly string[]): Finding[] {
  return [...surely].map((code) => ({ code, sentence: `${what}, which ${code} forbids${figures}`, about }));
}

/** Codes that a refusal names though nothing speaks for them. */
function overRefusals(what: string, codes: readonly string[], judged: Judged, about: readonly string[]): Finding[] {
  if (judged.isBlind) return [];
  return codes
    .filter((code) => !judged.possibly.has(code))
    .map((code) => ({ code, sentence: `${what} was refused by ${code}, which does not hold${judged.figures}`, about }));
}

/** @returns codes that it names though nothing speaks for them, and codes of limits that it does not name */
function wrongRefusals(
  what: string,
  { reasonCodes = [] }: { readonly reasonCodes?: readonly string[] | undefined },
  judged: Judged,
  about: readonly string[],
): Finding[] {
  const missing = [...judged.required].filter((code) => !reasonCodes.includes(code));
  return [
    ...overRefusals(what, reasonCodes, judged, about),
    ...missing.map((code) => ({
      code,
      sentence: `${what} was refused by ${reasonCodes.join()}, and not by ${code}, which holds too${judged.figures}`,
      about,
    })),
  ];
}

/** What an event says that the limits counted is what they count. */
function otherFigures(
  what: string,
  recorded: LimitUse,
  { limits, isBlind }: Judged,
  currency: string,
  about: readonly string[],
): Finding[] {
  if (isBlind) return [];
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join(', ') || 'none';
  const expected = limits.map(({ limit }) => limit);
  const finding = (sentence: string) => ({ code: 'LIMIT_USE', sentence: `${what} ${sentence}`, about });
  if (names(recorded) !== names(expected)) {
    return [finding(`was judged by the limits ${names(recorded)}, and ${names(expected)} hold`)];
  }
  return limits.flatMap(({ limit, purchases, amount }, index) => {
    const { purchases: count, amount: sum } = recorded[index] as LimitUse[number];
    if (limit.currency !== undefined && limit.currency !== currency) return [];
    const isOf = (number: number, { least, most }: Range) => number >= least && number <= most;
    if (isOf(count, purchases) && isOf(thousandthsOf(sum) ?? 0, amount)) return [];
    const is = `${count} purchases and ${sum} ${currency}`;
    const has = `${sayRange(purchases, String)} purchases and ${sayRange(amount, (n) => sayMoney(n, currency))}`;
    return [finding(`was judged as if the limit ${limit.name} counted ${is}, and it counts ${has}`)];
  });
}

function otherCount(
  what: string,
  recorded: { readonly count: number } | undefined,
  same: SameVerdict | undefined,
  about: readonly string[],
): Finding[] {
  if (same === undefined) return [];
  const { least, most } = same.before;
  if (recorded !== undefined && recorded.count >= least && recorded.count <= most) return [];
  const has = sayRange(same.before, String);
  const sentence = `${what} was judged as if the same had been bought ${recorded?.count ?? 'any'} times, and it was ${has} times`;
  return [{ code: 'SAME', sentence, about }];
}

function withoutPerson(what: string, judged: Judged, hasPerson: boolean, about: readonly string[]): Finding[] {
  if (!judged.needsPerson || hasPerson) return [];
  return [{ code: 'HP_REQUIRED', sentence: `${what} was allowed without the person that the policy wants`, about }];
}

function tokenFindings(
  what: string,
  { cart }: ModelIntent,
  paid: { readonly hash: string | undefined; readonly thousandths: number },
  at: number,
  about: readonly string[],
): Finding[] {
  if (cart === undefined)
    return [{ code: 'CART', sentence: `${what} is for an intent without a validated cart`, about }];
  if (paid.hash !== undefined && paid.hash !== cart.hash) {
    return [{ code: 'TOKEN', sentence: `${what} is for a cart whose token a later cart had voided`, about }];
  }
  const found: Finding[] = [];
  if (paid.thousandths !== cart.thousandths)
    found.push({ code: 'CART', sentence: `${what} is not what its cart came to`, about });
  if (cart.tokenEndsAt <= at)
    found.push({ code: 'APPROVAL_TOKEN_EXPIRED', sentence: `${what} was made with an expired token`, about });
  return found;
}

function moveMoney(
  payment: ModelPayment,
  facts: {
    readonly captured?: number | undefined;
    readonly refunded?: number | undefined;
    readonly attested?: string | undefined;
  },
  about: readonly string[],
): readonly Finding[] {
  const captured = thousandthsOf(facts.captured);
  const refunded = thousandthsOf(facts.refunded);
  if (captured !== undefined) payment.captured = captured;
  if (refunded !== undefined) payment.refunded = refunded;
  const found: Finding[] = [];
  const isOwners = payment.isElsewhere && facts.attested === 'owner';
  if (payment.captured > payment.thousandths && !isOwners) {
    found.push({ code: 'CAPTURED', sentence: `Payment ${payment.id} was captured beyond what was authorized`, about });
  }
  if (payment.refunded > payment.captured) {
    found.push({ code: 'REFUNDED', sentence: `Payment ${payment.id} was refunded beyond what was captured`, about });
  }
  return found;
}

function sayRange({ least, most }: Range, say: (n: number) => string): string {
  return least === most ? say(least) : `${say(least)} to ${say(most)}`;
}

function sayUse(
  use: Use,
  limit: { maxTransactions: number | undefined; maxAmount: number | undefined },
  currency: string,
): string {
  const parts: string[] = [];
  if (limit.maxTransactions !== undefined) {
    parts.push(`${sayRange(use.count, String)} purchases before it, of ${limit.maxTransactions}`);
  }
  if (limit.maxAmount !== undefined) {
    parts.push(`${sayRange(use.amount, (n) => sayMoney(n, currency))} before it, of ${limit.maxAmount}`);
  }
  return ` (${parts.join('; ')})`;
}
