/** What a shop asks by x402, on Base and in USDC, and the wallet that pays it. */
import { fromBase64 } from '../../protocol/credential/encodings.ts';
import { headerText } from '../../protocol/x402/paymentRequired.ts';

export const BASE = 'eip155:8453';
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const SHOP = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
/** The first account of every chain of developers. */
export const WALLET_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const WALLET_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** @returns an offer of 5.00 USD on Base unless it is told otherwise */
export function x402Offer(more: object = {}): object {
  const extra = { name: 'USD Coin', version: '2' };
  return {
    scheme: 'exact',
    network: BASE,
    amount: '5000000',
    asset: USDC,
    payTo: SHOP,
    maxTimeoutSeconds: 60,
    extra,
    ...more,
  };
}

export function x402Required(accepts: readonly object[], more: object = {}): object {
  return { x402Version: 2, resource: { url: 'https://called.example/report' }, accepts, ...more };
}

/** PAYMENT-RESPONSE of a shop whose facilitator has settled the transfer. */
export function x402Response(more: object = {}): string {
  const told = { success: true, transaction: `0x${'b'.repeat(64)}`, network: BASE, payer: WALLET_ADDRESS };
  return headerText({ ...told, ...more });
}

/** What a header holds. */
// biome-ignore lint/suspicious/noExplicitAny: looked into freely by tests
export function x402Document(value: string): any {
  return JSON.parse(Buffer.from(fromBase64(value) as Uint8Array).toString('utf8'));
}
