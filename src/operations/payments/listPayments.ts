/** Shows payments: one, or the tenant's newest first. */
import { z } from 'zod';
import { Did } from '../../../protocol/credential/did.ts';
import { AmountSort, amountFilters, sortedInOneCurrency, sumText, toMinor } from '../../../protocol/money.ts';
import type { Dispute } from '../../../protocol/payment.ts';
import { Payment, PaymentRecord, PaymentStatus } from '../../../protocol/payment.ts';
import { categoryOf } from '../../../protocol/policy/values/category.ts';
import { MerchantDomain } from '../../../protocol/policy/values/domain.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { inTimeOrder, isoTime, Time } from '../../../protocol/wire/time.ts';
import { type AccountingFacts, loadAccountingFacts } from '../../domain/payments/accountingFacts.ts';
import { loadPayment } from '../../domain/payments/loadPayment.ts';
import { showPayment, showPaymentRecord } from '../../domain/payments/showPayment.ts';
import { shownByAuthorizers } from '../../domain/purchases/authorize.ts';
import { amountsOf } from '../../domain/purchases/purchaseFacts.ts';
import { disputesOf, withDisputes } from '../../store/statements/purchases/disputes.ts';
import {
  isPaymentWalk,
  listSortedPayments,
  type PaymentPosition,
  type PaymentRow,
  listPayments as selectPayments,
} from '../../store/statements/purchases/payments.ts';
import { byAgent, byMandateId, csvColumns, listing, type Order } from '../../usecase/list/listing.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

const GetPayment = z.object({ mandateId: z.string() });

export const getPayment = useCase({
  summary: 'Shows one payment with its mandate and, where a chain of mandates stands behind it, its receipt.',
  input: GetPayment,
  output: PaymentRecord,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetPayment>, PaymentRecord>(function* (deps, caller, { mandateId }) {
    const payment = yield* loadPayment(caller, mandateId);
    const disputed = { ...payment, disputes: yield* disputesOf([payment]) };
    // What completes a purchase takes more than the right to read.
    const besides = yield* shownByAuthorizers(deps, payment, caller.permissions.has('write'));
    return { ...showPaymentRecord(disputed), ...besides };
  }),
});

const ListPayments = sortedInOneCurrency(
  inTimeOrder(
    PageRequest.extend({
      status: PaymentStatus.optional(),
      agentDid: Did.optional(),
      merchant: MerchantDomain.optional(),
      from: Time.optional(),
      to: Time.optional(),
      ...amountFilters,
      sort: AmountSort.optional(),
    }),
  ),
  'payments',
);
type ListPayments = z.output<typeof ListPayments>;

const AMOUNT_PLACE = z.object({ amount_minor: z.int(), mandate_id: z.string() });
const BY_AMOUNT = {
  position: AMOUNT_PLACE,
  of: ({ amount_minor, mandate_id }: PaymentPosition) => ({ amount_minor, mandate_id }),
};
const ORDERS = {
  newest: byMandateId,
  oldest: {
    position: z.object({ mandate_id: z.string() }),
    of: ({ mandate_id }: PaymentPosition) => ({ mandate_id }),
    isAscending: true,
  },
  largest: BY_AMOUNT,
  smallest: { ...BY_AMOUNT, isAscending: true },
} as const;

export const listPayments = listing({
  summary: 'Lists payments, newest first, or as `sort` says.',
  input: ListPayments,
  item: Payment,
  permission: 'read',
  own: byAgent,
  order: ({ sort = 'newest' }: ListPayments) => ORDERS[sort] as PaymentOrder,
  isLong: ({ sort, ...filter }) => sort !== undefined || isPaymentWalk({ ...filter, amount: amountsOf(filter) }),
  *select({ tenantId }, { sort = 'newest', ...filter }, before, limit) {
    const asked = { ...filter, amount: amountsOf(filter) };
    const found =
      sort === 'newest'
        ? yield* selectPayments(tenantId, asked, before as string | undefined, limit)
        : yield* listSortedPayments(tenantId, sort, asked, before as PaymentPosition | undefined, limit);
    return { ...found, rows: yield* withDisputes(found.rows) };
  },
  show: showPayment,
  csv: csvColumns<Payment, AccountingFacts>({
    fileName: 'payments.csv',
    load: ({ store }, { tenantId }, payments) => store.readApart(() => loadAccountingFacts(tenantId, payments)),
    columns: {
      createdAt: ({ createdAt }) => createdAt,
      status: ({ status }) => status,
      merchant: ({ merchant }) => merchant,
      description: ({ description }) => description,
      amount: ({ amount, currency }) => amountText(amount, currency),
      currency: ({ currency }) => currency,
      captured: ({ captured, currency }) => amountText(captured, currency),
      refunded: ({ refunded, currency }) => amountText(refunded, currency),
      agentDid: ({ agentDid }) => agentDid,
      rail: ({ rail }) => rail,
      mandateId: ({ mandateId }) => mandateId,
      intentId: ({ intentId }) => intentId,
      transactionId: ({ transactionId }) => transactionId,
      attention: ({ attention }) => attention?.reason,
      // Programs read columns by their place: new ones come last.
      disputed: ({ disputed, currency }) => amountText(disputed, currency),
      disputes: ({ disputes }) => disputes.map(disputeText).join('; '),
      agent: ({ agentDid }, { agents }) => agents.get(agentDid),
      principalDid: ({ mandateId }, { payments }) => payments.get(mandateId)?.principal_did,
      principal: ({ mandateId }, { payments, principals }) =>
        principals.get(payments.get(mandateId)?.principal_did ?? ''),
      mcc: ({ mandateId }, { payments }) => payments.get(mandateId)?.mcc ?? undefined,
      category: ({ mandateId }, { payments }) => categoryOf(payments.get(mandateId)?.mcc ?? ''),
      capturedAt: ({ mandateId }, { dates }) => isoTime(dates.get(mandateId)?.captured ?? null),
      refundedAt: ({ mandateId }, { dates }) => isoTime(dates.get(mandateId)?.refunded ?? null),
    },
  }),
});

/** Of a cursor that comes back as it was given. */
type PaymentOrder = Order<PaymentRow, string | PaymentPosition>;

/** `dp_1 needs_response 84.00 USD`. */
function disputeText({ railDisputeId, status, amount, currency }: Dispute): string {
  return `${railDisputeId} ${status} ${amountText(amount, currency)} ${currency}`;
}

/** An amount with the decimals of its currency. */
function amountText(amount: number, currency: string): string {
  return sumText(BigInt(toMinor(amount, currency, { allowZero: true })), currency);
}
