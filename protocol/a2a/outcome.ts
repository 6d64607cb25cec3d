/** What became of an exchange, as a change of its task: the state, what the node says of it, and what it hands over. */
import { type ApprovalLink, peopleSentence } from '../approval.ts';
import type { ApprovalDecision } from '../approvals/approvalDecision.ts';
import type { ApprovalRequest } from '../approvals/approvalRequest.ts';
import type { CartResult, PurchaseRefusal } from '../cart.ts';
import type { ReservationResult } from '../external/reservation.ts';
import type { HttpPaymentResult } from '../httpPayment.ts';
import type { IntentResult, RefusalResult } from '../intent.ts';
import { formatAmount } from '../money.ts';
import type { Payment, PaymentResult } from '../payment.ts';
import { compact } from '../wire/compact.ts';
import type { Part, TaskState } from './task.ts';

/** A data part with a sentence for a person beside it. */
interface MessageContent {
  readonly data?: Readonly<Record<string, unknown>>;
  /** What AP2 has an object of its own for, as another data part. */
  readonly ap2?: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface TaskChange {
  readonly state: TaskState;
  /** What the status says; absent where the artifacts say it. */
  readonly says?: MessageContent;
  readonly artifacts: readonly (MessageContent & { readonly name: string })[];
  /** Where its caller asked for the approval extension: what a person is asked. */
  readonly asked?: ApprovalRequest | undefined;
  /** As `asked`: how the people who were asked decided. */
  readonly decided?: readonly ApprovalDecision[] | undefined;
}

/** @param isPurchase whether a cart comes next, in the same task */
export function intentOutcome(result: IntentResult, isPurchase: boolean): TaskChange {
  if (!result.allowed) return refused(result);
  const until = String(result.intentVc.expirationDate);
  const person = result.hpRequired ? ' A person will have to approve the cart.' : '';
  const artifact = {
    name: 'intentResult',
    data: { 'countersign.intentResult': result },
    text: `The intent is allowed until ${until}.${person}`,
  };
  if (!isPurchase) return { state: 'TASK_STATE_COMPLETED', artifacts: [artifact] };
  const text = 'Send the cart that the shop signed: {"countersign.purchase": {"cartVc": …}} on this task.';
  return { state: 'TASK_STATE_INPUT_REQUIRED', says: { text }, artifacts: [artifact] };
}

/** @param isPurchase whether the node pays next, in the same task */
export function cartOutcome(result: CartResult, isPurchase: boolean): TaskChange {
  if (!result.allowed) return refusedOrAsked(result);
  const artifact = {
    name: 'cartResult',
    data: { 'countersign.cartResult': result },
    text: `The cart is approved until ${result.approvalTokenExpiresAt}.`,
  };
  if (!isPurchase) return { state: 'TASK_STATE_COMPLETED', artifacts: [artifact] };
  return {
    state: 'TASK_STATE_WORKING',
    says: { text: 'The cart is approved; the node pays it.' },
    artifacts: [artifact],
  };
}

/** @param result of what a server asked for by HTTP */
export function httpPaymentOutcome(result: HttpPaymentResult): TaskChange {
  if (!result.allowed) return refusedOrAsked(result);
  const text = `The request may be paid by ${result.protocol} until ${result.expiresAt}; send it once more with what "send" has.`;
  const data = { 'countersign.httpPaymentResult': result };
  return { state: 'TASK_STATE_COMPLETED', artifacts: [{ name: 'httpPaymentResult', data, text }] };
}

/** @param result of a reservation for a payment elsewhere: the task waits for what came of it */
export function reservationOutcome(result: ReservationResult): TaskChange {
  if (!result.allowed) return refusedOrAsked(result);
  const { reserved, currency, expiresAt } = result;
  const text =
    `Pay at most ${formatAmount(reserved, currency)} until ${expiresAt}; then send ` +
    '{"countersign.external": {"commit": {"evidence": …}}} or {"countersign.external": {"release": {"reason": …}}} on this task.';
  const data = { 'countersign.externalResult': result };
  const artifact = { name: 'externalResult', data, text: 'The amount is reserved.' };
  return { state: 'TASK_STATE_INPUT_REQUIRED', says: { text }, artifacts: [artifact] };
}

/** What became of what was reserved for a payment elsewhere, by the payment as it stands. */
export function externalOutcome(payment: Pick<Payment, 'captured' | 'currency' | 'mandateId' | 'status'>): TaskChange {
  const { status, captured, currency } = payment;
  if (status === 'CANCELED') {
    return {
      state: 'TASK_STATE_CANCELED',
      says: { text: 'Nothing was paid; the amount is free again.' },
      artifacts: [],
    };
  }
  if (status === 'UNKNOWN') {
    const text = 'It was not told what came of it; the amount stays held until that is told here, or an owner says it.';
    return { state: 'TASK_STATE_WORKING', says: { text }, artifacts: [] };
  }
  const data = { 'countersign.externalPayment': payment };
  const text = `${formatAmount(captured, currency)} was paid elsewhere.`;
  return { state: 'TASK_STATE_COMPLETED', artifacts: [{ name: 'externalPayment', data, text }] };
}

/** The task waits where nothing is in the way but the person. */
function refusedOrAsked(result: PurchaseRefusal & { readonly approval?: ApprovalLink | undefined }): TaskChange {
  const { approval, duplicateOf, verdict, ...refusal } = result;
  if (approval === undefined) return refused(result);
  const data = {
    'countersign.approval': approval,
    'countersign.duplicateOf': duplicateOf,
    'countersign.verdict': verdict,
  };
  const link =
    approval.url === undefined
      ? 'The person has approved it; the node is checking the cart again.'
      : waitingText(approval);
  return {
    state: 'TASK_STATE_AUTH_REQUIRED',
    says: { data: compact(data), text: `${sentencesOf(refusal)} ${link}` },
    artifacts: [],
  };
}

/** One of several people has approved, and others are to come. */
export function touchOutcome(approval: ApprovalLink): TaskChange {
  const data = { 'countersign.approval': approval };
  return { state: 'TASK_STATE_AUTH_REQUIRED', says: { data, text: waitingText(approval) }, artifacts: [] };
}

function waitingText({ url, expiresAt, people }: ApprovalLink): string {
  if (people === undefined)
    return `The person approves it at ${url}, until ${expiresAt}; this task then goes on by itself.`;
  return `${peopleSentence(people)} People approve it at ${url}, until ${expiresAt}; this task then goes on by itself.`;
}

export function paymentOutcome(result: PaymentResult): TaskChange {
  if (!('pmVc' in result)) return refused(result);
  const { railResponse, pmVc, paymentReceipt } = result;
  const { status, rail, error } = railResponse;
  const { amount, currency, merchant } = pmVc.credentialSubject;
  const data = { 'countersign.paymentResult': result };
  const receipt = paymentReceipt === undefined ? {} : { ap2: { 'ap2.PaymentReceipt': paymentReceipt } };
  if (status === 'unknown') {
    const text = `The rail "${rail}" has not answered yet; the node keeps asking, and this task goes on by itself.`;
    return { state: 'TASK_STATE_WORKING', says: { text }, artifacts: [] };
  }
  if (status === 'failed' || status === 'canceled') {
    const why = error === undefined ? `The payment is ${status}.` : error.message;
    return {
      state: 'TASK_STATE_FAILED',
      says: { data, ...receipt, text: `The rail "${rail}" declined: ${why}` },
      artifacts: [],
    };
  }
  const paid = formatAmount(Number(amount), String(currency));
  const text = `${paid} for ${merchant} is authorized.`;
  return { state: 'TASK_STATE_COMPLETED', artifacts: [{ name: 'paymentResult', data, ...receipt, text }] };
}

/** The policy said no, or the person did. */
export function refused(refusal: PurchaseRefusal): TaskChange {
  const { reasonCodes, details, limits, duplicateOf, verdict } = refusal;
  const told = compact({ allowed: false, reasonCodes, details, limits, duplicateOf, verdict });
  const data = { 'countersign.refusal': told };
  return { state: 'TASK_STATE_REJECTED', says: { data, text: sentencesOf(refusal) }, artifacts: [] };
}

/** The node could not go on. @param text why, in a sentence */
export function failed(text: string): TaskChange {
  return { state: 'TASK_STATE_FAILED', says: { text }, artifacts: [] };
}

export function withdrawn(): TaskChange {
  return { state: 'TASK_STATE_CANCELED', says: { text: 'The request was withdrawn.' }, artifacts: [] };
}

export function partsOf({ data, ap2, text }: MessageContent): Part[] {
  return [...(data === undefined ? [] : [{ data }]), ...(ap2 === undefined ? [] : [{ data: ap2 }]), { text }];
}

function sentencesOf({ reasonCodes, details }: Pick<RefusalResult, 'reasonCodes' | 'details'>): string {
  return reasonCodes.map((code) => details[code]?.message ?? code).join(' ');
}
