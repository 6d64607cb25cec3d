/** The node as a caller, for what it does on its own: at its first start, by its workers, behind a one-time link. */
import type { Caller } from '../access/caller.ts';
import type { Deps } from './deps.ts';

export function nodeCaller(deps: Pick<Deps, 'issuer'>, tenantId: string): Caller {
  return { id: deps.issuer.did, kind: 'node', tenantId, permissions: new Set() };
}
