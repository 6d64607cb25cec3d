/** What an agent is answered whose payment by HTTP its rail has decided. */
import type { HttpPaymentResult } from '../../../protocol/httpPayment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import {
  findHttpPayment,
  type HttpPaymentRow,
  httpCredentialContext,
} from '../../store/statements/purchases/httpPayments.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { PaymentOffer } from '../../usecase/paymentProtocol.ts';

type AnswerDeps = Pick<Deps, 'operations' | 'sealer'>;

export function offerOf({ offer }: Pick<HttpPaymentRow, 'offer'>): PaymentOffer {
  return JSON.parse(offer) as PaymentOffer;
}

/** The fault for a payment of a protocol that is off. */
export function protocolOf({ operations }: Pick<Deps, 'operations'>, name: string) {
  const found = operations.hooks.protocols.find((protocol) => protocol.name === name);
  if (found === undefined) throw new Fault('CONFLICT', `This node runs without ${name}.`);
  return found;
}

/** What the rail made, as it was handed to it to keep. */
export function credentialIn(
  { sealer }: Pick<Deps, 'sealer'>,
  { credential, mandate_id: mandateId }: Pick<HttpPaymentRow, 'credential' | 'mandate_id'>,
): string | undefined {
  return credential === null ? undefined : sealer.open(credential, httpCredentialContext(mandateId));
}

/** @returns a fault where the rail has not said so far: the same request may come again */
export function* answerHttpPayment(deps: AnswerDeps, payment: PaymentRow): Script<HttpPaymentResult | Fault> {
  const row = yield* findHttpPayment(payment.tenant_id, payment.mandate_id);
  if (row === undefined) throw new Error(`payment ${payment.mandate_id} has no offer`);
  const { status, error_code: code, error_message: message } = payment;
  if (status === 'FAILED') return declined(`${payment.rail} declined: ${message ?? ''} (${code}).`);
  const credential = credentialIn(deps, row);
  if (credential === undefined || status === 'PENDING' || status === 'UNKNOWN') {
    return new Fault(
      'UNAVAILABLE',
      `${payment.rail} has not answered; ask again with the same challenge and idempotencyKey.`,
    );
  }
  if (status !== 'AUTHORIZED') {
    return new Fault('CONFLICT', `This was paid before, or ended: payment ${payment.mandate_id} is ${status}.`);
  }
  return shown(deps, payment, row, credential);
}

function declined(message: string): HttpPaymentResult {
  const reasonCodes = ['RAIL_UNAVAILABLE' as const];
  return { allowed: false, reasonCodes, details: { RAIL_UNAVAILABLE: { message } }, verdict: undefined };
}

function shown(
  deps: AnswerDeps,
  payment: PaymentRow,
  row: HttpPaymentRow,
  credential: string,
): Extract<HttpPaymentResult, { readonly allowed: true }> {
  const offer = offerOf(row);
  return compact({
    allowed: true as const,
    protocol: row.protocol,
    mandateId: payment.mandate_id,
    intentId: payment.intent_id,
    transactionId: payment.transaction_id,
    challengeId: offer.challengeId,
    ...protocolOf(deps, row.protocol).answer(offer, credential),
    expiresAt: isoTime(row.expires_at),
  });
}
