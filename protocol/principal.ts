/**
 * Principals: whose money is spent. A governed principal decides which agents may spend it; one that is not registered
 * is a mere name.
 */
import { z } from 'zod';
import { Did } from './credential/did.ts';
import { visibleName } from './wire/plainText.ts';

/** A principal delegates to as many agents as a person can oversee. */
const MAX_AGENTS = 1000;
const Agents = z.array(Did).max(MAX_AGENTS);
const PrincipalName = visibleName(200);

export const RegisterPrincipal = z.strictObject({ did: Did, name: PrincipalName, agents: Agents.default([]) });
export type RegisterPrincipal = z.output<typeof RegisterPrincipal>;

export const ChangePrincipal = z
  .strictObject({ did: Did, name: PrincipalName.optional(), agents: Agents.optional() })
  .refine(({ name, agents }) => name !== undefined || agents !== undefined, 'must give name, agents or both');
export type ChangePrincipal = z.output<typeof ChangePrincipal>;

export const Principal = z.object({
  did: z.string(),
  name: z.string().describe('What the approval page calls it.'),
  agents: z.array(z.string()).describe('The only agents that may spend its money.'),
  createdAt: z.string(),
});
export type Principal = z.infer<typeof Principal>;

/** What a decision needs to know of the purchase's principal. */
export interface Governance {
  /** What it is called; undefined for a principal that is not governed. */
  readonly name: string | undefined;
  /** Whether the agent may name it: any agent may name one that is not governed. */
  readonly delegated: boolean;
}
