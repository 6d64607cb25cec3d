/**
 * I2, I5 and I8 of standard A2A's tasks: a message leads to one task, however often it comes; what ended stays as it ended; every task
 * ends; and what it says of a payment is what the books say.
 */
import type { Books, Happening, Violation } from '../history.ts';
import type { Asked, Calls } from './calls.ts';
import { ENDED, type ShownTask, taskIn } from './gateAnswers.ts';
import { type Law, violated } from './law.ts';
import { sayCall } from './sayHappening.ts';
import { IntentAllowed, IntentBooked, Paid, PaymentBooked } from './shapes.ts';
import { membersOf } from './trail.ts';

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

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'quiet') return this.#compare(happening.books, place);
    if (happening.kind !== 'answered') return [];
    const asked = this.#calls.find(happening.id);
    const task = taskIn(membersOf(happening.body)['result']);
    if (asked === undefined || task === undefined) return [];
    return [...this.#once({ task, asked, place }), ...this.#goesOn({ task, asked, place })];
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

  #compare({ tasks = [], payments, intents }: Books, place: number): readonly Violation[] {
    const booked: Booked = new Map(
      payments.map((payment) => PaymentBooked.parse(payment)).map((each) => [each.mandateId, each]),
    );
    const statuses = new Map(
      intents.map((each) => IntentBooked.parse(each)).map((each) => [each.mandateId, each.status]),
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
      for (const sentence of [
        ...unended(task, booked),
        ...ofPayment(task, booked, claimed),
        ...ofIntent(task, booked, statuses),
      ])
        found.push(violated(sentence.startsWith('Task') ? 'I5' : 'I2', sentence, before?.place, place));
    }
    for (const [id, { place: seenAt }] of this.#seen) {
      if (!there.has(id)) found.push(violated('I5', `Task ${id} is there no more.`, seenAt, place));
    }
    return found;
  }
}

/** @returns what is wrong with a task that has not ended; a payment that a person has to look at is undecided */
function unended({ id, state }: ShownTask, booked: Booked): string[] {
  const isWatched = [...booked.values()].some(({ attention }) => attention !== undefined);
  return ENDED.has(state) || (state === 'WORKING' && isWatched)
    ? []
    : [`Task ${id} is ${state}, though all is at rest.`];
}

/** The payment that a task says it made is in the books, as it says; and no other task's. */
function ofPayment({ id, state, artifacts, said }: ShownTask, booked: Booked, claimed: Map<string, string>): string[] {
  const name = 'countersign.paymentResult';
  const paid = Paid.safeParse(artifacts[name] ?? said[name]).data?.pmVc.credentialSubject;
  if (paid === undefined) return [];
  const { mandateId, amount } = paid;
  const payment = booked.get(mandateId);
  const other = claimed.get(mandateId);
  claimed.set(mandateId, id);
  if (other !== undefined) return [`Payment ${mandateId} is that of two tasks, ${other} and ${id}.`];
  if (payment === undefined) return [`Task ${id} says payment ${mandateId}, which is not in the books.`];
  if (payment.amount !== amount)
    return [`Task ${id} says ${amount} of payment ${mandateId}, and the books ${payment.amount}.`];
  const isDeclined = payment.status === 'FAILED';
  if (state === 'COMPLETED' && isDeclined) return [`Task ${id} is COMPLETED, and its payment ${mandateId} FAILED.`];
  if (state === 'FAILED' && !isDeclined)
    return [`Task ${id} is FAILED, and its payment ${mandateId} ${payment.status}.`];
  return [];
}

/** Of a purchase that was refused or withdrawn nothing is paid; a withdrawn one holds no money any more. */
function ofIntent(
  { id, state, artifacts }: ShownTask,
  booked: Booked,
  statuses: ReadonlyMap<string, string>,
): string[] {
  const allowed = IntentAllowed.safeParse(artifacts['countersign.intentResult']).data;
  // The task of an intent alone has done all it was asked for.
  if (allowed === undefined || state === 'COMPLETED' || state === 'FAILED') return [];
  const { mandateId } = allowed.intentVc.credentialSubject;
  const payment = [...booked.values()].find(({ intentId }) => intentId === mandateId);
  if (payment !== undefined) return [`Task ${id} is ${state}, and payment ${payment.mandateId} was made for it.`];
  if (state === 'CANCELED' && statuses.get(mandateId) === 'ACTIVE')
    return [`Task ${id} is CANCELED, and its intent ${mandateId} goes on.`];
  return [];
}
