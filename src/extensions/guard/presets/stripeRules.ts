/**
 * Stripe's MCP server (mcp.stripe.com, and @stripe/mcp before it): amounts in Stripe's smallest unit, from arguments and from the
 * first text alone, since its toolkit loses structured content and annotations. Stand before the MCP server, not before the toolkit.
 */
import type { z } from 'zod';
import type { ToolRule } from '../rules/guardConfig.ts';

/** They read, or make what others pay to the account, and move nothing out of it. */
const FORWARDED = (
  'list_* retrieve_* search_* fetch_* get_* create_customer create_product create_price create_coupon create_payment_link ' +
  'create_invoice create_invoice_item'
).split(' ');

const ERRORS = [
  { '$.error.type': ['invalid_request_error', 'card_error', 'authentication_error', 'rate_limit_error'] },
  { '$.type': ['invalid_request_error', 'card_error', 'StripeInvalidRequestError', 'StripeCardError'] },
];

export const stripeRules: z.input<typeof ToolRule>[] = [
  ...FORWARDED.map((match) => ({ match, action: 'forward' as const })),
  {
    match: 'create_refund',
    amount: '$.amount',
    unit: 'stripe',
    // The call does not name it: that of the account, which a file sets by `currency` of its upstream.
    currency: 'USD',
    merchant: 'stripe.com',
    channel: 'card',
    reference: '$.id',
    paid: '$.amount',
    failed: [{ '$.status': ['failed', 'canceled'] }, ...ERRORS],
  },
  {
    match: 'create_payment_intent',
    amount: '$.amount',
    unit: 'stripe',
    currency: '$.currency',
    merchant: 'stripe.com',
    channel: 'card',
    idempotency: '$.idempotency_key',
    reference: '$.id',
    paid: '$.amount',
    succeeded: { '$.status': ['succeeded', 'requires_capture', 'processing'] },
    failed: [{ '$.status': ['canceled', 'requires_payment_method'] }, ...ERRORS],
  },
];
