/** Agents: their registration and records, and the refusal for one that may not buy. */
import { z } from 'zod';
import { PublicKeyInput } from './credential/did.ts';
import { VelocityLimit } from './policy/rules.ts';
import type { ReasonDetails } from './reason.ts';
import { visibleName } from './wire/plainText.ts';

export const AgentStatus = z.enum(['ACTIVE', 'REVOKED', 'SUSPENDED']);
export type AgentStatus = z.infer<typeof AgentStatus>;

export const AgentRegistration = z.object({
  name: visibleName(200),
  description: z.string().max(2000).default(''),
  capabilities: z.array(z.string().min(1).max(100)).max(50).default([]),
  /** Base58 of the 32 key bytes, or multibase `z6Mk…`. */
  publicKey: PublicKeyInput,
});
export type AgentRegistration = z.infer<typeof AgentRegistration>;

export const AgentSummary = z.object({
  did: z.string(),
  status: AgentStatus,
  displayName: z.string(),
  createdAt: z.string(),
});
export type AgentSummary = z.infer<typeof AgentSummary>;

export const Agent = AgentSummary.extend({
  description: z.string(),
  capabilities: z.array(z.string()),
  publicKey: z.string(),
  velocity: VelocityLimit.nullable(),
  revokedAt: z.string().optional(),
  reason: z.string().optional(),
});
export type Agent = z.infer<typeof Agent>;

/** The reason why an agent's status refuses a purchase; none for an active agent. */
export function refuseAgent(status: AgentStatus): ReasonDetails {
  if (status === 'REVOKED')
    return { AGENT_REVOKED: { message: 'This agent was revoked; it can buy nothing any more.' } };
  if (status === 'SUSPENDED') {
    return { AGENT_SUSPENDED: { message: 'This agent is suspended until its owner reactivates it.' } };
  }
  return {};
}
