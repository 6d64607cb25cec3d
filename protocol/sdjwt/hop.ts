/** One hop of a chain, and what must hold of it by itself and towards the hop before: a list of named checks. */
import { algorithmOf, PublicJwk } from '../jwk/jwk.ts';
import type { ChainProfile, Layer } from './chainProfile.ts';
import type { Delegate, DisclosureResult } from './disclosures.ts';
import { type SdAlgorithm, sdHash } from './sdHash.ts';
import { isObject, type JsonObject, type SdJwt } from './sdJwt.ts';
import type { UcpError, Violation } from './violation.ts';

/** By how much the clocks of signer and verifier may differ, in seconds. */
const LEEWAY_SECONDS = 300;

/** Whether a signature of JWS form is by the key of a JWK. */
export type SignatureCheck = (jwk: PublicJwk, content: Uint8Array, signature: Uint8Array) => boolean;

/** What the verifier expects of a presentation; what is absent is not compared. */
export interface Presentation {
  readonly aud?: readonly string[] | undefined;
  readonly nonce?: string | undefined;
}

export interface Hop {
  readonly index: number;
  readonly token: SdJwt;
  readonly layer: Layer;
  readonly profile: ChainProfile;
  readonly previous: Hop | undefined;
  /** The key that must have signed it; undefined where it is not known. */
  readonly key: PublicJwk | undefined;
  /** The name that its header must give the key, where one is known. */
  readonly keyName: string | undefined;
  readonly algorithm: SdAlgorithm | undefined;
  readonly disclosed: DisclosureResult | { readonly fault: string };
  readonly expected: readonly Presentation[];
  /** The verifier's time, in seconds since the epoch. */
  readonly at: number;
}

interface HopCheck {
  readonly name: string;
  clause(hop: Hop): string;
  /** @returns a sentence where it does not hold */
  fault(hop: Hop, isSigned: SignatureCheck): string | undefined;
  /** Whether there is something to check; else nothing is told of it. Always where it is absent. */
  applies?(hop: Hop): boolean;
  /** How UCP names a failure. */
  ucp?(hop: Hop): UcpError | undefined;
}

const VCTS: Readonly<Record<'open' | 'closed', readonly string[]>> = {
  open: ['mandate.payment.open.1', 'mandate.checkout.open.1'],
  closed: ['mandate.payment.1', 'mandate.checkout.1'],
};

/** In the order in which they are reported. */
export const HOP_CHECKS: readonly HopCheck[] = [
  { name: 'header', clause: () => 'RFC 7515 sections 4.1.1 and 4.1.11', fault: headerFault },
  {
    name: 'signature',
    clause: () => 'RFC 7515 section 5.2, RFC 7800 section 3.2',
    fault: signatureFault,
    ucp: ({ key }) => (key === undefined ? 'agent_missing_key' : 'mandate_invalid_signature'),
  },
  {
    name: 'disclosures',
    clause: () => 'RFC 9901 section 7.1',
    fault: ({ disclosed }) => ('fault' in disclosed ? disclosed.fault : undefined),
  },
  { name: 'binding', clause: () => 'Delegate SD-JWT section 5.1.4', fault: bindingFault },
  // Before what a presentation lacks: of an open mandate alone, the closed one is missing.
  { name: 'mandate', clause: ({ profile }) => profile.clauses.mandate, fault: mandateFault },
  {
    name: 'audience',
    clause: () => 'RFC 9901 section 4.3, Delegate SD-JWT section 5.1.4',
    fault: audienceFault,
    applies: isPresentation,
  },
  {
    name: 'time',
    clause: () => 'RFC 7519 sections 4.1.4 to 4.1.6',
    fault: timeFault,
    ucp: (hop) => (timedPartsOf(hop).some((part) => isExpired(part, hop.at)) ? 'mandate_expired' : undefined),
  },
];

/** What does not hold of a hop, in the order of the checks. */
export function hopViolations(hop: Hop, isSigned: SignatureCheck): readonly (Violation & { readonly check: string })[] {
  return HOP_CHECKS.flatMap((check) => {
    const detail = check.fault(hop, isSigned);
    if (detail === undefined) return [];
    const ucp = check.ucp?.(hop);
    const found = {
      code: 'MANDATE_INVALID',
      detail,
      clause: check.clause(hop),
      hop: hop.index,
      check: check.name,
    } as const;
    return [ucp === undefined ? found : { ...found, ucp }];
  });
}

/** The readable mandates of a hop. */
export function mandatesOf(hop: Hop): readonly JsonObject[] {
  return delegatesOf(hop)
    .map(({ value }) => value)
    .filter(isObject);
}

/** What a hop delegates, with the digests that name it; without what was chosen beside it, in a profile that has that. */
export function delegatesOf({ disclosed, profile }: Hop): readonly Delegate[] {
  if ('fault' in disclosed) return [];
  const { mandates } = disclosed;
  return profile.hasSelections
    ? mandates.filter(({ value }) => !isObject(value) || Object.hasOwn(value, 'vct'))
    : mandates;
}

/** The claims of a hop beside its mandates; as they were sent where its disclosures do not fit. */
export function claimsOf({ disclosed, token }: Hop): JsonObject {
  return 'fault' in disclosed ? token.payload : disclosed.payload;
}

/** The name that a mandate or credential gives that key. */
export function confirmationName(holder: JsonObject | undefined): string | undefined {
  const confirmation = holder?.['cnf'];
  const jwk = isObject(confirmation) ? confirmation['jwk'] : undefined;
  const name = isObject(confirmation) ? (confirmation['kid'] ?? (isObject(jwk) ? jwk['kid'] : undefined)) : undefined;
  return name === undefined ? undefined : String(name);
}

/** The key that a mandate or credential names for the signer of the next hop. */
export function confirmationKey(holder: JsonObject | undefined): PublicJwk | undefined {
  const confirmation = holder?.['cnf'];
  const read = isObject(confirmation) ? PublicJwk.safeParse(confirmation['jwk']) : undefined;
  return read?.success === true && algorithmOf(read.data) === 'ES256' ? read.data : undefined;
}

function headerFault({ token: { header, payload }, layer, algorithm, profile }: Hop): string | undefined {
  if (header['alg'] !== 'ES256') return 'Its alg must be ES256.';
  if (Object.hasOwn(header, 'crit')) return 'Its header has crit, and no extension is understood here.';
  if (algorithm === undefined || !profile.algorithms.includes(algorithm)) {
    return `Its _sd_alg ${String(payload['_sd_alg'])} is not ${profile.algorithms.join(' or ')}.`;
  }
  if (layer.typ === undefined || layer.typ.includes(String(header['typ']))) return undefined;
  return `Its typ must be ${layer.typ.join(' or ')}.`;
}

function signatureFault({ token, key, keyName, previous, profile }: Hop, isSigned: SignatureCheck): string | undefined {
  const whose = previous === undefined ? 'the trusted key' : 'the key that the hop before names in cnf.jwk';
  if (key === undefined) {
    return previous === undefined
      ? 'No trusted key is known for its signer.'
      : 'The hop before names no P-256 key for its signer in cnf.jwk.';
  }
  const kid = token.header['kid'];
  if (profile.namesKeys && (typeof kid !== 'string' || kid === '')) return 'Its header names no key in kid.';
  if (keyName !== undefined && kid !== undefined && kid !== keyName)
    return `Its kid is not that of ${whose}, ${keyName}.`;
  if (algorithmOf(key) === 'ES256' && isSigned(key, token.content, token.signature)) return undefined;
  return `Its signature is not by ${whose}.`;
}

function bindingFault(hop: Hop): string | undefined {
  const { previous, profile } = hop;
  const found = bindingOf(hop);
  // Torn from its chain, a hop would be without the constraints before it.
  if (previous === undefined)
    return found.length === 0 ? undefined : 'It is bound to a token before it, which is not here.';
  if (found.length !== 1) return `It must have exactly one of ${profile.bindings.join(' and ')}.`;
  const [name] = found as ['sd_hash' | 'issuer_jwt_hash'];
  if (!profile.bindings.includes(name)) return `It must be bound by ${profile.bindings.join(' or ')}.`;
  const bound = name === 'sd_hash' ? previous.token.text : previous.token.jwt;
  const isBound = previous.algorithm !== undefined && claimsOf(hop)[name] === sdHash(previous.algorithm, bound);
  return isBound ? undefined : `Its ${name} is not that of the hop before, as it was presented.`;
}

/** The claims by which a hop is bound to the one before. */
export function bindingOf(hop: Hop): readonly ('sd_hash' | 'issuer_jwt_hash')[] {
  return (['sd_hash', 'issuer_jwt_hash'] as const).filter((name) => Object.hasOwn(claimsOf(hop), name));
}

/** Whether a hop is made for a verifier, says that it is, or is expected to be. */
function isPresentation(hop: Hop): boolean {
  const claims = claimsOf(hop);
  return (
    hop.layer.isPresented ||
    ['aud', 'nonce'].some((name) => Object.hasOwn(claims, name)) ||
    hop.expected.some(({ aud, nonce }) => aud !== undefined || nonce !== undefined)
  );
}

function audienceFault(hop: Hop): string | undefined {
  const { iat, aud, nonce } = claimsOf(hop);
  const { expected, layer } = hop;
  // An open first mandate needs neither; what a verifier expects of it is compared all the same.
  const needs = (name: 'aud' | 'nonce') => layer.isPresented || expected.some((each) => each[name] !== undefined);
  if (needs('aud') && (typeof aud !== 'string' || aud === '')) return 'It names no aud.';
  if (needs('nonce') && (typeof nonce !== 'string' || nonce === '')) return 'It has no nonce.';
  if (layer.isPresented && iat === undefined) return 'It has no iat.';
  if (expected.some((each) => each.aud !== undefined && !each.aud.includes(String(aud))))
    return `It is for ${JSON.stringify(aud)}, not for this verifier.`;
  if (expected.some((each) => each.nonce !== undefined && each.nonce !== nonce))
    return 'Its nonce is not the one that was asked for.';
  return undefined;
}

function timedPartsOf(hop: Hop): readonly JsonObject[] {
  return [claimsOf(hop), ...mandatesOf(hop)];
}

function timeFault(hop: Hop): string | undefined {
  for (const part of timedPartsOf(hop)) {
    const wrong = ['exp', 'iat', 'nbf'].find((name) => part[name] !== undefined && !Number.isFinite(part[name]));
    if (wrong !== undefined) return `Its ${wrong} is no number of seconds.`;
    if (isExpired(part, hop.at)) return `It expired at ${moment(part['exp'])}.`;
    const start = Math.max(Number(part['iat'] ?? 0), Number(part['nbf'] ?? 0));
    if (start > hop.at + LEEWAY_SECONDS) return `It is dated in the future, ${moment(start)}.`;
  }
  const { iat, exp } = claimsOf(hop);
  const { mostSeconds } = hop.layer;
  const isBounded = mostSeconds === undefined || Number(exp) - Number(iat) <= mostSeconds;
  return isBounded ? undefined : `It must expire within ${mostSeconds} seconds of its iat.`;
}

/** When the first of some hops and their mandates ends, with what clocks may differ by, in seconds since the epoch. */
export function endOfHops(hops: readonly Hop[]): number | undefined {
  const ends = hops
    .flatMap(timedPartsOf)
    .map(({ exp }) => exp)
    .filter((exp) => typeof exp === 'number');
  return ends.length === 0 ? undefined : Math.min(...ends) + LEEWAY_SECONDS;
}

function isExpired({ exp }: JsonObject, at: number): boolean {
  return typeof exp === 'number' && at > exp + LEEWAY_SECONDS;
}

function moment(seconds: unknown): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

function mandateFault(hop: Hop): string | undefined {
  const { layer } = hop;
  if ('fault' in hop.disclosed) return 'Its mandate cannot be read.';
  const { cnf } = claimsOf(hop);
  if (layer.mandates === 0)
    return confirmationKey({ cnf }) === undefined ? 'It names no P-256 key in cnf.jwk.' : undefined;
  if (!layer.isOpen && cnf !== undefined) return 'It is the last hop, and yet names a key in cnf.';
  const mandates = mandatesOf(hop);
  const count = delegatesOf(hop).length;
  if (mandates.length !== count) return 'Its delegate_payload holds something else than mandates.';
  if (count === 0 || (layer.mandates === 1 && count !== 1)) {
    return `It has ${count} readable mandates where there must be one${layer.mandates === 1 ? '' : ' at least'}.`;
  }
  return mandates.map((mandate) => mandateShapeFault(mandate, layer)).find((fault) => fault !== undefined);
}

function mandateShapeFault(mandate: JsonObject, { isOpen }: Layer): string | undefined {
  const vcts = isOpen ? VCTS.open : VCTS.closed;
  if (!isOpen && VCTS.open.includes(String(mandate['vct'])))
    return 'Its mandate is open, and the closed one for a checkout is missing.';
  if (!vcts.includes(String(mandate['vct']))) return `The vct of its mandate must be ${vcts.join(' or ')}.`;
  if (!isOpen) return mandate['cnf'] === undefined ? undefined : 'Its mandate is closed, and yet names a key in cnf.';
  if (!Array.isArray(mandate['constraints'])) return 'Its open mandate has no list of constraints.';
  return confirmationKey(mandate) === undefined ? 'Its open mandate names no P-256 key in cnf.jwk.' : undefined;
}
