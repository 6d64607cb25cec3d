/** An amount with its currency, in figures of one width. */
import { amountText } from './amount.ts';

export function Money({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return <span class="money">{amountText(amount, currency)}</span>;
}
