/** Agents: their registration and records, and the refusal for one that may not buy. */
import { z } from 'zod';
import { Did, PublicKeyInput } from './credential/did.ts';
import { PublicJwk } from './jwk/jwk.ts';
import { VelocityLimit } from './policy/values/spendingLimit.ts';
import type { ReasonDetails } from './reason.ts';
import { IfMatch } from './wire/ifMatch.ts';
import { visibleName } from './wire/plainText.ts';

export const AgentStatus = z.enum(['ACTIVE', 'REVOKED', 'SUSPENDED']);
export type AgentStatus = z.infer<typeof AgentStatus>;

export const AgentRegistration = z.strictObject({
  name: visibleName(200),
  description: z.string().max(2000).default(''),
  capabilities: z.array(z.string().min(1).max(100)).max(50).default([]),
  /** Base58 of the 32 key bytes, or multibase `z6Mk…`. */
  publicKey: PublicKeyInput,
  ownerUserId: z
    .string()
    .max(100)
    .optional()
    .describe('The user whose passkeys approve what it buys; a person who registers it, where it is not given.'),
});
export type AgentRegistration = z.infer<typeof AgentRegistration>;

/** Most keys of an agent. */
const MOST_MANDATE_KEYS = 20;

const MandateJwk = PublicJwk.refine(
  (jwk) => (jwk.kty === 'EC' && jwk.crv === 'P-256') || jwk.kty === 'OKP',
  'must be a key of P-256 or Ed25519',
);

/** What of an agent can be changed; members that are absent stay as they are. */
export const ChangeAgent = z.strictObject({
  did: Did,
  name: visibleName(200).optional(),
  description: z.string().max(2000).optional(),
  ownerUserId: z
    .string()
    .max(100)
    .nullable()
    .optional()
    .describe('The user whose passkeys approve what it buys, besides its own; null for no user.'),
  mandateKeys: z
    .array(MandateJwk)
    .max(MOST_MANDATE_KEYS)
    .optional()
    .describe(
      'The keys by which it closes mandates, of P-256 or Ed25519; those that are left out are no more its own. A key is one agent’s.',
    ),
  ifMatch: IfMatch,
});
export type ChangeAgent = z.output<typeof ChangeAgent>;

export const AgentSummary = z.object({
  did: z.string(),
  status: AgentStatus,
  displayName: z.string(),
  createdAt: z.string(),
  ownerUserId: z.string().optional().describe('The user whose passkeys approve what it buys, besides its own.'),
});
export type AgentSummary = z.infer<typeof AgentSummary>;

export const AgentRecord = AgentSummary.extend({
  description: z.string(),
  capabilities: z.array(z.string()),
  publicKey: z.string(),
  velocity: VelocityLimit.nullable(),
  mandateKeys: z
    .array(z.looseObject({ kty: z.string() }))
    .optional()
    .describe(
      'The keys by which it closes mandates: those that were set, and those that it presented first; absent without one.',
    ),
  revokedAt: z.string().optional(),
  reason: z.string().optional(),
});
export type AgentRecord = z.infer<typeof AgentRecord>;

/** The reason why an agent's status refuses a purchase; none for an active agent. */
export function refuseAgent(status: AgentStatus): ReasonDetails {
  if (status === 'REVOKED')
    return { AGENT_REVOKED: { message: 'This agent was revoked; it can buy nothing any more.' } };
  if (status === 'SUSPENDED') {
    return { AGENT_SUSPENDED: { message: 'This agent is frozen until its owner reactivates it.' } };
  }
  return {};
}
