/** Invitations: links by which a person becomes a user, or a user gets back in. Of the token there is a hash only. */
import { changed, get, run, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest, earlier, equal, findById, listPage } from '../queries.ts';
import { insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const invitations = table(
  'invitations',
  ['id'],
  {
    id: text,
    tenant_id: text,
    token_hash: text,
    role: text,
    name: nullable(text),
    /** Who they will be, or are. */
    user_id: text,
    created_at: integer,
    expires_at: integer,
    used_at: later(nullable(integer)),
  },
  {
    retention: { goes: 'when it expires', purges: [(limit, now) => deleteInvitationsBefore(limit, now)] },
    isTestData: false,
  },
);
export type InvitationRow = RowOf<typeof invitations>;

export const insertInvitation = insertInto(invitations);

export const findInvitation = findById(invitations);

export function findInvitationByHash(tokenHash: string): Script<InvitationRow | undefined> {
  return get('SELECT * FROM invitations WHERE token_hash = ?', tokenHash);
}

/** False when it was used before. */
export function markInvitationUsed(id: string, now: number): Script<boolean> {
  return changed('UPDATE invitations SET used_at = ? WHERE id = ? AND used_at IS NULL', now, id);
}

/** Those that can still be used, newest first. @param before the id of the last one on the page before */
export function listInvitations(
  tenantId: string,
  before: string | undefined,
  limit: number,
  now: number,
): Script<InvitationRow[]> {
  const open = ['used_at IS NULL AND expires_at > ?', now] as const;
  return listPage(invitations, [equal('tenant_id', tenantId), open, earlier('id', before)], 'id DESC', limit);
}

/** The user whom the first unused invitation of an OWNER is for, also where its time is over. */
export function* findFirstInvitedOwner(tenantId: string): Script<string | undefined> {
  const sql = `SELECT user_id FROM invitations WHERE tenant_id = ? AND role = 'OWNER' AND used_at IS NULL ORDER BY id LIMIT 1`;
  return (yield* get<{ readonly user_id: string }>(sql, tenantId))?.user_id;
}

/** False when it was used or withdrawn before. */
export function withdrawInvitation(tenantId: string, id: string): Script<boolean> {
  return changed('DELETE FROM invitations WHERE tenant_id = ? AND id = ? AND used_at IS NULL', tenantId, id);
}

/** Withdraws the unused invitations of one person. */
export function withdrawInvitationsOf(tenantId: string, userId: string): Script<number> {
  return run('DELETE FROM invitations WHERE tenant_id = ? AND user_id = ? AND used_at IS NULL', tenantId, userId);
}

const deleteInvitationsBefore: DeleteOldest = deleteOldest(invitations, 'expires_at < ?', 'expires_at');
