/** The caller of a request, whichever credential identified it. */
import { Fault } from '../../protocol/wire/fault.ts';
import type { Tier } from './rateLimit.ts';

export const PERMISSIONS = ['read', 'write', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export interface Caller {
  /** Stable name of the credential, for scopes and logs: a key's id, a DID, a user's id. */
  readonly id: string;
  readonly kind: 'apiKey' | 'did' | 'session' | 'node';
  readonly tenantId: string;
  readonly permissions: ReadonlySet<Permission>;
  /** The agent that calls, when it proved its DID. */
  readonly did?: string;
  /** The agents that the caller may act for and see, where it may not for all: itself, or those a key is bound to. */
  readonly agents?: ReadonlySet<string>;
  /** Its rate limit tier; `free` when not given. */
  readonly tier?: Tier;
  /** The person who calls, and their login. */
  readonly userId?: string;
  readonly loginId?: string;
  /** Why the person may do nothing yet, and whom to ask. */
  readonly waiting?: string;
}

/**
 * @param permission `any` for what every known caller may do, `self` for what also a person may who waits to be let in
 * @throws Fault FORBIDDEN when the caller lacks the permission; no permission implies another
 */
export function requirePermission(caller: Caller, permission: Permission | 'any' | 'self'): void {
  if (permission === 'self') return;
  if (caller.waiting !== undefined) throw new Fault('FORBIDDEN', caller.waiting);
  if (permission === 'any' || caller.permissions.has(permission)) return;
  throw new Fault('FORBIDDEN', `This needs the permission "${permission}".`);
}

/** Whether the caller may act for an agent, and see what is the agent's. */
export function actsFor(caller: Caller, agentDid: string): boolean {
  return caller.agents === undefined || caller.agents.has(agentDid);
}

/** @throws Fault FORBIDDEN when an agent, or a key that is bound to agents, calls on behalf of another agent */
export function requireActsFor(caller: Caller, agentDid: string): void {
  if (actsFor(caller, agentDid)) return;
  const who = caller.did === undefined ? 'This key' : `The caller proved ${caller.did} and`;
  throw new Fault('FORBIDDEN', `${who} cannot act for ${agentDid}.`);
}

/**
 * What agents read is their own; what shows more than that is not open to them.
 * @throws Fault FORBIDDEN
 */
export function requireOpen(caller: Caller, useCase: { readonly permission: string; readonly showsOwn?: true }): void {
  if (caller.agents === undefined || useCase.permission !== 'read' || useCase.showsOwn === true) return;
  throw new Fault(
    'FORBIDDEN',
    'This shows more than one agent’s own; it needs a key or login that is not bound to agents.',
  );
}
