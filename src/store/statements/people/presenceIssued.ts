/** Presence proofs that this node issued, by id and hash, until they expire: a signature alone is not believed. */
import { exists, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { insertInto, integer, table, text } from '../tableDefinition.ts';

export const presenceIssued = table(
  'presence_issued',
  ['tenant_id', 'id'],
  {
    tenant_id: text,
    id: text,
    /** Of the proof as it was signed. */
    hash: text,
    expires_at: integer,
  },
  {
    retention: { goes: 'when it expires', purges: [(limit, now) => deleteIssuedPresenceBefore(limit, now)] },
    isTestData: true,
  },
);

export const insertIssuedPresence = insertInto(presenceIssued);

export function wasPresenceIssued(tenantId: string, id: string, hash: string): Script<boolean> {
  return exists('SELECT id FROM presence_issued WHERE tenant_id = ? AND id = ? AND hash = ?', tenantId, id, hash);
}

/** Deletes proofs that have expired before a time. */
const deleteIssuedPresenceBefore: DeleteOldest = deleteOldest(presenceIssued, 'expires_at < ?', 'expires_at');
