/** Verifies the credentials and the approval of a portable bundle: signed, and the ones that the events name. */

import { canonical, hashText } from '../credential/canonical.ts';
import type { Suite } from '../credential/ed25519.ts';
import { checkProof } from '../credential/proof.ts';
import { checkCredential } from '../credential/vc.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { retirementFault } from './rotation.ts';

export function verifyMandates(suite: Suite, bundle: PortableBundle, issuers: readonly string[]): Wrong {
  return (
    issuedFault(suite, bundle, issuers, { name: 'intent', type: 'IntentMandate', event: 'INTENT_ISSUED' }) ??
    cartFault(suite, bundle) ??
    issuedFault(suite, bundle, issuers, { name: 'payment', type: 'PaymentMandate', event: 'PM_ISSUED' }) ??
    presenceFault(suite, bundle)
  );
}

const wrong = (reason: string): Wrong => ({ part: 'credentials', reason });

function factsOf(bundle: PortableBundle, eventType: string): Readonly<Record<string, unknown>> | undefined {
  return bundle.events.findLast((event) => event.eventType === eventType)?.data;
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
  if (credential.credentialSubject.mandateId !== facts.mandateId) {
    return wrong(`The ${expected.name} credential is of another mandate than ${String(facts.mandateId)}.`);
  }
  return undefined;
}

/** The cart is the one whose hash was approved. Its merchant's signature is verified where the DID contains the key. */
function cartFault(suite: Suite, bundle: PortableBundle): Wrong {
  const { cart } = bundle.credentials;
  const facts = factsOf(bundle, 'PM_ISSUED') ?? factsOf(bundle, 'CART_VALIDATED');
  if (cart === undefined || facts === undefined) {
    if (cart === facts) return undefined;
    return wrong(`The cart credential ${cart === undefined ? 'is missing' : 'has no event'}.`);
  }
  const { proof: _proof, ...content } = cart;
  if (hashText(suite, canonical(content)) !== facts.cartHash) {
    return wrong('The cart credential is not the one whose hash the evidence has.');
  }
  if (!cart.issuer.startsWith('did:key:')) return undefined;
  const check = checkCredential(suite, cart, { type: 'CartMandate', now: Number.MAX_SAFE_INTEGER });
  return check.ok ? undefined : wrong(`The cart credential does not hold: ${check.reason}`);
}

/** The approval that the cart was validated with, signed by the issuer or, in a sandbox, by its demo key. */
function presenceFault(suite: Suite, bundle: PortableBundle): Wrong {
  const fault = (reason: string): Wrong => ({ part: 'presence', reason });
  const { presence } = bundle;
  const facts = factsOf(bundle, 'CART_VALIDATED');
  if (presence === undefined) {
    return facts?.presenceId === undefined ? undefined : fault(`The approval ${facts.presenceId} is missing.`);
  }
  if (presence.id !== facts?.presenceId) return fault(`The approval ${presence.id} is not the one in the evidence.`);
  const check = checkProof(suite, presence, { proofPurpose: 'assertionMethod', did: presence.issuer });
  if (!check.ok) return fault(`The approval does not hold: ${check.reason}`);
  const late = retirementFault(bundle.rotations, presence.issuer, [presence.verifiedAt, presence.proof.created]);
  if (late !== undefined) return fault(`The approval does not hold: ${late}.`);
  if (presence.cartHash !== undefined && presence.cartHash !== facts.cartHash) {
    return fault('The approval is for another cart.');
  }
  return undefined;
}
