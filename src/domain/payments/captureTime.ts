/** Until when a payment may be captured, as its mandate says. */
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';

/**
 * Only the subject of a mandate has the member. The text is the node's own canonical JSON, in which a quote inside of a text has a
 * backslash before it: so it is found without reading the rest, which the answer to a payment reads anyway.
 */
const EXPIRES_AT = /"expiresAt":"([^"\\]*)"/;

/** @returns milliseconds since the epoch; Infinity for a mandate from before mandates said so */
export function captureEndOf({ credential }: Pick<PaymentRow, 'credential'>): number {
  const expiresAt = EXPIRES_AT.exec(credential)?.[1];
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}
