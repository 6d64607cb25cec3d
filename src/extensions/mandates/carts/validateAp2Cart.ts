/** A merchant's cart that is a mandate of AP2 v0.1: checked against its intent and the policy. */

import { Ap2CartRequest } from '../../../../protocol/ap2/ap2Request.ts';
import { type Ap2Offer, hashCartMandate, readCartMandate } from '../../../../protocol/ap2/cartMandate.ts';
import type { CartMandate } from '../../../../protocol/ap2/mandateShapes.ts';
import {
  type Authorization,
  authorizationFault,
  readAuthorization,
} from '../../../../protocol/ap2/merchantAuthorization.ts';
import { CartResult, requireReadable } from '../../../../protocol/cart.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { type Caller, requireActsFor } from '../../../access/caller.ts';
import { isSignedBy } from '../../../access/merchantSignature.ts';
import { findObstacle } from '../../../domain/carts/findObstacle.ts';
import { judgeCart, loadCart, type ParsedCart } from '../../../domain/carts/judgeCart.ts';
import type { ParsedIntent } from '../../../domain/intents/issuedIntent.ts';
import { keysAtHand, keysElsewhere, type NamedKey } from '../../../domain/merchants/merchantKeys.ts';
import { storeCartMandate } from '../../../domain/purchases/storedCart.ts';
import { findIntent, type IntentRow } from '../../../store/statements/purchases/intents.ts';
import { findMerchantsOf, type MerchantRow } from '../../../store/statements/registry/merchants.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { decision, loadedInOneCommit } from '../../../usecase/useCase.ts';

export const validateAp2Cart = decision({
  summary:
    'Checks a merchant’s cart mandate of AP2 v0.1 against an intent and the policy, and approves it for payment.',
  input: Ap2CartRequest,
  output: CartResult,
  permission: 'write',
  faults: ['NOT_FOUND'],
  secretAnswer: true,
  run: async (deps, call, input) => {
    const offer = readCartMandate(input.cartMandate);
    requireReadable(withoutLines(input.cartMandate), 'cartMandate.contents');
    const signed = readAuthorization(input.cartMandate['merchant_authorization'] as string | null | undefined);
    const known = await deps.store.read((now) => lookUp(call.caller, input.intentId, signed, offer.merchantName, now));
    // Keys may have to be fetched, which must not happen inside the transaction.
    const cart = await readCart(deps, input.cartMandate, offer, signed, known);
    const intent = intentOf(known.intent);
    const commit = loadedInOneCommit(
      (_deps, { tenantId }) => loadCart(tenantId, intent, cart),
      (_deps, caller, { hpProof, instrument, credentialFormats }: Ap2CartRequest, moment, loaded) =>
        judgeCart(deps, caller, { ...intent, cart, hpProof, instrument, credentialFormats }, loaded, moment),
    );
    return commit(deps, call, input);
  },
});

/** What the merchant signed besides the items, of a mandate whose form is known. */
function withoutLines(cartMandate: Ap2CartRequest['cartMandate']): object {
  const { contents } = cartMandate as CartMandate;
  const { details, ...request } = contents.payment_request;
  const { display_items: _lines, ...others } = details;
  return { ...contents, payment_request: { ...request, details: others } };
}

type Read = ReturnType<typeof readAuthorization>;

/** What the node knows of a cart before anything is fetched. */
interface CartContext {
  readonly intent: IntentRow;
  /** What is bound to the merchant. */
  readonly bound: readonly MerchantRow[];
  /** Why nothing is fetched. */
  readonly obstacle: string | undefined;
}

/** @throws Fault NOT_FOUND, FORBIDDEN for an intent that is not the caller's */
function* lookUp(caller: Caller, intentId: string, signed: Read, name: string, now: number): Script<CartContext> {
  const intent = yield* findIntent(caller.tenantId, intentId);
  if (intent === undefined) throw new Fault('NOT_FOUND', `There is no intent ${intentId}.`);
  requireActsFor(caller, intent.agent_did);
  if ('fault' in signed) return { intent, bound: [], obstacle: undefined };
  const bound = yield* findMerchantsOf(caller.tenantId, signed.merchant);
  return { intent, bound, obstacle: yield* findObstacle(intent, signed.merchant, name, now) };
}

function intentOf({
  mandate_id: mandateId,
  agent_did: agentDid,
  principal_did: principalDid,
}: IntentRow): ParsedIntent {
  return { mandateId, agentDid, principalDid };
}

async function readCart(
  deps: Pick<Deps, 'clock' | 'hashToken' | 'keys' | 'settings' | 'suite'>,
  cartMandate: Ap2CartRequest['cartMandate'],
  offer: Ap2Offer,
  signed: Read,
  known: CartContext,
): Promise<ParsedCart> {
  const { contents } = cartMandate;
  const { endsAt, cartId, detailsId, ...terms } = offer;
  const merchant = 'fault' in signed ? undefined : signed.merchant;
  const verified = await verify(deps, contents, signed, known);
  const facts = compact({ cartId, detailsId, merchantName: offer.merchantName, merchantKey: factsOf(verified) });
  return {
    ...terms,
    merchant,
    hash: hashCartMandate(deps.suite, merchant, contents),
    text: storeCartMandate(cartMandate),
    expiresAt: endsAt,
    issuer: 'fault' in verified ? '' : verified.issuer,
    fault: 'fault' in verified ? `The merchant's authorization cannot be trusted: ${verified.fault}.` : undefined,
    signature: 'fault' in signed ? undefined : { jtiHash: deps.hashToken(signed.claims.jti), endsAt },
    facts,
  };
}

type KeyCheck = NamedKey | { readonly fault: string };

/** The key that verified the signature, for a later check of the evidence. */
function factsOf(verified: KeyCheck): NamedKey | undefined {
  return 'fault' in verified ? undefined : { issuer: verified.issuer, jwk: verified.jwk };
}

/** What the cart says is checked first, then the keys that are there, and only then is any fetched. */
async function verify(
  deps: Pick<Deps, 'clock' | 'keys' | 'settings' | 'suite'>,
  contents: unknown,
  signed: Read,
  known: CartContext,
): Promise<KeyCheck> {
  if ('fault' in signed) return signed;
  const expected = { contents, baseUrl: deps.settings.baseUrl, now: deps.clock() };
  const fault = authorizationFault(deps.suite, signed, expected);
  if (fault !== undefined) return { fault };
  const atHand = await signerAmong(deps, signed, keysAtHand(deps, known.bound, signed));
  if (atHand !== undefined) return atHand;
  const sources = keysElsewhere(deps, known.bound, signed);
  if (sources.length > 0 && known.obstacle !== undefined) {
    return { fault: `its key was not fetched, since ${known.obstacle}` };
  }
  for (const { issuer, fetch } of sources) {
    const keys = (await fetch()).map((jwk) => ({ issuer, jwk }));
    const signer = await signerAmong(deps, signed, keys);
    if (signer !== undefined) return signer;
  }
  return { fault: `no key of ${signed.merchant} has signed it` };
}

async function signerAmong(
  deps: Pick<Deps, 'suite'>,
  signed: Authorization,
  keys: readonly NamedKey[],
): Promise<NamedKey | undefined> {
  for (const key of keys) if (await isSignedBy(deps.suite, signed, key.jwk)) return key;
  return undefined;
}
