/** Offers of x402 for tests, as a shop on Base makes them. */
import { type PaymentRequired, readPaymentRequired } from '../../../protocol/x402/paymentRequired.ts';
import {
  chooseRequirement,
  type PaymentMeans,
  type PaymentRequirement,
} from '../../../protocol/x402/paymentRequirement.ts';

export const BASE = 'eip155:8453';
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const SHOP = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const WALLET = '0x857b06519e91e3a54538791bdbb0e22373e36b66';

export function offer(more: object = {}): Readonly<Record<string, unknown>> {
  const extra = { name: 'USD Coin', version: '2' };
  const terms = { scheme: 'exact', network: BASE, amount: '10000', asset: USDC, payTo: SHOP, maxTimeoutSeconds: 60 };
  return { ...terms, extra, ...more };
}

export function required(accepts: readonly object[] = [offer()], more: object = {}): PaymentRequired {
  const resource = { url: 'https://api.example/report?day=1' };
  const read = readPaymentRequired({ x402Version: 2, resource, accepts, ...more });
  if ('refused' in read) throw new Error(read.refused.message);
  return read.required;
}

export function requirement(more: object = {}, means: Partial<PaymentMeans> = {}): PaymentRequirement {
  const found = chooseRequirement(required([offer(more)]), { networks: [BASE], ...means });
  if ('refused' in found) throw new Error(found.refused.message);
  return found.requirement;
}
