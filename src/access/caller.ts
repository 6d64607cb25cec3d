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
  /** The last touch of a passkey that the login had: when (milliseconds since the epoch), and of which one (base64url). */
  readonly touch?: { readonly at: number; readonly credentialId: string };
  /** Why the person may do nothing yet, and whom to ask. */
  readonly waiting?: string;
}

/** How long a touch of a passkey vouches for the person who is logged in. */
export const TOUCH_SECONDS = 300;

/**
 * What raises a risk takes a person's touch that is fresh: a thief of a login's token, or of a browser that was left open,
 * cannot do it (RFC 9470). Programs are not asked.
 * @param now milliseconds since the epoch
 * @throws Fault STEP_UP_REQUIRED
 */
export function requireTouch(caller: Caller, now: number): void {
  if (caller.kind !== 'session' || touchEnds(caller) > now) return;
  const remedy = 'POST /ap2/auth/step-up/begin begins one; then send this request again';
  throw new Fault(
    'STEP_UP_REQUIRED',
    `This needs a touch of your passkey that is not older than ${TOUCH_SECONDS / 60} minutes: ${remedy}.`,
  );
}

/** Until when a person's last touch vouches for them, in milliseconds since the epoch; 0 where there was none. */
export function touchEnds({ touch }: Caller): number {
  return touch === undefined ? 0 : touch.at + TOUCH_SECONDS * 1000;
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
