/**
 * Square's MCP server (square-mcp-server 0.1): one tool does everything, by a service, which it takes in two spellings, and a method.
 * What no rule here names is refused. Amounts are minor units; a payment is its amount and its tip.
 */
import type { z } from 'zod';
import type { ToolRule } from '../rules/guardConfig.ts';

/** Each reads in every service that has it. `isWrite` of the server itself is false for refunds and for paying orders. */
const READ = (
  'list get search info batchGet calculate listLocationProfiles listTeamMemberProfiles listDefinitions ' +
  'getDefinition listPayment getPayment listEntries listEvents listTypes listCodes getCode getObject searchObjects ' +
  'searchItems batchGetobjects batchGetchanges batchGetcounts getPhysicalCount getAdjustment getTransfer getCount ' +
  'listPaymentLinks getPaymentLink getLocationSettings getMerchantSettings listEvidence getEvidence getFromGAN ' +
  'getFromNonce searchAvailability bulkGet getBusinessProfile getLocationProfile getTeamMemberProfile searchMembers ' +
  'getMember getWageSetting listJobs getJob searchShifts getShift searchCheckouts getCheckout searchRefunds ' +
  'getRefund searchActions getAction searchAccounts getAccount searchEvents getProgram calculatePoints ' +
  'listPromotions getPromotion searchRewards getReward'
).split(' ');

const SERVICES = (
  'bankAccounts bookings bookingCustomAttributes cards cashDrawers catalog checkout customers ' +
  'customerCustomAttributes customerGroups customerSegments devices disputes events giftCards giftCardActivities ' +
  'inventory invoices labor locations locationCustomAttributes loyalty merchants merchantCustomAttributes orders ' +
  'orderCustomAttributes payments payouts refunds sites snippets subscriptions team terminal vendors ' +
  'webhookSubscriptions'
).split(' ');

/** The server puts Square's own answer, as text, into the member `error` of its own: the code stands in it. */
const REFUSED = [
  { '$.error': '*"category"*"PAYMENT_METHOD_ERROR"*' },
  { '$.error': '*"category"*"INVALID_REQUEST_ERROR"*' },
  { '$.error': '*"category"*"AUTHENTICATION_ERROR"*' },
  { '$.error': ['Invalid service:*', 'Invalid method *', 'Write operations are not allowed*'] },
];

const USED_KEY = { '$.error': '*IDEMPOTENCY_KEY_REUSED*' };

export const squareRules: z.input<typeof ToolRule>[] = [
  { match: 'get_service_info', action: 'forward' },
  { match: 'get_type_info', action: 'forward' },
  {
    match: 'make_api_request',
    when: { '$.service': 'payments', '$.method': 'create' },
    amount: ['$.request.amount_money.amount', '$.request.tip_money.amount'],
    unit: 'minor',
    currency: '$.request.amount_money.currency',
    merchant: 'squareup.com',
    channel: 'card',
    idempotency: '$.request.idempotency_key',
    reference: '$.payment.id',
    paid: ['$.payment.amount_money.amount', '$.payment.tip_money.amount'],
    succeeded: { '$.payment.status': ['APPROVED', 'PENDING', 'COMPLETED'] },
    failed: [{ '$.payment.status': ['CANCELED', 'FAILED'] }, ...REFUSED],
    uncertain: USED_KEY,
  },
  {
    match: 'make_api_request',
    when: { '$.service': 'refunds', '$.method': 'payment' },
    amount: '$.request.amount_money.amount',
    unit: 'minor',
    currency: '$.request.amount_money.currency',
    merchant: 'squareup.com',
    channel: 'card',
    idempotency: '$.request.idempotency_key',
    reference: '$.refund.id',
    paid: '$.refund.amount_money.amount',
    failed: [{ '$.refund.status': ['REJECTED', 'FAILED'] }, ...REFUSED],
    uncertain: USED_KEY,
  },
  { match: 'make_api_request', when: { '$.service': SERVICES, '$.method': READ }, action: 'forward' },
  { match: 'make_api_request', action: 'refuse' },
];
