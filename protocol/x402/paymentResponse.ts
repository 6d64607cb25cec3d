/** What a server says of a payment that it was sent (PAYMENT-RESPONSE). It is unsigned: it may spend, and never frees. */
import { isObject, type JsonObject } from '../sdjwt/sdJwt.ts';
import { readAddress } from './evmAddress.ts';
import { headerObject } from './paymentRequired.ts';
import type { PaymentRequirement } from './paymentRequirement.ts';

interface PaymentResponse {
  /**
   * `settled`; `pending`: a transfer was sent to the chain and its end is not known; `unproven`: it says that nothing was settled,
   * which proves nothing, since a facilitator’s answer may have been lost.
   */
  readonly outcome: 'settled' | 'pending' | 'unproven';
  /** A hash of the chain, `0x…` in lower case; undefined where it names none. */
  readonly transaction: string | undefined;
  readonly network: string | undefined;
  /** An address in lower case. */
  readonly payer: string | undefined;
  /** Digits, in the token’s smallest unit. */
  readonly amount: string | undefined;
  /** The server’s words, `settlement_pending`. */
  readonly reason: string | undefined;
  readonly extensions: JsonObject;
  /** As received, with every member. */
  readonly document: JsonObject;
}

/**
 * @param received the value of PAYMENT-RESPONSE, or the same as an object (MCP, A2A)
 * @returns the response, or why it is none, as the end of a sentence that begins with the header
 */
export function readPaymentResponse(
  received: string | object,
): { readonly response: PaymentResponse } | { readonly refused: string } {
  const document = typeof received === 'string' ? headerObject(received) : received;
  if (typeof document === 'string') return { refused: document };
  if (!isObject(document)) return { refused: 'is no JSON object.' };
  const { success, extensions } = document;
  if (typeof success !== 'boolean') return { refused: 'does not say whether it succeeded.' };
  const text = (name: string) => (typeof document[name] === 'string' ? document[name].slice(0, 500) : undefined);
  const transaction = hashOfTransaction(document['transaction']);
  const reason = text('errorReason');
  const isPending = reason === 'settlement_pending' && transaction !== undefined;
  return {
    response: {
      outcome: success ? 'settled' : isPending ? 'pending' : 'unproven',
      transaction,
      network: text('network'),
      payer: readAddress(document['payer']),
      amount: text('amount'),
      reason: reason ?? text('errorMessage'),
      extensions: isObject(extensions) ? extensions : {},
      document,
    },
  };
}

function hashOfTransaction(value: unknown): string | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value) ? value.toLowerCase() : undefined;
}

/**
 * @param payer the wallet, in lower case
 * @returns why a response is of another payment, as the end of a sentence that begins with the response; undefined where it may be of
 * this one
 */
export function responseMismatch(
  response: Pick<PaymentResponse, 'network' | 'payer' | 'amount'>,
  { asset, amount }: Pick<PaymentRequirement, 'amount'> & { readonly asset: { readonly network: string } },
  payer: string,
): string | undefined {
  if (response.network !== undefined && response.network !== asset.network) return 'is of another chain';
  if (response.payer !== undefined && response.payer !== payer) return 'is of another wallet';
  if (response.amount !== undefined && response.amount !== amount) return 'is of another amount';
  return undefined;
}
