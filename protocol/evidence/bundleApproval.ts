/**
 * How a purchase was approved, as far as its portable bundle shows it: a touch is shown by what the passkey itself signed
 * (W3C Web Authentication section 7.2), and not by what the node says of it.
 */
import { z } from 'zod';
import { authenticatorFault, challengeFault, placeFault, signatureFault } from '../approvals/assertionChecks.ts';
import { personText, type TouchPerson } from '../approvals/personText.ts';
import { type ClientData, readClientData } from '../credential/clientData.ts';
import { readCoseKey } from '../credential/coseKey.ts';
import type { Suite } from '../credential/ed25519.ts';
import { fromBase64url } from '../credential/encodings.ts';
import type { PublicJwk } from '../jwk/jwk.ts';
import { PasskeyOf } from '../presence.ts';
import type { PortableBundle } from './bundle.ts';
import { type BundleFacts, factsOf } from './bundleFacts.ts';
import { namedIn, touchIn } from './bundlePeople.ts';

export type BundleApproval =
  | { readonly by: 'none' | 'sandbox' }
  /** By so many people, each with a passkey of their own; who they are, where the evidence says of each whose passkey it was. */
  | { readonly by: 'passkey'; readonly people: number; readonly persons?: readonly TouchPerson[] }
  /** Only the node says so; the reason completes "not shown, since …". */
  | { readonly by: 'node'; readonly reason: string };

const WORDS = {
  none: 'not needed',
  passkey: 'by a passkey',
  sandbox: 'by the sandbox',
  node: 'stated by the node, not shown',
} as const satisfies Record<BundleApproval['by'], string>;

export function describeApproval(approval: BundleApproval): string {
  if (approval.by !== 'passkey') return WORDS[approval.by];
  const { people, persons = [] } = approval;
  const how = people > 1 ? `by ${people} people, each with a passkey` : WORDS.passkey;
  return persons.length === 0 ? how : `${how}: ${persons.map(textOf).join(', ')}`;
}

function textOf(person: TouchPerson): string {
  return personText(person, `the ${person.passkeyOf} ${person.did}`);
}

/**
 * @param bundle one whose events, credentials and signatures hold
 * @param issuers every DID that the node has had
 * @param origin where the reader knows the node to be, such as https://pay.example; otherwise the node's own word is taken
 */
export function approvalOf(
  suite: Suite,
  bundle: PortableBundle,
  issuers: readonly string[],
  origin: string | undefined,
): BundleApproval {
  const cart = factsOf(bundle, 'CART_VALIDATED');
  if (cart?.presenceId === undefined) return { by: 'none' };
  const { presence } = bundle;
  if (presence !== undefined && !issuers.includes(presence.issuer)) return { by: 'sandbox' };
  const touch = touchIn(bundle, cart.presenceId);
  if (touch === undefined) return { by: 'node', reason: 'the bundle has no HP_VERIFIED event of it' };
  if (presence !== undefined && presence.credentialId !== touch.credentialId) {
    return { by: 'node', reason: 'the presence proof names another passkey than its event' };
  }
  const others = (namedIn(cart) ?? []).filter(({ hpId }) => hpId !== cart.presenceId);
  const touches = [...others.map(({ hpId }) => touchIn(bundle, hpId) ?? {}), touch];
  for (const each of touches) {
    const reason = bindingFault(cart, each) ?? assertionFault(suite, each, origin);
    if (reason !== undefined) return { by: 'node', reason };
  }
  const persons = touches.map(personIn).filter((person) => person !== undefined);
  return { by: 'passkey', people: touches.length, ...(persons.length === touches.length && { persons }) };
}

/** @returns undefined for an event of a former version, which does not say whose passkey it was */
function personIn(touch: NonNullable<BundleFacts>): TouchPerson | undefined {
  const passkeyOf = PasskeyOf.safeParse(touch.passkeyOf).data;
  return passkeyOf === undefined ? undefined : { did: String(touch.approvedBy), passkeyOf };
}

/** What of the purchase the passkey must have signed, besides the decision. */
const BOUND = ['cartHash', 'intentId', 'agentDid', 'principalDid', 'amount', 'currency', 'merchant'] as const;

function bindingFault(cart: NonNullable<BundleFacts>, touch: NonNullable<BundleFacts>): string | undefined {
  const { binding } = (touch.challenge ?? {}) as { readonly binding?: BundleFacts };
  if (binding === undefined) return 'its event does not keep what the passkey signed';
  if (binding.decision !== 'approve') return 'the passkey did not sign the decision to approve';
  const other = BOUND.find((name) => binding[name] !== cart[name]);
  return other === undefined ? undefined : `the passkey signed another ${other} than that of the purchase, or none`;
}

/** The members of HP_VERIFIED that keep an assertion. */
const KeptAssertion = z.object({
  publicKey: z.string(),
  authenticatorData: z.string(),
  clientDataJSON: z.string(),
  signature: z.string(),
  challenge: z.object({ random: z.string(), binding: z.record(z.string(), z.unknown()) }),
  /** The node's origin at that time. */
  origin: z.string().optional(),
});

/**
 * Checks an assertion that evidence keeps: that the passkey itself signed this binding, at the node's origin and for its RP id.
 * @param data of the event, not trusted
 * @returns one part of a sentence that says which check failed
 */
export function assertionFault(suite: Suite, data: unknown, origin: string | undefined): string | undefined {
  const kept = KeptAssertion.safeParse(data).data;
  if (kept === undefined) return 'its event keeps no assertion of a passkey';
  const { challenge, origin: stated } = kept;
  const said = readClientData(kept.clientDataJSON);
  const key = readCoseKey(fromBase64url(kept.publicKey) ?? new Uint8Array());
  const origins = [origin, stated].filter((each) => each !== undefined);
  return (
    placeFault(said, origins) ??
    challengeFault(suite, said, challenge.random, challenge.binding) ??
    unplaced(said, origins) ??
    authenticatorFault(suite, kept.authenticatorData, hostOf(said.origin)) ??
    unreadKey(key) ??
    signatureFault(suite, key?.jwk as PublicJwk, kept)
  );
}

function unplaced({ origin }: ClientData, origins: readonly string[]): string | undefined {
  return origins.length > 0
    ? undefined
    : `its event does not state the node’s origin; the passkey was used at ${origin}`;
}

/** The RP id is the host name of the origin. */
function hostOf(origin: string | undefined): string {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).hostname : '';
}

function unreadKey(key: ReturnType<typeof readCoseKey>): string | undefined {
  if (key === undefined) return 'the passkey’s public key cannot be read';
  if (key.jwk !== undefined) return undefined;
  return `the passkey signs by COSE algorithm ${key.algorithm} with a key that is not checked here; ES256, EdDSA and RS256 are`;
}
