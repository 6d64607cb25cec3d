/** A merchant's cart as a credential is checked against the intent and the policy; what is allowed gets an approval token. */

import {
  CartRequest,
  CartResult,
  CartSubject,
  cartEndsAt,
  cartTotalMinor,
  requireReadable,
} from '../../../protocol/cart.ts';
import { hashOf } from '../../../protocol/credential/canonical.ts';
import { checkCart } from '../../../protocol/credential/cartCredential.ts';
import { toHex } from '../../../protocol/credential/encodings.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { detailsOf } from '../../../protocol/wire/issue.ts';
import { findWebKey, type WebKey } from '../../domain/carts/findWebKey.ts';
import { judgeCart, loadCart, type ParsedCart } from '../../domain/carts/judgeCart.ts';
import { readIntent } from '../../domain/intents/issuedIntent.ts';
import { at } from '../../domain/purchases/purchaseFacts.ts';
import type { Deps } from '../../usecase/deps.ts';
import { decision, loadedInOneCommit } from '../../usecase/useCase.ts';

export const validateCart = decision({
  summary: 'Checks a merchant’s signed cart against an intent and the policy, and approves it for payment.',
  input: CartRequest,
  output: CartResult,
  permission: 'write',
  faults: ['NOT_FOUND'],
  secretAnswer: true,
  run: async (deps, call, input) => {
    const intent = readIntent(deps, input.intentVc);
    const offer = readOffer(input);
    // The merchant's key may have to be fetched, which must not happen inside the transaction.
    const key = await findWebKey(deps, call.caller, { ...intent, cartVc: input.cartVc }, offer.merchant);
    const cart = readCart(deps, input, offer, key);
    const commit = loadedInOneCommit(
      (_deps, { tenantId }) => loadCart(tenantId, intent, cart),
      (_deps, caller, { hpProof, instrument, credentialFormats }: CartRequest, moment, loaded) =>
        judgeCart(deps, caller, { ...intent, cart, hpProof, instrument, credentialFormats }, loaded, moment),
    );
    return commit(deps, call, input);
  },
});

/** What a cart says, before it is known who says so. */
type Offer = Pick<ParsedCart, 'items' | 'currency' | 'totalMinor'> & { readonly merchant: string };

/** @throws Fault BAD_REQUEST for a cart that is malformed or does not add up */
function readOffer({ cartVc }: CartRequest): Offer {
  const parsed = CartSubject.safeParse(cartVc.credentialSubject);
  if (!parsed.success) {
    throw new Fault(
      'BAD_REQUEST',
      'The cart credential is malformed.',
      detailsOf(parsed.error, cartVc.credentialSubject).map(({ path, message }) => ({
        path: path === '' ? 'cartVc.credentialSubject' : `cartVc.credentialSubject.${path}`,
        message,
      })),
    );
  }
  const { merchant, items, currency } = parsed.data;
  const { proof: _proof, credentialSubject: subject, ...credential } = cartVc;
  requireReadable({ ...credential, subject: { ...(subject as object), items: [] } }, 'cartVc');
  const totalMinor = at('cartVc.credentialSubject', () => cartTotalMinor(parsed.data));
  return { merchant, items, currency, totalMinor };
}

function readCart(
  deps: Pick<Deps, 'clock' | 'suite'>,
  { cartVc }: CartRequest,
  offer: Offer,
  webKey: WebKey,
): ParsedCart {
  const checked = checkCart(deps.suite, cartVc, {
    now: deps.clock(),
    resolveKey: () => ('key' in webKey ? webKey.key : undefined),
  });
  const reason = checked.ok ? undefined : 'notFetched' in webKey ? webKey.notFetched : checked.reason;
  return {
    ...offer,
    merchantName: undefined,
    confirmed: false,
    hash: checked.ok ? `sha256:${toHex(checked.documentHash)}` : hashUnsigned(deps, cartVc),
    text: JSON.stringify(cartVc),
    expiresAt: cartEndsAt(cartVc),
    issuer: checked.ok ? checked.issuer : '',
    fault: reason === undefined ? undefined : `The merchant's signature cannot be trusted: ${reason}`,
    signature: undefined,
    facts: {},
  };
}

function hashUnsigned(deps: Pick<Deps, 'suite'>, cartVc: CartRequest['cartVc']): string {
  const { proof: _proof, ...unsigned } = cartVc;
  return hashOf(deps.suite, unsigned);
}
