/**
 * I2, I5 and I8 of standard A2A's tasks: a message leads to one task, however often it comes; what ended stays as it ended; every task
 * ends; and what it says of a payment is what the books say.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { spansOf } from './answerLaw.ts';
import type { Asked, Calls } from './calls.ts';
import { ENDED, type ShownTask, taskIn } from './gateAnswers.ts';
import { type Law, violated } from './law.ts';
import { sayCall } from './sayHappening.ts';
import { eventOf, IntentAllowed, Paid, PaymentBooked } from './shapes.ts';
import { membersOf, nameOfEvent } from './trail.ts';

interface Seen {
  readonly task: ShownTask;
  readonly asked: Asked;
  /** Of its answer. */
  readonly place: number;
}

type Booked = ReadonlyMap<string, PaymentBooked>;

export class TaskLaw implements Law {
  readonly #calls: Calls;
  /** The task of each message. */
  readonly #messages = new Map<string, Seen>();
  /** How each was seen last, by the place of the question: a later answer may have been given before. */
  readonly #seen = new Map<string, Seen>();
  /** The first answer that says that it was withdrawn. */
  readonly #cancelled = new Map<string, Seen>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'quiet') return this.#compare(happening.books, place);
    if (happening.kind !== 'answered') return [];
    const asked = this.#calls.find(happening.id);
    const task = taskIn(membersOf(happening.body)['result']);
    if (asked === undefined || task === undefined) return [];
    const seen = { task, asked, place };
    if (task.state === 'CANCELED' && !this.#cancelled.has(task.id)) this.#cancelled.set(task.id, seen);
    return [...this.#once(seen), ...this.#goesOn(seen)];
  }

  #once(seen: Seen): readonly Violation[] {
    const { task, asked, place } = seen;
    if (asked.key === undefined) return [];
    const message = `${asked.did} ${asked.key}`;
    const before = this.#messages.get(message);
    this.#messages.set(message, before ?? seen);
    if (before === undefined || before.task.id === task.id) return [];
    const sentence = `One message led to two tasks, ${before.task.id} and ${task.id}: ${sayCall(asked)}.`;
    return [violated('I2', sentence, before.asked.place, before.place, asked.place, place)];
  }

  #goesOn(seen: Seen): readonly Violation[] {
    const { task, asked, place } = seen;
    const before = this.#seen.get(task.id);
    if (before === undefined || asked.place > before.asked.place) this.#seen.set(task.id, seen);
    if (before === undefined || asked.place < before.place) return [];
    const wrong = (what: string) =>
      violated('I5', `Task ${task.id} ${what}.`, before.asked.place, before.place, asked.place, place);
    if (ENDED.has(before.task.state) && before.task.state !== task.state)
      return [wrong(`was ${before.task.state} and became ${task.state}`)];
    return Object.entries(before.task.artifacts)
      .filter(([name, data]) => JSON.stringify(task.artifacts[name]) !== JSON.stringify(data))
      .map(([name]) => wrong(`had ${name}, and has another one or none`));
  }

  #compare({ tasks = [], payments, events }: Books, place: number): readonly Violation[] {
    const booked: Booked = new Map(
      payments.map((payment) => PaymentBooked.parse(payment)).map((each) => [each.mandateId, each]),
    );
    const there = new Map(tasks.flatMap((each) => taskIn(each) ?? []).map((task) => [task.id, task]));
    const claimed = new Map<string, string>();
    const found: Violation[] = [];
    for (const task of there.values()) {
      const before = this.#seen.get(task.id);
      if (before !== undefined && ENDED.has(before.task.state) && before.task.state !== task.state)
        found.push(
          violated('I5', `Task ${task.id} was ${before.task.state}, and is ${task.state}.`, before.place, place),
        );
      const wrong = (invariant: Violation['invariant']) => (sentence: string) =>
        violated(invariant, sentence, before?.place, place);
      found.push(...unended(task, booked).map(wrong('I8')), ...claimedTwice(task, claimed).map(wrong('I2')));
      found.push(...ofPayment(task, booked).map(wrong('I5')), ...ofIntent(task, booked).map(wrong('I5')));
    }
    for (const [id, { place: seenAt }] of this.#seen) {
      if (!there.has(id)) found.push(violated('I5', `Task ${id} is there no more.`, seenAt, place));
    }
    return [...found, ...this.#withdrawn(events, place)];
  }

  /** The intent of a purchase that was withdrawn ended with it: before anything that was asked for after the answer. */
  #withdrawn(given: Books['events'], place: number): readonly Violation[] {
    if (this.#cancelled.size === 0) return [];
    const events = given.map(eventOf);
    const ended = new Map<unknown, number>();
    for (const { eventType, data, seq } of events) {
      if (eventType === 'INTENT_EXPIRED') ended.set(data['mandateId'], seq);
    }
    const spans = spansOf(this.#calls);
    const asked = events.flatMap((event) => {
      const span = spans.get(nameOfEvent(event) ?? '');
      return span === undefined ? [] : [{ seq: event.seq, asked: span.asked }];
    });
    return [...this.#cancelled.values()].flatMap(({ task, asked: call, place: answered }) => {
      const intent = intentOf(task);
      if (intent === undefined) return [];
      const later = asked.find((each) => each.asked > answered && each.seq < (ended.get(intent) ?? Infinity));
      if (ended.has(intent) && later === undefined) return [];
      const sentence = `Task ${task.id} was withdrawn, and its intent ${intent} went on.`;
      return [violated('I5', sentence, call.place, answered, later?.asked, place)];
    });
  }
}

/** @returns what is wrong with a task that has not ended; a payment that a person has to look at is undecided */
function unended({ id, state }: ShownTask, booked: Booked): string[] {
  const isWatched = [...booked.values()].some(({ attention }) => attention !== undefined);
  return ENDED.has(state) || (state === 'WORKING' && isWatched)
    ? []
    : [`Task ${id} is ${state}, though all is at rest.`];
}

function paidIn({ artifacts, said }: ShownTask) {
  const name = 'countersign.paymentResult';
  return Paid.safeParse(artifacts[name] ?? said[name]).data?.pmVc.credentialSubject;
}

/** The intent that a task got, which is a whole purchase or no more than that. */
function intentOf({ artifacts }: ShownTask): string | undefined {
  return IntentAllowed.safeParse(artifacts['countersign.intentResult']).data?.intentVc.credentialSubject.mandateId;
}

/** @param claimed which task each payment is of, among those that were looked at before */
function claimedTwice(task: ShownTask, claimed: Map<string, string>): string[] {
  const paid = paidIn(task);
  if (paid === undefined) return [];
  const other = claimed.get(paid.mandateId);
  claimed.set(paid.mandateId, task.id);
  return other === undefined ? [] : [`Payment ${paid.mandateId} is that of two tasks, ${other} and ${task.id}.`];
}

/** The payment that a task says it made is in the books, as it says. */
function ofPayment(task: ShownTask, booked: Booked): string[] {
  const { id, state } = task;
  const paid = paidIn(task);
  if (paid === undefined) return [];
  const { mandateId, amount } = paid;
  const payment = booked.get(mandateId);
  if (payment === undefined) return [`Task ${id} says payment ${mandateId}, which is not in the books.`];
  if (payment.amount !== amount)
    return [`Task ${id} says ${amount} of payment ${mandateId}, and the books ${payment.amount}.`];
  const isDeclined = payment.status === 'FAILED';
  if (state === 'COMPLETED' && isDeclined) return [`Task ${id} is COMPLETED, and its payment ${mandateId} FAILED.`];
  if (state === 'FAILED' && !isDeclined)
    return [`Task ${id} is FAILED, and its payment ${mandateId} ${payment.status}.`];
  return [];
}

/** Of a purchase that was refused or withdrawn nothing is paid. */
function ofIntent(task: ShownTask, booked: Booked): string[] {
  const { id, state } = task;
  const intent = intentOf(task);
  // The task of an intent alone has done all it was asked for.
  if (intent === undefined || state === 'COMPLETED' || state === 'FAILED') return [];
  const payment = [...booked.values()].find(({ intentId }) => intentId === intent);
  return payment === undefined ? [] : [`Task ${id} is ${state}, and payment ${payment.mandateId} was made for it.`];
}
