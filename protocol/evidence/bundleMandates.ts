/** Verifies the credentials and the approval of a portable bundle: signed, and the ones that the events name. */

import { CartSubject } from '../cart.ts';
import { canonical, hashText } from '../credential/canonical.ts';
import { checkCart } from '../credential/cartCredential.ts';
import type { Suite } from '../credential/ed25519.ts';
import { checkProof } from '../credential/proof.ts';
import { checkCredential } from '../credential/vc.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { cartMandateFault } from './bundleCartMandate.ts';
import { chainFault } from './bundleChain.ts';
import { checkoutFault } from './bundleCheckout.ts';
import { delegationFault } from './bundleDelegation.ts';
import { type BundleFacts, factsOf, factsOfCart, sameMember, wrong } from './bundleFacts.ts';
import { verifyForms } from './bundleForms.ts';
import { transferFault } from './bundleTransfer.ts';
import { retirementFault } from './rotation.ts';

export function verifyMandates(suite: Suite, bundle: PortableBundle, issuers: readonly string[]): Wrong {
  return (
    issuedFault(suite, bundle, issuers, { name: 'intent', type: 'IntentMandate', event: 'INTENT_ISSUED' }) ??
    cartFault(suite, bundle) ??
    cartMandateFault(suite, bundle) ??
    checkoutFault(suite, bundle) ??
    chainFault(suite, bundle) ??
    delegationFault(suite, bundle) ??
    issuedFault(suite, bundle, issuers, { name: 'payment', type: 'PaymentMandate', event: 'PM_ISSUED' }) ??
    purchaseFault(bundle) ??
    verifyForms(suite, bundle, issuers) ??
    transferFault(suite, bundle, issuers) ??
    presenceFault(suite, bundle)
  );
}

/** What a bundle contains that its issuer did not sign, or that its reader cannot check: one sentence each. */
export function unsignedParts(bundle: PortableBundle, issuers: readonly string[]): string[] {
  const { presence, credentials } = bundle;
  const parts: string[] = [];
  if (presence !== undefined && !issuers.includes(presence.issuer)) {
    parts.push(`The approval is signed by ${presence.issuer}, as a sandbox does, and not by the issuer.`);
  }
  if (credentials.cart?.issuer.startsWith('did:key:') === false) {
    parts.push(`The cart’s signature cannot be checked: the key of ${credentials.cart.issuer} is not in the bundle.`);
  }
  return parts;
}

/** The members of each mandate that its event states too. */
const STATED = {
  intent: [
    ...['mandateId', 'agentDid', 'principalDid', 'maxAmount', 'currency', 'merchantDomain'],
    ...['merchants', 'shopping'],
  ],
  payment: ['mandateId', 'intentId', 'amount', 'currency', 'merchant', 'rail', 'cartHash'],
} as const satisfies Record<string, readonly string[]>;

/** Members that payment mandates have not always had. */
const LATER = ['agentDid', 'principalDid', 'expiresAt'];

/** The steps of one purchase: the same parties, intent, merchant and money in each of them. */
function purchaseFault(bundle: PortableBundle): Wrong {
  const intent = factsOf(bundle, 'INTENT_ISSUED');
  const validated = factsOf(bundle, 'CART_VALIDATED');
  const paid = factsOf(bundle, 'PM_ISSUED');
  const differing = (one: BundleFacts, other: BundleFacts, names: readonly string[]) =>
    names.find((name) => one?.[name] !== undefined && other?.[name] !== undefined && one[name] !== other[name]);
  const parties = ['agentDid', 'principalDid', 'currency'];
  const money = [...parties, 'intentId', 'cartHash', 'merchant', 'amount'];
  const name =
    differing(intent, validated, parties) ?? differing(intent, paid, parties) ?? differing(validated, paid, money);
  if (name !== undefined) return wrong(`The steps of the purchase differ in ${name}.`);
  for (const later of [validated, paid]) {
    if (intent !== undefined && later !== undefined && later.intentId !== intent.mandateId) {
      return wrong('The cart or the payment is of another intent.');
    }
  }
  return undefined;
}

/** The bundle has a credential of the issuer exactly when it has its event, and both name the same mandate. */
function issuedFault(
  suite: Suite,
  bundle: PortableBundle,
  issuers: readonly string[],
  expected: { readonly name: 'intent' | 'payment'; readonly type: string; readonly event: string },
): Wrong {
  const credential = bundle.credentials[expected.name];
  const facts = factsOf(bundle, expected.event);
  if (credential === undefined || facts === undefined) {
    if (credential === facts) return undefined;
    return wrong(`The ${expected.name} credential ${credential === undefined ? 'is missing' : 'has no event'}.`);
  }
  const check = checkCredential(suite, credential, { type: expected.type, now: Number.MAX_SAFE_INTEGER });
  if (!check.ok) return wrong(`The ${expected.name} credential does not hold: ${check.reason}`);
  if (!issuers.includes(check.issuer)) return wrong(`The ${expected.name} credential is by ${check.issuer}.`);
  const dates = [credential.issuanceDate, credential.proof.created];
  const late = retirementFault(bundle.rotations, check.issuer, dates);
  if (late !== undefined) return wrong(`The ${expected.name} credential does not hold: ${late}.`);
  const { credentialSubject: subject } = credential;
  const other =
    STATED[expected.name].find((name) => !sameMember(subject[name], facts[name])) ??
    LATER.find((name) => subject[name] !== undefined && subject[name] !== facts[name]);
  return other === undefined
    ? undefined
    : wrong(`The ${expected.name} credential states another ${other} than the evidence.`);
}

/** The cart is the one whose hash was approved. Its merchant's signature is verified where the DID contains the key. */
function cartFault(suite: Suite, bundle: PortableBundle): Wrong {
  const { cart, cartMandate, checkout } = bundle.credentials;
  if ([cart, cartMandate, checkout].filter((each) => each !== undefined).length > 1)
    return wrong('There are two carts.');
  if (cartMandate !== undefined || checkout !== undefined) return undefined;
  const facts = factsOfCart(bundle);
  if (cart === undefined || facts === undefined) {
    // A cart that was never paid is kept for thirty days.
    if (cart === facts || factsOf(bundle, 'PM_ISSUED') === undefined) return undefined;
    return wrong(`The cart credential ${cart === undefined ? 'is missing' : 'has no event'}.`);
  }
  const { proof: _proof, ...content } = cart;
  if (hashText(suite, canonical(content)) !== facts.cartHash) {
    return wrong('The cart credential is not the one whose hash the evidence has.');
  }
  const subject = CartSubject.safeParse(cart.credentialSubject);
  if (!subject.success) return wrong('The cart credential is malformed.');
  const { total, currency, merchant } = subject.data;
  if (total !== facts.amount || currency !== facts.currency || merchant !== facts.merchant) {
    return wrong('The cart credential states another total, currency or merchant than the evidence.');
  }
  if (!cart.issuer.startsWith('did:key:')) return undefined;
  const check = checkCart(suite, cart, { now: Number.MAX_SAFE_INTEGER });
  return check.ok ? undefined : wrong(`The cart credential does not hold: ${check.reason}`);
}

/** The approval that the cart was validated with, signed by the issuer or, in a sandbox, by its demo key. */
function presenceFault(suite: Suite, bundle: PortableBundle): Wrong {
  const fault = (reason: string): Wrong => ({ part: 'presence', reason });
  const { presence } = bundle;
  const facts = factsOf(bundle, 'CART_VALIDATED');
  if (presence === undefined) {
    const { cart, cartMandate, checkout } = bundle.credentials;
    // It is kept with its cart, and one that was never paid for thirty days.
    const hasCart = [cart, cartMandate, checkout].some((each) => each !== undefined);
    const isGone = !hasCart && factsOf(bundle, 'PM_ISSUED') === undefined;
    if (facts?.presenceId === undefined || isGone) return undefined;
    return fault(`The approval ${facts.presenceId} is missing.`);
  }
  if (presence.id !== facts?.presenceId) return fault(`The approval ${presence.id} is not the one in the evidence.`);
  const check = checkProof(suite, presence, { proofPurpose: 'assertionMethod', did: presence.issuer });
  if (!check.ok) return fault(`The approval does not hold: ${check.reason}`);
  const late = retirementFault(bundle.rotations, presence.issuer, [presence.verifiedAt, presence.proof.created]);
  if (late !== undefined) return fault(`The approval does not hold: ${late}.`);
  if (presence.cartHash !== undefined && presence.cartHash !== facts.cartHash) {
    return fault('The approval is for another cart.');
  }
  if (presence.intentId !== undefined && presence.intentId !== facts.intentId) {
    return fault('The approval is for another intent.');
  }
  if (presence.agentDid !== facts.agentDid) return fault('The approval is for another agent.');
  if (presence.principalDid !== undefined && presence.principalDid !== facts.principalDid) {
    return fault('The approval is by another principal.');
  }
  return undefined;
}
