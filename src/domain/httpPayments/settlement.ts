/** What is told of a payment by HTTP after it was sent. A merchant or an agent may only say that money was spent: neither frees any. */
import type { SettlementReport } from '../../../protocol/httpPayment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import {
  findHttpPayment,
  findHttpPaymentOfReference,
  type HttpPaymentRow,
  listHttpPaymentsOfChallengeId,
  saveHttpReceipt,
} from '../../store/statements/purchases/httpPayments.ts';
import { findPayment, findPaymentAtRail, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import type { Attestant, SettlementClaim } from '../../usecase/paymentProtocol.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { protocolOf } from '../payments/answerHttpPayment.ts';
import { captured, flagPayment, transition } from '../payments/recordOutcome.ts';
import { paymentFacts } from '../purchases/purchaseFacts.ts';

/** States in which no money is held. */
const ENDED: readonly string[] = ['FAILED', 'CANCELED'];

/** Node takes 16 KiB of headers, in which a receipt comes. */
const MOST_OF_RECEIPT = 32_768;

interface SentPayment {
  readonly row: HttpPaymentRow;
  readonly payment: PaymentRow;
}

/** @throws Fault NOT_FOUND for one that is not the caller's, CONFLICT where the challenge's id is that of two */
export function* findSentPayment(caller: Caller, report: SettlementReport): Script<SentPayment> {
  const { tenantId } = caller;
  const row = yield* findReported(tenantId, report);
  const payment = row && (yield* findPayment(tenantId, row.mandate_id));
  if (row === undefined || payment === undefined || !actsFor(caller, payment.agent_did)) {
    throw new Fault('NOT_FOUND', 'There is no such payment by HTTP.');
  }
  return { row, payment };
}

function* findReported(
  tenantId: string,
  { mandateId, challengeId, nonce }: SettlementReport,
): Script<HttpPaymentRow | undefined> {
  if (mandateId !== undefined) return yield* findHttpPayment(tenantId, mandateId);
  if (challengeId !== undefined) {
    const [only, other] = yield* listHttpPaymentsOfChallengeId(tenantId, challengeId);
    if (other !== undefined) throw new Fault('CONFLICT', 'Two challenges have this id; name the payment by mandateId.');
    return only;
  }
  const paid = yield* findPaymentAtRail(String(nonce));
  return paid?.tenant_id === tenantId ? yield* findHttpPayment(tenantId, paid.mandate_id) : undefined;
}

type SettleDeps = HookDeps & { readonly log: Parameters<typeof flagPayment>[0]['log'] };

/** Records that the merchant says it was paid: the money counts as spent from then on, and no later word of the rail frees it. */
export function* recordPaid(
  deps: SettleDeps,
  { row, payment }: SentPayment,
  claim: Extract<SettlementClaim, { readonly kind: 'paid' }>,
  now: number,
): Script<void> {
  const told = JSON.stringify(compact({ reference: claim.reference, receipt: claim.receipt }));
  if (row.receipt === told) return;
  requireShort(told);
  const before = referenceIn(row);
  const isOther = before !== undefined && claim.reference !== undefined && before !== claim.reference;
  if (isOther) {
    const reason = `The merchant's receipts name two payments: ${before} and ${claim.reference}.`;
    yield* note(deps, payment, reason, now, { attested: 'merchant' });
    yield* flagPayment(deps, payment, reason, now);
    return;
  }
  const unique = protocolOf(deps, row.protocol).namesOne === true ? claim.reference : undefined;
  if (unique !== undefined) yield* requireOwnReference(row, unique);
  yield* saveHttpReceipt(row, told, unique);
  const change = captured(payment, payment.amount_minor, now);
  const { reference, signed } = claim;
  const receiptHash = `sha256:${deps.suite.sha256Hex(told)}`;
  const said = { ...compact({ reference, receiptHash, signed }), attested: attestantOf(claim) };
  if (change === undefined) {
    yield* note(deps, payment, 'The merchant says that it was paid.', now, said);
    if (!ENDED.includes(payment.status)) return;
    const reason = `The merchant says that it was paid, and the payment is ${payment.status}.`;
    yield* flagPayment(deps, payment, reason, now);
    return;
  }
  const { attested, ...facts } = said;
  yield* transition(deps, payment, { ...change, facts: { ...change.facts, ...facts }, attested }, now);
}

/** @throws Fault CONFLICT for the receipt of another purchase: receipts are unsigned, and need not name what was bought */
function* requireOwnReference(row: HttpPaymentRow, reference: string): Script<void> {
  const first = yield* findHttpPaymentOfReference(row, reference);
  if (first === undefined || first.mandate_id === row.mandate_id) return;
  throw new Fault('CONFLICT', `The receipt is of ${first.mandate_id}, which has the reference ${reference}.`);
}

function attestantOf({ signed }: Extract<SettlementClaim, { readonly kind: 'paid' }>): Attestant {
  return signed === undefined ? 'merchant' : 'merchant_signed';
}

function requireShort(told: string): void {
  if (told.length <= MOST_OF_RECEIPT) return;
  const message = `has ${told.length} characters; it may have at most ${MOST_OF_RECEIPT}`;
  throw new Fault('BAD_REQUEST', `The receipt ${message}.`, [{ path: 'receipt', message }]);
}

function referenceIn({ receipt }: HttpPaymentRow): string | undefined {
  return receipt === null ? undefined : (JSON.parse(receipt) as { readonly reference?: string }).reference;
}

/** Records what was told, and shows a person what is for one; the same again is recorded once. */
export function* recordNote(
  deps: SettleDeps,
  { row, payment }: SentPayment,
  claim: Extract<SettlementClaim, { readonly note: string }>,
  now: number,
): Script<void> {
  const { note: said } = claim;
  if ('forPerson' in claim && payment.status === 'AUTHORIZED') yield* flagPayment(deps, payment, said, now);
  const told = JSON.stringify({ ...(row.receipt === null ? {} : JSON.parse(row.receipt)), note: said });
  if (row.receipt === told) return;
  yield* saveHttpReceipt(row, told);
  yield* note(deps, payment, said, now);
}

function* note(deps: SettleDeps, payment: PaymentRow, said: string, now: number, facts: object = {}): Script<void> {
  const data = { ...paymentFacts(payment), note: said, attested: 'agent', ...facts };
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_NOTED', data, now);
}
