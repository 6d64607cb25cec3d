/** A shop of ACP, made from the schemas: sessions, /complete with its idempotency, orders. Each of its answers is judged by the schemas. */
import assert from 'node:assert/strict';
import type { Loose } from '../../support/world.ts';
import { faultsOf } from './acpSchemas.ts';

export const HANDLER = {
  id: 'card_tokenized',
  name: 'dev.acp.tokenized.card',
  version: '2026-01-22',
  spec: 'https://acp.dev/handlers/tokenized.card',
  requires_delegate_payment: true,
  requires_pci_compliance: false,
  psp: 'stripe',
  config_schema: 'https://acp.dev/schemas/handlers/tokenized.card/config.json',
  instrument_schemas: ['https://acp.dev/schemas/handlers/tokenized.card/instrument.json'],
  config: { merchant_id: 'acct_tea', psp: 'stripe' },
};

const TOTALS = [
  { type: 'items_base_amount', display_text: 'Items', amount: 2400 },
  { type: 'subtotal', display_text: 'Subtotal', amount: 2400 },
  { type: 'fulfillment', display_text: 'Shipping', amount: 300 },
  { type: 'tax', display_text: 'Tax', amount: 200 },
  { type: 'total', display_text: 'Total', amount: 2900 },
];

/** @param more members in place of those of a session that can be paid */
export function sessionOf(id: string, more: object = {}): Loose {
  return {
    id,
    protocol: { version: '2026-04-17' },
    capabilities: { payment: { handlers: [HANDLER] } },
    status: 'ready_for_payment',
    currency: 'usd',
    line_items: [
      {
        id: 'line_1',
        item: { id: 'green_tea' },
        quantity: 2,
        name: 'Green tea',
        unit_amount: 1200,
        totals: [{ type: 'total', display_text: 'Total', amount: 2400 }],
      },
    ],
    totals: TOTALS,
    fulfillment_options: [],
    messages: [],
    links: [],
    ...more,
  };
}

/** What happens to a card: the issuer takes it, declines it, or wants its holder. */
type Issuer = 'accepts' | 'declines' | 'asks';

export class AcpShop {
  issuer: Issuer = 'accepts';
  /** What it took, a token each. */
  readonly taken: string[] = [];
  /** True while it works on a request. */
  isBusy = false;
  readonly #sessions = new Map<string, Loose>();
  readonly #answers = new Map<string, { readonly body: string; readonly answer: Loose }>();

  create(more: object = {}): Loose {
    return this.#keep(sessionOf(`cs_${this.#sessions.size + 1}`, more));
  }

  /** POST /checkout_sessions/:id/complete @returns the status and body of its answer */
  complete(id: string, body: Loose, idempotencyKey: string): { readonly status: number; readonly body: Loose } {
    assert.deepEqual(faultsOf('CheckoutSessionCompleteRequest', body), []);
    const text = JSON.stringify(body);
    if (this.isBusy) return fault(409, 'idempotency_in_flight');
    const before = this.#answers.get(idempotencyKey);
    if (before !== undefined && before.body !== text) return fault(422, 'idempotency_conflict');
    if (before !== undefined) return { status: 200, body: before.answer };
    const answer = this.#keep(this.#pay(this.#sessions.get(id) as Loose, body['payment_data']));
    this.#answers.set(idempotencyKey, { body: text, answer });
    return { status: 200, body: answer };
  }

  #pay(session: Loose, data: Loose): Loose {
    assert.equal(data['handler_id'], HANDLER.id);
    if (this.issuer === 'declines') return { ...session, messages: [errorMessage('payment_declined')] };
    if (this.issuer === 'asks') {
      return { ...session, status: 'authentication_required', continue_url: 'https://tea.example/authenticate' };
    }
    this.taken.push(data['instrument'].credential.token);
    const order = { id: `ord_${session['id']}`, checkout_session_id: session['id'] };
    return {
      ...session,
      status: 'completed',
      messages: [],
      order: { ...order, permalink_url: 'https://tea.example/order' },
    };
  }

  #keep(session: Loose): Loose {
    assert.deepEqual(faultsOf('CheckoutSession', session), []);
    this.#sessions.set(session['id'], session);
    return session;
  }
}

function errorMessage(code: string): Loose {
  return { type: 'error', code, content_type: 'plain', content: 'Please take another card.' };
}

function fault(status: number, code: string) {
  const body = { type: 'invalid_request', code, message: 'See code.' };
  assert.deepEqual(faultsOf('Error', body), []);
  return { status, body };
}
