/** What a verified chain says: the closed mandate, the open ones behind it, and how often they may be used. */

import { canonical } from '../credential/canonical.ts';
import type { PublicJwk } from '../jwk/jwk.ts';
import { floorToMinor } from '../money.ts';
import type { ChainProfile } from './chainProfile.ts';
import { endOfHops, type Hop, mandatesOf } from './hop.ts';
import { AgentRecurrence, type Frequency, MajorBudget, MinorBudget } from './paymentConstraints.ts';
import { sdHash } from './sdHash.ts';
import { isObject, type JsonObject } from './sdJwt.ts';
import type { Violation } from './violation.ts';
import type { HopReport } from './walkHops.ts';

export type MandateKind = 'payment' | 'checkout';

/** What needs a memory of former uses: a ledger judges it, keyed by `jwtHash`. */
export interface UseLimit {
  /** The hop of the open mandate. */
  readonly hop: number;
  /** SHA-256 of what that hop's JWT signs: an ECDSA signature has two forms, and a JWT hashed with it two hashes. */
  readonly jwtHash: string;
  /** The digest of the checkout mandate that it is paired with, where a token delegates several pairs. */
  readonly pair?: string;
  /** Good for one allowed use: it has no constraint agent_recurrence, and no subscription for a number of payments. */
  readonly isSingleUse: boolean;
  readonly recurrence?: { readonly frequency: Frequency; readonly maxOccurrences?: number };
  /** The most that all uses may come to, in minor units. */
  readonly budget?: { readonly currency: string; readonly maxMinor: number };
  /** What is set up with a merchant who charges by itself: each use is one of the `number`. */
  readonly subscription?: { readonly frequency: string; readonly number?: number };
}

interface OpenMandate {
  readonly hop: number;
  readonly mandate: JsonObject;
  readonly constraints: readonly unknown[];
}

/** A chain that holds by itself. Hashes are base64url; those of JWTs are SHA-256. */
export interface MandateChain {
  readonly kind: MandateKind;
  /** The closed mandate, with every member that was disclosed. */
  readonly content: JsonObject;
  readonly open: readonly OpenMandate[];
  readonly rootJwtHash: string;
  /** Of the closed mandate's JWT alone, and with its disclosures as presented. */
  readonly leafJwtHash: string;
  readonly leafSdHash: string;
  /** The `sd_hash` of the root: of the open mandate as presented. Absent where a person signed the closed mandate directly. */
  readonly openHash?: string;
  /** The hash of the checkout JWT that it is for. */
  readonly transactionId: string;
  readonly limits: readonly UseLimit[];
  /** When what the person signed ends, in seconds since the epoch; absent where its mandates say so themselves. */
  readonly endsAt?: number;
  /** When the first of its hops and mandates is refused as expired, in seconds since the epoch; absent where none ends. */
  readonly refusedFrom?: number;
  /** The key of the agent that closed it; absent where a person did. */
  readonly closingKey?: PublicJwk;
  /** The claims of the credential that names the person's key, where there is one. */
  readonly credential?: JsonObject;
}

/** What a verification finds. */
export interface ChainResult {
  readonly valid: boolean;
  /** The first violation's sentence. */
  readonly reason?: string;
  readonly hops: readonly HopReport[];
  readonly violations: readonly Violation[];
  /** Present where each hop holds, also where a constraint is broken. */
  readonly chain?: MandateChain;
}

export function chainResult(
  reports: readonly HopReport[],
  violations: readonly Violation[],
  chain?: MandateChain,
): ChainResult {
  const [first] = violations;
  return {
    valid: first === undefined,
    ...(first === undefined ? {} : { reason: first.detail }),
    hops: reports,
    violations,
    ...(chain === undefined ? {} : { chain }),
  };
}

/** What of a chain is about its end, and who closed it. @param isDelegated where an open mandate stands before the last hop */
export function closingOf(
  hops: readonly Hop[],
  isDelegated: boolean,
): Pick<MandateChain, 'refusedFrom' | 'closingKey'> {
  const refusedFrom = endOfHops(hops);
  const key = isDelegated ? hops.at(-1)?.key : undefined;
  return {
    ...(refusedFrom === undefined ? {} : { refusedFrom }),
    ...(key === undefined ? {} : { closingKey: key }),
  };
}

/** The open hops of a chain, each with its mandate. */
export function openMandatesOf(hops: readonly Hop[]): readonly { readonly hop: Hop; readonly mandate: JsonObject }[] {
  return hops
    .filter(({ layer }) => layer.isOpen && layer.mandates !== 0)
    .flatMap((hop) => mandatesOf(hop).map((mandate) => ({ hop, mandate })));
}

/** Claims about the mandate itself, which each hop has of its own; `_sd` stays where one was withheld (see judgeConstraints). */
export const OWN_CLAIMS: readonly string[] = [
  'vct',
  'constraints',
  'cnf',
  'iat',
  'exp',
  'nbf',
  'iss',
  'sub',
  'aud',
  'jti',
  'status',
  '_sd',
];

/**
 * What an open mandate says besides its constraints must stand unchanged in the closed one.
 * @param free members for which that does not hold
 */
export function presetViolations(
  { content, open }: Pick<MandateChain, 'content' | 'open'>,
  clause: string,
  free: readonly string[] = [],
): readonly Violation[] {
  return open.flatMap(({ hop, mandate }) =>
    Object.keys(mandate)
      .filter((name) => !OWN_CLAIMS.includes(name) && !free.includes(name))
      .filter((name) => !Object.hasOwn(content, name) || canonical(content[name]) !== canonical(mandate[name]))
      .map((name) => {
        const detail = `The open mandate sets ${name}, and the closed mandate has another one or none.`;
        return { code: 'MANDATE_INVALID', detail, clause, hop };
      }),
  );
}

export function jwtHashOf({ token }: Hop): string {
  return sdHash('sha-256', token.jwt);
}

function signedHashOf({ token }: Hop): string {
  return sdHash('sha-256', token.jwt.slice(0, token.jwt.lastIndexOf('.')));
}

/** @returns the limits of an open payment mandate; its constraints are well-formed */
export function useLimitOf(profile: ChainProfile, hop: Hop, mandate: JsonObject): UseLimit {
  const constraints = (mandate['constraints'] as readonly unknown[]).filter(isObject);
  const named = (name: string) => constraints.find(({ type }) => type === `${profile.prefix}payment.${name}`);
  const recurrence = AgentRecurrence.safeParse(named('agent_recurrence')).data;
  const budget = budgetOf(profile, named('budget'));
  return {
    hop: hop.index,
    jwtHash: signedHashOf(hop),
    isSingleUse: recurrence === undefined,
    ...(recurrence === undefined
      ? {}
      : {
          recurrence: {
            frequency: recurrence.frequency,
            ...(recurrence.max_occurrences === undefined ? {} : { maxOccurrences: recurrence.max_occurrences }),
          },
        }),
    ...(budget === undefined ? {} : { budget }),
  };
}

function budgetOf({ budgetUnit }: ChainProfile, budget: JsonObject | undefined): UseLimit['budget'] {
  const read = (budgetUnit === 'major' ? MajorBudget : MinorBudget).safeParse(budget);
  if (!read.success) return undefined;
  const { currency, max } = read.data;
  return { currency, maxMinor: budgetUnit === 'major' ? floorToMinor(max, currency) : max };
}
