/** Asks the rail again about a payment whose outcome is open. */
import { node } from './node.ts';

/** States in which the rail has not said how it ended. */
const OPEN: readonly string[] = ['PENDING', 'UNKNOWN'];

export function isOpen({ status, attention }: { readonly status: string; readonly attention?: object }): boolean {
  return OPEN.includes(status) || attention !== undefined;
}

/** @returns how the payment stands then, as a sentence */
export async function askRailAgain(mandateId: string): Promise<string> {
  const payment = await node.reconcilePayment({ mandateId });
  if (payment.attention !== undefined) return `It stays open: ${payment.attention.reason}`;
  return isOpen(payment) ? 'The rail still gives no answer. The node keeps asking.' : 'The rail has answered.';
}
