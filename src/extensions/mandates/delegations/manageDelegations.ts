/** Delegations for those who act for their agents: listed, shown and revoked. */
import { z } from 'zod';
import { Delegation, ListDelegations } from '../../../../protocol/ap2/delegation.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { actsFor, type Caller } from '../../../access/caller.ts';
import { recordAdminEvent } from '../../../domain/evidence/recordEvent.ts';
import { voidApprovalTokensOfDelegation } from '../../../store/statements/purchases/approvalTokens.ts';
import { endStatusOfMandateDelegation } from '../../../store/statements/purchases/credentialStatus.ts';
import {
  findMandateDelegation,
  listDelegationsOfRoot,
  listMandateDelegations,
  type MandateDelegationRow,
  markDelegationRevoked,
} from '../../../store/statements/purchases/mandateDelegations.ts';
import type { Script } from '../../../store/store.ts';
import type { HookDeps } from '../../../usecase/hooks.ts';
import { byAgent, byId, listing } from '../../../usecase/list/listing.ts';
import { inOneCommit, inOneRead, useCase } from '../../../usecase/useCase.ts';
import { keptUntil, revokeMandate } from '../uses/countUses.ts';
import { mandatesOf, showDelegation, type UsedDelegation, withUses } from './delegationUses.ts';
import { endChainsOf, endIntentsOf, MOST_IN_COMMIT } from './endDelegation.ts';

const ById = z.object({ id: z.string() });
type ById = z.output<typeof ById>;

/** @throws Fault NOT_FOUND for one that is not the caller's */
function* load(caller: Caller, id: string): Script<UsedDelegation> {
  const row = yield* findMandateDelegation(caller.tenantId, id);
  const [used] = row !== undefined && actsFor(caller, row.agent_did) ? yield* withUses([row]) : [];
  if (used === undefined) throw new Fault('NOT_FOUND', `There is no delegation ${id}.`);
  return used;
}

export const getDelegation = useCase({
  summary: 'Shows one delegation, with what its mandate was used for.',
  input: ById,
  output: Delegation,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<ById, Delegation>(function* (_deps, caller, { id }, now) {
    return showDelegation(yield* load(caller, id), now);
  }),
});

export const listDelegations = listing({
  summary: 'Lists delegations, newest first.',
  input: ListDelegations,
  item: Delegation,
  permission: 'read',
  own: byAgent,
  order: byId,
  *select({ tenantId }, { agentDid }, before, limit) {
    return yield* withUses(yield* listMandateDelegations(tenantId, agentDid, before, limit));
  },
  show: showDelegation,
});

export const revokeDelegation = useCase({
  summary:
    'Revokes an open mandate for good: its intents and approval tokens end, and no chain with it is taken. What is paid stays paid.',
  input: ById,
  output: Delegation,
  permission: 'write',
  faults: ['NOT_FOUND'],
  run: inOneCommit<ById, Delegation>(function* (deps: HookDeps, caller, { id }, { now }) {
    const { row } = yield* load(caller, id);
    if (row.revoked_at === null) yield* revoke(deps, caller, row, now);
    return showDelegation(yield* load(caller, id), now);
  }),
});

function* revoke(deps: HookDeps, caller: Caller, revoked: MandateDelegationRow, now: number): Script<void> {
  const { mandate } = mandatesOf(revoked).open.at(-1) ?? {};
  yield* revokeMandate(revoked.tenant_id, revoked.jwt_hash, keptUntil([mandate?.['exp']], now), now);
  let room = MOST_IN_COMMIT;
  for (const row of yield* listDelegationsOfRoot(revoked.tenant_id, revoked.root_hash)) {
    // Further mandates may have been delegated from the one that is revoked, and registered by themselves.
    const isBehind = mandatesOf(row).limits.some(({ jwtHash }) => jwtHash === revoked.jwt_hash);
    if (isBehind && row.revoked_at === null) room -= yield* end(deps, caller, row, room, now);
  }
  yield* endChainsOf(deps, revoked, room, now);
}

/** @param room how many of its intents end in this commit @returns how many did */
function* end(deps: HookDeps, caller: Caller, row: MandateDelegationRow, room: number, now: number): Script<number> {
  const { id, tenant_id: tenantId, agent_did: agentDid, principal_did: principalDid, open_hash: openHash } = row;
  yield* markDelegationRevoked(tenantId, id, now);
  yield* voidApprovalTokensOfDelegation(tenantId, id);
  yield* endStatusOfMandateDelegation(tenantId, id, now);
  const data = compact({ delegationId: id, agentDid, principalDid, openHash });
  yield* recordAdminEvent(deps, caller, 'DELEGATION_REVOKED', data, now);
  return yield* endIntentsOf(deps, row, room, now);
}
