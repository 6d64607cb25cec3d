/** Open payment mandates that are registered for agents. */
import { all, get, type Script, send } from '../../store.ts';
import { type DeleteOldest, deleteOldest, earlier, equal, findById, listPage } from '../queries.ts';
import { insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const mandateDelegations = table(
  'mandate_delegations',
  ['id'],
  {
    id: text,
    tenant_id: text,
    agent_did: text,
    principal_did: text,
    /** Who signed the first mandate, and by which key (JSON). */
    mandate_issuer_id: text,
    root_key: text,
    /** As it was registered. */
    token: text,
    /** JSON: its open mandates with their constraints, and what needs a memory of their uses. */
    mandates: text,
    /** By which the uses of the last mandate, and of the first one, are counted. */
    jwt_hash: text,
    root_hash: text,
    /** The `sd_hash` of the last mandate as registered. */
    open_hash: text,
    /** When its signatures were verified, in seconds since the epoch. */
    verified_at: integer,
    created_at: integer,
    /** When the first of its mandates ends; null where none does. */
    expires_at: nullable(integer),
    revoked_at: later(nullable(integer)),
    kept_until: integer,
  },
  {
    // The evidence has it. By then no intent that names it is active.
    retention: {
      goes: 'five minutes after its first mandate ends, and after a week at least',
      purges: [(limit, now) => deleteMandateDelegationsBefore(limit, now)],
    },
    isTestData: true,
  },
);
export type MandateDelegationRow = RowOf<typeof mandateDelegations>;

export const insertMandateDelegation = insertInto(mandateDelegations);

export const findMandateDelegation = findById(mandateDelegations);

export function findDelegationOfMandate(tenantId: string, jwtHash: string): Script<MandateDelegationRow | undefined> {
  return get('SELECT * FROM mandate_delegations WHERE tenant_id = ? AND jwt_hash = ?', tenantId, jwtHash);
}

/** Those whose chains begin with the same mandate, the oldest first. */
export function listDelegationsOfRoot(tenantId: string, rootHash: string): Script<MandateDelegationRow[]> {
  return all('SELECT * FROM mandate_delegations WHERE tenant_id = ? AND root_hash = ? ORDER BY id', tenantId, rootHash);
}

/** Newest first. */
export function listMandateDelegations(
  tenantId: string,
  agentDid: string | undefined,
  before: string | undefined,
  limit: number,
): Script<MandateDelegationRow[]> {
  const conditions = [equal('tenant_id', tenantId), equal('agent_did', agentDid), earlier('id', before)];
  return listPage(mandateDelegations, conditions, 'id DESC', limit);
}

export function markDelegationRevoked(tenantId: string, id: string, now: number): Script<void> {
  return send('UPDATE mandate_delegations SET revoked_at = ? WHERE tenant_id = ? AND id = ?', now, tenantId, id);
}

/** @param args those that are kept until before this time */
const deleteMandateDelegationsBefore: DeleteOldest = deleteOldest(mandateDelegations, 'kept_until < ?', 'kept_until');
