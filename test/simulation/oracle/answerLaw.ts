/**
 * I5, and of I2 and I6 what answers alone show: what was acknowledged is there, in an order that agrees with what its askers saw;
 * the same request gets the same answer; and no caller is answered with what is another's.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Asked, type Calls, doneBody, mayBeDone } from './calls.ts';
import { type Law, violated } from './law.ts';
import type { PurchaseModel } from './purchaseModel.ts';
import { sayCall } from './sayHappening.ts';
import {
  type Event,
  eventOf,
  FACTS,
  IntentAllowed,
  IntentAsked,
  IntentBooked,
  Paid,
  PaymentBooked,
  Refused,
} from './shapes.ts';
import { callerOf, groupOf, membersOf, nameOfAnswer, nameOfEvent, tokenOf } from './trail.ts';

const DAY_MS = 86_400_000;
/** Keys are kept for a day, by clocks that may be wrong by this much. */
const KEY_MS = DAY_MS - 3_600_000;

/** A refusal that asks for a person is not kept. */
const ASKING_PERSONS: ReadonlySet<string> = new Set(['authorizeHttpPayment', 'reserveExternally']);

export class AnswerLaw implements Law {
  readonly #calls: Calls;
  readonly #model: PurchaseModel;
  /** The first good answer to each request that was made under a key. */
  readonly #first = new Map<string, Asked>();
  /** Carts that were validated, by token and by intent. */
  readonly #tokens = new Map<string, Asked>();
  readonly #validations = new Map<string, Asked[]>();
  /** Where each approval token was first offered for payment. */
  readonly #offered = new Map<string, number>();
  /** The payment that each approval token became. */
  readonly #paid = new Map<string, { readonly payment: string; readonly asked: Asked }>();

  constructor(calls: Calls, model: PurchaseModel) {
    this.#calls = calls;
    this.#model = model;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'quiet') return this.#compare(happening.books, place);
    if (happening.kind === 'asked' && happening.call === 'mandatePayment') this.#offer(happening.input, place);
    if (happening.kind !== 'answered') return [];
    const asked = this.#calls.find(happening.id);
    if (asked === undefined || doneBody(asked) === undefined) return [];
    const token = tokenOf(asked)?.approvalToken;
    if (token !== undefined && !this.#tokens.has(token)) {
      this.#tokens.set(token, asked);
      this.#validations.set(intentOf(asked), [...(this.#validations.get(intentOf(asked)) ?? []), asked]);
    }
    return [...this.#repeated(asked, place), ...this.#payOnce(asked, place)];
  }

  forget(place: number, at: number): void {
    for (const [key, first] of this.#first) if (first.at < at - DAY_MS) this.#first.delete(key);
    for (const [token, asked] of this.#tokens) if (asked.at < at - DAY_MS) this.#forgetToken(token, asked);
    for (const [token, offered] of this.#offered) {
      if (offered < place && !this.#tokens.has(token)) this.#offered.delete(token);
    }
  }

  /** A token that is not used within a day has expired, and one that is used is told of by its payment. */
  #forgetToken(token: string, asked: Asked): void {
    this.#tokens.delete(token);
    this.#paid.delete(token);
    this.#validations.delete(intentOf(asked));
  }

  #repeated(asked: Asked, place: number): readonly Violation[] {
    if (asked.key === undefined) return [];
    const key = `${asked.call} ${callerOf(asked.did)} ${asked.key} ${JSON.stringify(asked.input)}`;
    const first = this.#first.get(key);
    // Where a person is asked, the same request may come again.
    if (membersOf(doneBody(asked))['approval'] !== undefined && ASKING_PERSONS.has(asked.call)) return [];
    if (first === undefined || asked.at - first.at > KEY_MS) {
      this.#first.set(key, asked);
      return [];
    }
    if (JSON.stringify(doneBody(first)) === JSON.stringify(doneBody(asked))) return [];
    const sentence = `${sayCall(asked)} was answered differently than before under the same key.`;
    return [violated('I2', sentence, first.place, first.end?.place, asked.place, place)];
  }

  #offer(input: unknown, place: number): void {
    const token = String(membersOf(input)['approvalToken']);
    if (!this.#offered.has(token)) this.#offered.set(token, place);
  }

  #payOnce(asked: Asked, place: number): readonly Violation[] {
    if (asked.call !== 'mandatePayment') return [];
    const paid = Paid.safeParse(doneBody(asked)).data;
    const token = membersOf(asked.input)['approvalToken'];
    if (paid === undefined || typeof token !== 'string') return [];
    const payment = paid.pmVc.credentialSubject.mandateId;
    const before = this.#paid.get(token);
    this.#paid.set(token, before ?? { payment, asked });
    if (before === undefined) return this.#liveToken(asked, token, place);
    if (before.payment === payment) return [];
    const sentence = `One approval token became two payments, ${before.payment} and ${payment}.`;
    return [violated('I2', sentence, before.asked.place, before.asked.end?.place, asked.place, place)];
  }

  /** A token that a later validation of the same intent had replaced before it was used. */
  #liveToken(asked: Asked, token: string, place: number): readonly Violation[] {
    const own = this.#tokens.get(token);
    if (own === undefined) return [];
    const offered = this.#offered.get(token) ?? asked.place;
    const later = this.#validations
      .get(intentOf(own))
      ?.find((each) => each.place > (own.end?.place ?? Infinity) && (each.end?.place ?? Infinity) < offered);
    if (later === undefined) return [];
    const sentence = `${sayCall(asked)} was allowed by a token that a later validation had voided.`;
    return [violated('I2', sentence, own.place, own.end?.place, later.place, later.end?.place, asked.place, place)];
  }

  #compare(books: Books, place: number): readonly Violation[] {
    const events = books.events.map(eventOf);
    const seqs = new Map<string, number>();
    for (const event of events) {
      const name = nameOfEvent(event);
      if (name !== undefined && !seqs.has(name)) seqs.set(name, event.seq);
    }
    const spans = spansOf(this.#calls);
    return [
      ...lost(spans, seqs, place),
      ...disordered(spans, seqs),
      ...this.#books(books, place),
      ...this.#untold(events, place),
      ...otherThanAsked(this.#calls, events, place),
      ...this.#refusedAndDone(place),
    ];
  }

  /** The books have what the chain has, in the state that it tells. */
  #books(books: Books, place: number): readonly Violation[] {
    const { payments, intents } = books;
    const found: Violation[] = [];
    const isTouched = touchedBy(books);
    const booked = new Map(
      payments.map((payment) => PaymentBooked.parse(payment)).map((each) => [each.mandateId, each]),
    );
    for (const { id, status } of this.#model.payments.values()) {
      const there = booked.get(id)?.status;
      if (there === undefined) {
        if (isTouched(id)) found.push(violated('I5', `Payment ${id} is in the chain and not in the books.`, place));
      } else if (!isSame(status, there)) {
        found.push(violated('I5', `Payment ${id} is ${there} in the books, and ${status} by its last event.`, place));
      }
    }
    for (const id of booked.keys()) {
      if (this.#model.payments.has(id)) continue;
      found.push(violated('I5', `Payment ${id} is in the books, and no event tells of it.`, place));
    }
    const intentsThere = new Map(
      intents.map((intent) => IntentBooked.parse(intent)).map((each) => [each.mandateId, each]),
    );
    for (const { id, status } of this.#model.intents.values()) {
      const there = intentsThere.get(id)?.status;
      if (there === undefined) {
        if (isTouched(id)) found.push(violated('I5', `Intent ${id} is in the chain and not in the books.`, place));
      } else if (there !== status && !(isUnused(there) && isUnused(status))) {
        found.push(violated('I5', `Intent ${id} is ${there} in the books, and ${status} by its last event.`, place));
      }
    }
    for (const id of intentsThere.keys()) {
      if (this.#model.intents.has(id)) continue;
      found.push(violated('I5', `Intent ${id} is in the books, and no event tells of it.`, place));
    }
    return found;
  }

  /** Intents that were issued and that no agent was told of, beyond those whose answer may have been lost. */
  #untold(events: readonly Event[], place: number): readonly Violation[] {
    const asks = [...this.#calls.all()].filter(({ call }) => call === 'issueIntent');
    const told = new Set(asks.map(nameOfAnswer));
    // A repetition that was refused, such as for its proof's time by another clock, says nothing of the one before it.
    const answered = new Set(asks.filter((each) => doneBody(each) !== undefined).map(groupOf));
    const open = new Map<string, Set<string>>();
    for (const each of asks.filter(mayBeDone)) {
      const agent = String(membersOf(each.input)['agentDid']);
      if (!answered.has(groupOf(each))) open.set(agent, (open.get(agent) ?? new Set()).add(groupOf(each)));
    }
    // A chain of mandates, and an offer by HTTP, has its intent made in the same commit, and is answered by itself.
    const mandated = new Set(
      events
        .filter(({ eventType, data }) => /^MANDATE_/.test(eventType) || isOfOffer(eventType, data))
        .map(({ data }) => data['intentId']),
    );
    const issued = new Map<string, string[]>();
    for (const event of events) {
      if (event.eventType !== 'INTENT_ISSUED' || told.has(nameOfEvent(event))) continue;
      if (mandated.has(event.data['mandateId'])) continue;
      const agent = String(event.data['agentDid']);
      issued.set(agent, [...(issued.get(agent) ?? []), String(event.data['mandateId'])]);
    }
    return [...issued].flatMap(([agent, ids]) => {
      const most = open.get(agent)?.size ?? 0;
      if (ids.length <= most) return [];
      const sentence = `Agent ${agent} has ${ids.length} intents that no agent was told of, and ${most} answers were lost.`;
      return [violated('I5', sentence, place)];
    });
  }

  /** A payment that was made though everybody who asked for it was refused. */
  #refusedAndDone(place: number): readonly Violation[] {
    const calls = [...this.#calls.all()];
    const intentOfToken = new Map(calls.flatMap((each) => tokensWithIntent(each)));
    const asked = new Map<string, Asked[]>();
    for (const each of calls.filter(({ call }) => call === 'mandatePayment')) {
      const intent = intentOfToken.get(String(membersOf(each.input)['approvalToken']));
      if (intent !== undefined) asked.set(intent, [...(asked.get(intent) ?? []), each]);
    }
    return [...asked].flatMap(([intent, attempts]) => {
      const payment = this.#model.intents.get(intent)?.payment;
      const isTold = attempts.some((each) => mayBeDone(each) || Paid.safeParse(doneBody(each)).success);
      const refused = attempts.find((each) => Refused.safeParse(doneBody(each)).success);
      if (payment === undefined || isTold || refused === undefined) return [];
      const sentence = `Payment ${payment} was made, and everybody who asked for it was refused.`;
      return [violated('I5', sentence, refused.place, refused.end?.place, place)];
    });
  }
}

function isOfOffer(eventType: string, data: Event['data']): boolean {
  return eventType.startsWith('CART_') && data['source'] !== undefined;
}

/** @returns whether an intent or payment has to be in the books: in those of a part what its events are about */
function touchedBy({ events, sinceSeq }: Books): (id: string) => boolean {
  if (sinceSeq === undefined) return () => true;
  const touched = new Set(events.map((event) => eventOf(event).data['mandateId']));
  return (id) => touched.has(id);
}

/** An intent expires while the books are read. */
function isUnused(status: string): boolean {
  return status === 'ACTIVE' || status === 'EXPIRED';
}

export interface Span {
  /** When it was asked for first, and acknowledged first: places. */
  readonly asked: number;
  readonly answered: number;
  readonly call: Asked;
}

/** What was acknowledged, by name. */
export function spansOf(calls: Calls): ReadonlyMap<string, Span> {
  const begun = new Map<string, number>();
  const spans = new Map<string, Span>();
  for (const call of calls.all()) {
    const group = groupOf(call);
    if (!begun.has(group)) begun.set(group, call.place);
    const name = nameOfAnswer(call);
    if (name === undefined || call.end === undefined) continue;
    const asked = Math.min(begun.get(group) as number, spans.get(name)?.asked ?? Infinity);
    const known = spans.get(name);
    const isFirst = known === undefined || call.end.place < known.answered;
    spans.set(name, {
      asked,
      answered: Math.min(call.end.place, known?.answered ?? Infinity),
      call: isFirst ? call : known.call,
    });
  }
  return spans;
}

function lost(spans: ReadonlyMap<string, Span>, seqs: ReadonlyMap<string, number>, place: number): Violation[] {
  return [...spans]
    .filter(([name]) => !seqs.has(name))
    .map(([name, { call }]) => {
      const sentence = `${sayCall(call)} was acknowledged (${name}), and no event of the chain tells of it.`;
      return violated('I5', sentence, call.place, call.end?.place, place);
    });
}

/** At whichever gate it was asked for: an intent is for the principal and the merchant that its asker named. */
function otherThanAsked(calls: Calls, events: readonly Event[], place: number): Violation[] {
  const issued = new Map(
    events
      .filter(({ eventType }) => eventType === 'INTENT_ISSUED')
      .map(({ data }) => FACTS.INTENT.parse(data))
      .map((facts) => [facts.mandateId, facts]),
  );
  return [...calls.all()].flatMap((asked) => {
    if (asked.call !== 'issueIntent') return [];
    const input = IntentAsked.safeParse(asked.input).data;
    const allowed = IntentAllowed.safeParse(doneBody(asked)).data?.intentVc.credentialSubject.mandateId;
    const facts = allowed === undefined ? undefined : issued.get(allowed);
    if (input === undefined || facts === undefined) return [];
    const domain = input.request.vendorHints?.domain;
    if (facts.principalDid === input.principalDid && facts.merchantDomain === domain) return [];
    const is = `${facts.principalDid} at ${facts.merchantDomain ?? 'any merchant'}`;
    const sentence = `${sayCall(asked)} led to an intent for ${is}, and it had named ${input.principalDid} at ${domain}.`;
    return [violated('I6', sentence, asked.place, asked.end?.place, place)];
  });
}

/** What was acknowledged before another thing was asked for comes before it in the chain. */
function disordered(spans: ReadonlyMap<string, Span>, seqs: ReadonlyMap<string, number>): Violation[] {
  const inOrder = [...spans]
    .flatMap(([name, span]) => (seqs.has(name) ? [{ name, span, seq: seqs.get(name) as number }] : []))
    .sort((one, other) => one.seq - other.seq);
  const found: Violation[] = [];
  let last: (typeof inOrder)[number] | undefined;
  for (const each of inOrder) {
    if (last !== undefined && last.span.asked > each.span.answered) {
      const sentence = `The chain has ${last.name} before ${each.name}, which was acknowledged before the other was asked for.`;
      found.push(violated('I5', sentence, each.span.call.place, each.span.answered, last.span.asked));
    }
    if (last === undefined || each.span.asked > last.span.asked) last = each;
  }
  return found;
}

/** States that the events of the chain tell by one word. */
function isSame(byEvents: string, booked: string): boolean {
  if (byEvents === booked) return true;
  if (byEvents === 'REFUNDED') return ['PARTIALLY_REFUNDED', 'CAPTURED', 'DISPUTED'].includes(booked);
  return byEvents === 'DISPUTED' && ['CAPTURED', 'REFUNDED', 'PARTIALLY_REFUNDED'].includes(booked);
}

function intentOf(asked: Asked): string {
  const { intentVc } = membersOf(asked.input);
  return String(membersOf(membersOf(intentVc)['credentialSubject'])['mandateId']);
}

function tokensWithIntent(asked: Asked): [string, string][] {
  const token = tokenOf(asked)?.approvalToken;
  return token === undefined ? [] : [[token, intentOf(asked)]];
}
