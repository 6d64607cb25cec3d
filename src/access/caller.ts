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
  /** The agent that calls, when it proved its DID. It may act for itself only. */
  readonly did?: string;
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

/** @throws Fault FORBIDDEN when an agent calls on behalf of another agent */
export function requireActsFor(caller: Caller, agentDid: string): void {
  if (caller.did === undefined || caller.did === agentDid) return;
  throw new Fault('FORBIDDEN', `The caller proved ${caller.did} and cannot act for ${agentDid}.`);
}
