/** Verifies the transfer that a wallet signed for a payment by x402: it was made under the payment's own mandate, for its sum and payee. */
import { keyOfDid } from '../credential/did.ts';
import type { Suite } from '../credential/ed25519.ts';
import { isObject } from '../sdjwt/sdJwt.ts';
import { type TransferFacts, transferMismatch } from '../x402/spendMandate.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { factsOf, wrong } from './bundleFacts.ts';

/** @param issuers DIDs that the issuer has had */
export function transferFault(suite: Suite, bundle: PortableBundle, issuers: readonly string[]): Wrong {
  const facts = factsOf(bundle, 'PAYMENT_AUTHORIZED');
  const transfer = facts?.['transfer'];
  if (facts === undefined || transfer === undefined) return undefined;
  if (!isTransfer(transfer)) return wrong('The transfer of the payment is not as evidence has it.');
  const judged = issuers.map((did) =>
    transferMismatch(suite, facts['mandate'], {
      issuerKey: keyOfDid(did),
      paymentId: String(facts['mandateId']),
      transfer,
    }),
  );
  return judged.includes(undefined) ? undefined : wrong(judged.at(-1) as string);
}

function isTransfer(facts: unknown): facts is TransferFacts {
  if (!isObject(facts)) return false;
  const { network, asset, from, to, value, nonce } = facts;
  return [network, asset, from, to, value, nonce].every((each) => typeof each === 'string');
}
