/** Until when a payment may be captured, as its mandate says. */
import type { Credential } from '../../../protocol/credential/vc.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';

/** @returns milliseconds since the epoch; Infinity for a mandate from before mandates said so */
export function captureEndOf({ credential }: Pick<PaymentRow, 'credential'>): number {
  const { expiresAt } = (JSON.parse(credential) as Credential).credentialSubject;
  return typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY;
}
