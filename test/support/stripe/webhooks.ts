/** The double's webhooks: signed, sent until they are taken, and on request twice or in another order. */
import Stripe from 'stripe';

export type Delivery = 'once' | 'duplicated' | 'reordered' | 'never';

export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: object };
}

const RETRY_MS = 150;
const PATIENCE_MS = 60_000;
/** Reordered events leave their order within so long. */
const SHUFFLE_MS = 400;

export function webhookSender(secret: string, newId: (prefix: string) => string) {
  const events: StripeEvent[] = [];
  let under = 0;
  let closed = false;
  const sender = {
    events,
    /** Where they go; nowhere while it is not set. */
    target: undefined as string | undefined,
    delivery: 'once' as Delivery,
    tell(type: string, object: object): StripeEvent {
      const event = {
        id: newId('evt_'),
        object: 'event',
        api_version: '2026-10-28.endive',
        created: Math.floor(Date.now() / 1000),
        livemode: false,
        type,
        data: { object: structuredClone(object) },
      };
      events.push(event);
      if (sender.delivery === 'never') return event;
      for (let copy = 0; copy < (sender.delivery === 'duplicated' ? 2 : 1); copy++) {
        const wait = sender.delivery === 'once' ? 0 : Math.random() * SHUFFLE_MS;
        under += 1;
        void deliver(event, wait).finally(() => {
          under -= 1;
        });
      }
      return event;
    },
    /** Sends any body, signed with any secret, at any time. @returns the status of the answer */
    async post(body: unknown, options: { readonly secret?: string; readonly at?: number } = {}): Promise<number> {
      const payload = typeof body === 'string' ? body : JSON.stringify(body);
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload,
        secret: options.secret ?? secret,
        ...(options.at === undefined ? {} : { timestamp: options.at }),
      });
      const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature };
      const response = await fetch(String(sender.target), { method: 'POST', headers, body: payload });
      await response.text();
      return response.status;
    },
    /** Resolves when nothing is on its way any more. */
    async settled(): Promise<void> {
      for (let waited = 0; under > 0 && waited < PATIENCE_MS; waited += 20) await pause(20);
    },
    close(): void {
      closed = true;
    },
  };
  return sender;

  async function deliver(event: StripeEvent, wait: number): Promise<void> {
    await pause(wait);
    for (let waited = 0; waited < PATIENCE_MS && !closed; waited += RETRY_MS) {
      const status = sender.target === undefined ? 0 : await sender.post(event).catch(() => 0);
      if (status >= 200 && status < 300) return;
      await pause(RETRY_MS);
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
