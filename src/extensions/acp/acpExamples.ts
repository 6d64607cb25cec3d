/** Example: a session of a shop that sells tea is paid. */
import { AGENT, AT, INTENT, PRINCIPAL, TRANSACTION } from '../../documents/examples/story/story.ts';

const HANDLER = {
  id: 'card_tokenized',
  name: 'dev.acp.tokenized.card',
  version: '2026-01-22',
  spec: 'https://acp.dev/handlers/tokenized.card',
  requires_delegate_payment: true,
  requires_pci_compliance: false,
  psp: 'stripe',
  config_schema: 'https://acp.dev/schemas/handlers/tokenized.card/config.json',
  instrument_schemas: ['https://acp.dev/schemas/handlers/tokenized.card/instrument.json'],
  config: { merchant_id: 'acct_1TeaShop', psp: 'stripe' },
};

const SESSION = {
  id: 'checkout_session_tea',
  protocol: { version: '2026-04-17' },
  capabilities: { payment: { handlers: [HANDLER] } },
  status: 'ready_for_payment',
  currency: 'usd',
  line_items: [
    { id: 'line_1', item: { id: 'green_tea' }, quantity: 1, name: 'Green tea', unit_amount: 1200, totals: [] },
  ],
  totals: [
    { type: 'subtotal', display_text: 'Subtotal', amount: 1200 },
    { type: 'fulfillment', display_text: 'Shipping', amount: 300 },
    { type: 'total', display_text: 'Total', amount: 1500 },
  ],
  fulfillment_options: [],
  messages: [],
  links: [],
};

const paymentData = {
  handler_id: HANDLER.id,
  instrument: { type: 'card', credential: { type: 'spt', token: 'spt_…' } },
};

export const acpExamples = {
  validateAcpSession: {
    input: {
      agentDid: AGENT,
      principalDid: PRINCIPAL,
      merchantDomain: 'tea.example',
      session: SESSION,
      idempotencyKey: 'tea-of-tuesday',
    },
    output: {
      allowed: true as const,
      protocol: 'acp',
      mandateId: 'pm_01m7yh6hz6f0k5r9u2w7x1a4d8',
      intentId: INTENT,
      transactionId: TRANSACTION,
      challengeId: SESSION.id,
      send: { body: { payment_data: paymentData } },
      paymentData,
      expiresAt: AT,
    },
  },
};
