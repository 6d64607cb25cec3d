/**
 * PayPal's MCP server (@paypal/agent-toolkit 1.8): no annotations, so that reading tools are listed by name; errors are plain results
 * without isError, of which an HTTP 4xx says that nothing was paid, and a missing answer says nothing. The total of an order is among
 * its arguments nowhere: it is the sum of the items (itemTotal is read by no part of PayPal's), and paying an order names its id alone.
 */
import type { z } from 'zod';
import type { ToolRule } from '../rules/guardConfig.ts';

const READ = (
  'list_* get_invoice get_order get_dispute ' +
  'get_refund get_shipment_tracking get_merchant_insights show_* generate_invoice_qr_code'
).split(' ');

const REFUSED = { '$.code': 'PAYPAL_API_HTTP_ERROR', '$.status': [400, 401, 403, 404, 405, 406, 415, 422, 429] };
// It was paid by an earlier call whose answer was lost.
const CAPTURED_BEFORE = {
  '$.code': 'PAYPAL_API_HTTP_ERROR',
  '$.message': ['*already*captured*', '*ORDER_ALREADY_CAPTURED*', '*already*refunded*'],
};
const CAPTURE = '$.response.purchase_units[0].payments.captures[0]';

export const paypalRules: z.input<typeof ToolRule>[] = [
  ...READ.map((match) => ({ match, action: 'forward' as const })),
  {
    match: 'create_order',
    amount: [
      { each: '$.items[*]', price: '$.itemCost', quantity: '$.quantity' },
      { each: '$.items[*]', price: '$.itemCost', quantity: '$.quantity', percent: '$.taxPercent' },
      { price: '$.shippingCost' },
      { price: '$.discount', minus: true },
    ],
    unit: 'major',
    currency: '$.currencyCode',
    merchant: 'paypal.com',
    channel: 'wallet',
    items: { each: '$.items[*]', name: '$.name', price: '$.itemCost', quantity: '$.quantity' },
    reference: '$.id',
    paid: '$.purchase_units[*].amount.value',
    failed: REFUSED,
    holds: true,
  },
  {
    match: 'pay_order',
    completes: '$.id',
    unit: 'major',
    currency: 'USD',
    channel: 'wallet',
    reference: `${CAPTURE}.id`,
    paid: '$.response.purchase_units[*].payments.captures[*].amount.value',
    succeeded: { '$.status': 'success', [`${CAPTURE}.status`]: ['COMPLETED', 'PENDING'] },
    failed: [REFUSED, { [`${CAPTURE}.status`]: ['DECLINED', 'FAILED'] }],
    uncertain: CAPTURED_BEFORE,
  },
  {
    match: 'create_refund',
    amount: '$.amount.value',
    unit: 'major',
    currency: '$.amount.currency_code',
    merchant: 'paypal.com',
    channel: 'wallet',
    reference: '$.id',
    paid: '$.amount.value',
    failed: [REFUSED, { '$.status': ['FAILED', 'CANCELLED'] }],
    uncertain: CAPTURED_BEFORE,
  },
];
