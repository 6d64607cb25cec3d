/**
 * I4: each event that somebody subscribed to arrives at least once, or has failed after exactly six attempts. What is owed follows
 * from the chain: an event there and its webhook event are one commit, with one id.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Calls, doneBody } from './calls.ts';
import { type Law, type Of, violated } from './law.ts';
import { AttemptBooked, Event, Webhook } from './shapes.ts';

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
  readonly #arrived = new Map<string, Arrived>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'received') return this.#receive(happening, place);
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
    const events = books.events.map((event) => Event.parse(event));
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

  /** Subscriptions that somebody knows of, as they were made, and that nobody has tried to change. */
  #webhooks(events: readonly Event[]): { readonly webhook: Webhook; readonly from: number }[] {
    const calls = [...this.#calls.all()];
    const changed = new Set(
      calls
        .filter(({ call }) => call === 'updateWebhook' || call === 'deleteWebhook')
        .map(({ input }) => (input as { readonly id?: unknown }).id),
    );
    const found = new Map<string, { readonly webhook: Webhook; readonly from: number }>();
    for (const asked of calls.filter(({ call }) => call === 'createWebhook')) {
      const parsed = Webhook.safeParse(doneBody(asked));
      if (!parsed.success || changed.has(parsed.data.id)) continue;
      const webhook = parsed.data;
      const made = events.find(
        ({ eventType, data }) => eventType === 'WEBHOOK_CREATED' && data['webhookId'] === webhook.id,
      );
      found.set(webhook.id, { webhook, from: made?.seq ?? 0 });
    }
    return [...found.values()];
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
