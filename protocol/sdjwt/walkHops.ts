/** Walks a chain from its root: each hop is checked with the key that the hop before names. */
import type { PublicJwk } from '../jwk/jwk.ts';
import type { ChainProfile, Layer } from './chainProfile.ts';
import { disclose } from './disclosures.ts';
import {
  bindingOf,
  claimsOf,
  confirmationKey,
  confirmationName,
  HOP_CHECKS,
  type Hop,
  hopViolations,
  mandatesOf,
  type Presentation,
  type SignatureCheck,
} from './hop.ts';
import { algorithmIn } from './sdHash.ts';
import type { SdJwt } from './sdJwt.ts';
import type { Violation } from './violation.ts';

/** What a verifier brings to a chain. */
export interface ChainVerifier extends Presentation {
  /** The trusted key that signs a root; undefined where none is known. */
  rootKey(root: SdJwt): PublicJwk | undefined;
  readonly isSigned: SignatureCheck;
  /** What is expected of hops by their index, of those before the last one too. */
  readonly hops?: readonly Presentation[] | undefined;
  /** In seconds since the epoch. */
  readonly at: number;
}

/** One hop as a verifier reports it. */
export interface HopReport {
  /** What the standard calls the place of the hop, where it has a name for it. */
  readonly layer: string | undefined;
  readonly typ: string | undefined;
  readonly kid: string | undefined;
  /** The types of its mandates; of a credential, its own type. */
  readonly vct: string | undefined;
  readonly binding: 'sd_hash' | 'issuer_jwt_hash' | undefined;
  readonly aud: string | undefined;
  /** How many disclosures were presented, and how many digests name none of them. */
  readonly disclosed: number;
  readonly hidden: number;
  /** Each check that applies, by name, and whether it holds. */
  readonly checks: readonly { readonly name: string; readonly holds: boolean }[];
}

export interface Walk {
  readonly hops: readonly Hop[];
  readonly reports: readonly HopReport[];
  readonly violations: readonly Violation[];
}

/** @param layers one for each token */
export function walkHops(
  profile: ChainProfile,
  tokens: readonly SdJwt[],
  layers: readonly Layer[],
  verifier: ChainVerifier,
): Walk {
  const hops: Hop[] = [];
  const reports: HopReport[] = [];
  const violations: Violation[] = [];
  tokens.forEach((token, index) => {
    const hop = hopOf(profile, token, layers[index] as Layer, hops, verifier, index === tokens.length - 1);
    const found = hopViolations(hop, verifier.isSigned);
    hops.push(hop);
    reports.push(reportOf(hop, new Set(found.map(({ check }) => check))));
    violations.push(...found.map(({ check: _, ...violation }) => violation));
  });
  return { hops, reports, violations };
}

function hopOf(
  profile: ChainProfile,
  token: SdJwt,
  layer: Layer,
  before: readonly Hop[],
  verifier: ChainVerifier,
  isLast: boolean,
): Hop {
  const previous = before.at(-1);
  const algorithm = algorithmIn(token.payload);
  const named = verifier.hops?.[before.length] ?? {};
  return {
    index: before.length,
    token,
    layer,
    profile,
    previous,
    ...signerOf(profile, token, previous, verifier),
    algorithm,
    disclosed:
      algorithm === undefined
        ? { fault: 'Its digests cannot be computed.' }
        : disclose(token, algorithm, profile.mirroredSd),
    expected: isLast ? [verifier, named] : [named],
    at: verifier.at,
  };
}

/** The key that must have signed a token, by the trust of the verifier or by the hop before. */
function signerOf(
  profile: ChainProfile,
  token: SdJwt,
  previous: Hop | undefined,
  verifier: ChainVerifier,
): Pick<Hop, 'key' | 'keyName'> {
  if (previous === undefined) {
    const key = verifier.rootKey(token);
    return { key, keyName: key?.kid };
  }
  const holder = previous.layer.mandates === 0 ? claimsOf(previous) : mandatesOf(previous)[0];
  return { key: confirmationKey(holder), keyName: profile.namesKeys ? confirmationName(holder) : undefined };
}

function reportOf(hop: Hop, broken: ReadonlySet<string>): HopReport {
  const { token, disclosed } = hop;
  const mandates = mandatesOf(hop);
  const types = (mandates.length === 0 ? [claimsOf(hop)] : mandates).map(({ vct }) => textIn(vct));
  const isRead = !('fault' in disclosed);
  return {
    layer: hop.layer.name,
    typ: textIn(token.header['typ']),
    kid: textIn(token.header['kid']),
    vct: types.filter((type) => type !== undefined).join(', ') || undefined,
    binding: bindingOf(hop)[0],
    aud: textIn(claimsOf(hop)['aud']),
    disclosed: token.disclosures.length,
    hidden: isRead ? disclosed.hidden : 0,
    checks: HOP_CHECKS.filter(({ applies }) => applies?.(hop) !== false).map(({ name }) => ({
      name,
      holds: !broken.has(name),
    })),
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
