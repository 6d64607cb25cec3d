/**
 * I4: each event that has a subscription arrives at least once, or has failed after exactly six attempts. What is owed follows
 * from the chain: an event there and its webhook event are one commit, with one id.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Calls, doneBody } from './calls.ts';
import { type Law, type Of, violated } from './law.ts';
import { AttemptBooked, type Event, eventOf, Webhook } from './shapes.ts';

const ATTEMPTS = 6;

/** The webhook event of an evidence event, by its type. */
const NAMES: Readonly<Record<string, string>> = {
  INTENT_ISSUED: 'intent.issued',
  INTENT_DENIED: 'intent.denied',
  INTENT_EXPIRED: 'intent.expired',
  CART_VALIDATED: 'cart.validated',
  CART_REJECTED: 'cart.rejected',
  PAYMENT_AUTHORIZED: 'payment.authorized',
  PAYMENT_CAPTURED: 'payment.captured',
  PAYMENT_FAILED: 'payment.failed',
  PAYMENT_REFUNDED: 'payment.refunded',
  PAYMENT_DISPUTED: 'payment.disputed',
  PAYMENT_DISPUTE_CLOSED: 'payment.dispute_closed',
  AGENT_CREATED: 'agent.created',
  AGENT_REVOKED: 'agent.revoked',
  AGENT_SUSPENDED: 'agent.suspended',
  AGENT_REACTIVATED: 'agent.reactivated',
  POLICY_UPDATED: 'policy.updated',
};

/** What arrived of one event at one endpoint. */
interface Arrived {
  readonly places: number[];
  isTaken: boolean;
  refused: number;
}

export class DeliveryLaw implements Law {
  readonly #calls: Calls;
  /** Subscriptions that the owner knows of, as they were made. */
  readonly #known = new Map<string, { readonly webhook: Webhook; from: number }>();
  /** Those that a caller has tried to change. */
  readonly #changed = new Set<unknown>();
  readonly #arrived = new Map<string, Arrived>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'received') return this.#receive(happening, place);
    if (happening.kind === 'asked') this.#change(happening);
    if (happening.kind === 'answered') this.#learn(happening.id);
    return happening.kind === 'quiet' ? this.#judge(happening.books, place) : [];
  }

  #receive({ endpoint, event, answer }: Of<'received'>, place: number): readonly Violation[] {
    const key = `${endpoint} ${event}`;
    const arrived = this.#arrived.get(key) ?? { places: [], isTaken: false, refused: 0 };
    this.#arrived.set(key, arrived);
    arrived.places.push(place);
    if (answer >= 200 && answer < 300) arrived.isTaken = true;
    else arrived.refused += 1;
    return [];
  }

  #judge(books: Books, place: number): readonly Violation[] {
    const logged = new Map<string, AttemptBooked[]>();
    for (const given of books.deliveries) {
      const attempt = AttemptBooked.parse(given);
      const key = `${attempt.webhookId} ${attempt.eventId}`;
      logged.set(key, [...(logged.get(key) ?? []), attempt]);
    }
    const events = books.events.map(eventOf);
    return this.#webhooks(events).flatMap(({ webhook, from }) => {
      const wanted = new Set(webhook.events);
      const endpoint = webhook.url;
      return events
        .filter(({ seq, eventType }) => seq > from && wanted.has(NAMES[eventType] ?? ''))
        .flatMap((event) => {
          const arrived = this.#arrived.get(`${endpoint} ${event.id}`);
          const attempts = logged.get(`${webhook.id} ${event.id}`) ?? [];
          const fault = faultOf(arrived, attempts);
          if (fault === undefined) return [];
          const what = `${NAMES[event.eventType]} ${event.id} (event ${event.seq})`;
          return [violated('I4', `${what} ${fault} at ${endpoint}.`, ...(arrived?.places ?? []), place)];
        });
    });
  }

  forget(place: number): void {
    for (const [key, { places }] of this.#arrived) if ((places.at(-1) ?? 0) < place) this.#arrived.delete(key);
  }

  #change({ call, input }: Of<'asked'>): void {
    if (call === 'updateWebhook' || call === 'deleteWebhook')
      this.#changed.add((input as { readonly id?: unknown }).id);
  }

  #learn(id: number): void {
    const asked = this.#calls.find(id);
    if (asked?.call !== 'createWebhook') return;
    const parsed = Webhook.safeParse(doneBody(asked));
    if (parsed.success && !this.#known.has(parsed.data.id))
      this.#known.set(parsed.data.id, { webhook: parsed.data, from: 0 });
  }

  /** Subscriptions that the owner knows of and that no caller has tried to change, with the event that made each. */
  #webhooks(events: readonly Event[]): { readonly webhook: Webhook; readonly from: number }[] {
    for (const { eventType, data, seq } of events) {
      const made = eventType === 'WEBHOOK_CREATED' ? this.#known.get(String(data['webhookId'])) : undefined;
      if (made !== undefined) made.from = seq;
    }
    return [...this.#known.values()].filter(({ webhook }) => !this.#changed.has(webhook.id));
  }
}

/** @returns what is wrong, as the end of a sentence that begins with the event */
function faultOf(arrived: Arrived | undefined, attempts: readonly AttemptBooked[]): string | undefined {
  const isTaken = ({ status }: AttemptBooked) => typeof status === 'number' && status >= 200 && status < 300;
  // An attempt whose lease a clock took to be over is made again under its number.
  const failed = new Set(attempts.filter((each) => !isTaken(each)).map(({ attempt }) => attempt)).size;
  const last = Math.max(0, ...attempts.map(({ attempt }) => attempt));
  if (last > ATTEMPTS) return `was tried ${last} times`;
  if (arrived?.isTaken === true) return undefined;
  if (attempts.some(isTaken)) return 'is noted as delivered, and was never taken';
  if (failed === ATTEMPTS) return undefined;
  return `was tried ${failed} times, and has neither arrived nor failed`;
}
