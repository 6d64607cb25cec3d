/** What a caller may send as a mandate. */
export const MANDATE_TYPES = ['IntentMandate', 'CartMandate', 'PaymentMandate'] as const;
export type MandateType = (typeof MANDATE_TYPES)[number];
