/** Receipts: what became of a closed mandate, signed once, kept, and in the evidence with the key that verifies it. */
import { type ReceiptClaims, signReceipt } from '../../../../protocol/ap2/paymentReceipt.ts';
import { issuedAtSeconds } from '../../../../protocol/wire/time.ts';
import { recordNodeEvent } from '../../../domain/evidence/recordEvent.ts';
import { partiesOf } from '../../../domain/purchases/purchaseFacts.ts';
import {
  findMandateUseOfIntent,
  type MandateUseRow,
  saveReceipt,
} from '../../../store/statements/purchases/mandateUses.ts';
import type { PaymentRow } from '../../../store/statements/purchases/payments.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';

export type ReceiptDeps = EventDeps & Pick<Deps, 'keys'>;

type Outcome =
  | Omit<Extract<ReceiptClaims, { status: 'Success' }>, 'iss' | 'iat'>
  | Omit<Extract<ReceiptClaims, { status: 'Error' }>, 'iss' | 'iat'>;

/** @param now milliseconds since the epoch */
export function makeReceipt(deps: Pick<Deps, 'keys' | 'settings'>, outcome: Outcome, now: number): string {
  const claims = { iss: deps.settings.baseUrl, iat: issuedAtSeconds(now), ...outcome } as ReceiptClaims;
  return signReceipt(deps.keys.receiptSigner, claims);
}

/** What an event says of a receipt: a reader of the evidence needs no key set, which may have changed. */
export function receiptFacts({ keys: { receiptSigner } }: Pick<Deps, 'keys'>, receipt: string) {
  return { receipt, receiptKey: receiptSigner.jwk };
}

/** Signs the receipt of a payment that the rail has decided, once. */
export function* receiptOfPayment(
  deps: ReceiptDeps,
  payment: PaymentRow,
  use: MandateUseRow,
  now: number,
): Script<void> {
  const { reference, reference_sd_hash } = use;
  const about = { reference, reference_sd_hash, payment_id: payment.mandate_id };
  const confirmation = payment.rail_id ?? payment.mandate_id;
  const outcome: Outcome =
    payment.status === 'FAILED'
      ? {
          status: 'Error',
          ...about,
          error: 'payment_declined',
          error_description: payment.error_message ?? 'The payment was declined.',
        }
      : { status: 'Success', ...about, psp_confirmation_id: confirmation, network_confirmation_id: confirmation };
  const receipt = makeReceipt(deps, outcome, now);
  yield* saveReceipt({ ...use, receipt });
  const data = { ...partiesOf(payment), mandateId: payment.mandate_id, reference, ...receiptFacts(deps, receipt) };
  yield* recordNodeEvent(deps, payment.tenant_id, 'RECEIPT_ISSUED', data, now);
}

/** The receipt of a payment; undefined where no mandate stands behind it, or the rail has not decided. */
export function* findReceipt({ by_mandate, tenant_id, intent_id }: PaymentRow): Script<string | undefined> {
  if (by_mandate === null) return undefined;
  return (yield* findMandateUseOfIntent(tenant_id, intent_id))?.receipt ?? undefined;
}
