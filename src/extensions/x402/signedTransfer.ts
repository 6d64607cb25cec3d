/** What the rail makes of a purchase: a transfer that a wallet has signed, bound to the mandate of the payment. It is kept sealed. */
import { z } from 'zod';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { bindingNonce, mandateDigest, mandateOf, mandateText } from '../../../protocol/x402/spendMandate.ts';
import { authorizationOf } from '../../../protocol/x402/transferAuthorization.ts';
import type { RailRequest } from '../../rails/rail.ts';
import type { WalletRow } from '../../store/statements/registry/wallets.ts';
import type { Kernel } from '../../usecase/deps.ts';

/** What the rail is asked of an offer. Texts alone, as they are stored before anything is signed. */
export const TransferRequest = z.object({
  /** CAIP-2. */
  network: z.string(),
  /** Of the contract, in lower case. */
  asset: z.string(),
  /** Of the contract’s EIP-712 domain. */
  name: z.string(),
  version: z.string(),
  /** Digits, in the token’s smallest unit. */
  amount: z.string(),
  /** In lower case. */
  payTo: z.string(),
  /** That was asked for. */
  url: z.string(),
});
export type TransferRequest = z.infer<typeof TransferRequest>;

export const SignedTransfer = z.object({
  /** `wal_…` */
  wallet: z.string(),
  /** `pm_…` */
  paymentId: z.string(),
  amountMinor: z.int(),
  network: z.string(),
  asset: z.string(),
  authorization: z.object({
    from: z.string(),
    to: z.string(),
    value: z.string(),
    validAfter: z.string(),
    validBefore: z.string(),
    nonce: z.string(),
  }),
  signature: z.string(),
});
export type SignedTransfer = z.infer<typeof SignedTransfer>;

/** The mandate of the payment, as it is handed on. */
interface SignedMandate {
  readonly mandate: ReturnType<typeof mandateOf>;
  readonly alg: 'Ed25519';
  readonly sig: string;
}

/**
 * Signs what pays an offer. Of the same request it is the same, byte for byte.
 * @param key of the wallet
 */
export async function signTransfer(
  { issuer, suite }: Pick<Kernel, 'issuer' | 'suite'>,
  { mandateId, intentId, amountMinor, expiresAt, offer }: RailRequest,
  wallet: WalletRow,
  key: string,
): Promise<{ readonly transfer: SignedTransfer; readonly mandate: SignedMandate }> {
  if (expiresAt === undefined) throw new Error('a transfer ends');
  const { network, asset: address, name, version, amount, payTo, url } = TransferRequest.parse(offer);
  const validBefore = Math.floor(expiresAt / 1000);
  const requirement = { asset: { network, address, name, version }, payTo, amount };
  const mandate = mandateOf({
    issuerKey: issuer.publicKey,
    wallet: wallet.address,
    requirement,
    url,
    validBefore,
    intentId,
  });
  const nonce = bindingNonce(suite, mandateDigest(suite, mandate), mandateId);
  const { authorization, typedData } = authorizationOf({ requirement, from: wallet.address, nonce, validBefore });
  const { signTypedData } = await import('./walletKey.ts');
  const signature = await signTypedData(key, typedData);
  const sig = toBase64url(issuer.sign(new TextEncoder().encode(mandateText(mandate))));
  return {
    transfer: {
      wallet: wallet.id,
      paymentId: mandateId,
      amountMinor,
      network,
      asset: address,
      authorization,
      signature,
    },
    mandate: { mandate, alg: 'Ed25519', sig },
  };
}
