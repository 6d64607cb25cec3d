/** The checkout that a mandate must be for, by what the verifier knows of it: no expectation is taken from the mandate itself. */
import type { PublicJwk } from '../jwk/jwk.ts';
import type { ChainResult } from './mandateChain.ts';
import { SD_ALGORITHMS, type SdAlgorithm, sdHash } from './sdHash.ts';
import type { Violation } from './violation.ts';

export interface ExpectedCheckout {
  /** The hash of the checkout JWT, and that JWT itself. */
  readonly checkoutJwtHash?: string | undefined;
  readonly checkoutJwt?: string | undefined;
  /** The chain of checkout mandates that goes with a payment. */
  readonly checkoutMandate?: string | undefined;
  /** The `sd_hash` of the open checkout mandate. */
  readonly openCheckoutHash?: string | undefined;
  /** The key of the merchant, to verify what it signed in a checkout. */
  readonly merchantKey?: PublicJwk | undefined;
}

/** A checkout mandate that was verified beside a payment. */
export interface JudgedCheckout {
  readonly result: ChainResult;
  readonly isCheckout: boolean;
  /** Of its open mandates, as presented. */
  openHashes(algorithm: SdAlgorithm): readonly string[];
}

interface CheckoutJudgement {
  readonly violations: readonly Violation[];
  openCheckoutHashes(algorithm: SdAlgorithm): readonly string[] | undefined;
}

/**
 * Compares the checkout that a mandate names with what the verifier has of it.
 * @param named `transaction_id` of a payment, `checkout_hash` of a checkout
 * @param algorithm of the token that names it
 * @param expected with the checkout JWT that stands in the mandate itself, where it is a checkout mandate
 */
export function expectCheckout(
  named: string,
  algorithm: SdAlgorithm,
  expected: ExpectedCheckout & { readonly ownCheckoutJwt?: string },
  mandate: JudgedCheckout | undefined,
): CheckoutJudgement {
  const { checkoutJwtHash, checkoutJwt, ownCheckoutJwt, openCheckoutHash } = expected;
  const inMandate = mandate?.result.chain?.content['checkout_jwt'];
  const hashOf = (jwt: unknown) => (typeof jwt === 'string' ? sdHash(algorithm, jwt) : undefined);
  const compared: readonly [string | undefined, string][] = [
    [hashOf(ownCheckoutJwt), 'Its checkout_hash is not that of its checkout_jwt.'],
    [checkoutJwtHash, 'It is for another checkout than the one whose hash was given.'],
    [hashOf(checkoutJwt), 'It is for another checkout than the checkout JWT that was given.'],
    [hashOf(inMandate), 'It is for another checkout than the checkout mandate that was given.'],
  ];
  const wrong = compared.filter(([hash]) => hash !== undefined && hash !== named).map(([, detail]) => mismatch(detail));
  // By whichever algorithm it was computed.
  const known = mandate === undefined ? undefined : SD_ALGORITHMS.flatMap((each) => mandate.openHashes(each));
  const isOther = known !== undefined && openCheckoutHash !== undefined && !known.includes(openCheckoutHash);
  return {
    violations: [
      ...wrong,
      ...(isOther
        ? [mismatch('The open checkout hash that was given is that of no open mandate in the checkout mandate.')]
        : []),
      ...foreignViolations(mandate),
    ],
    openCheckoutHashes: (by) => {
      if (openCheckoutHash !== undefined) return [openCheckoutHash];
      return mandate?.openHashes(by);
    },
  };
}

function foreignViolations(mandate: JudgedCheckout | undefined): readonly Violation[] {
  if (mandate === undefined) return [];
  const { result, isCheckout } = mandate;
  if (result.chain !== undefined && !isCheckout) return [mismatch('What was given as the checkout mandate is none.')];
  return result.violations.map(({ hop, detail, ...violation }) => {
    const place = hop === undefined ? 'Of the checkout mandate' : `Of the checkout mandate, hop ${hop + 1}`;
    return { ...violation, detail: `${place}: ${detail}` };
  });
}

function mismatch(detail: string): Violation {
  return { code: 'CHECKOUT_MISMATCH', detail, clause: CLAUSE, ucp: 'mandate_scope_mismatch' };
}

const CLAUSE = 'AP2 v0.2, Payment Mandate: transaction_id; Checkout Mandate: checkout_hash';
