/** One-time links by which a person enrolls a passkey. The link's token is never stored, only its hash. */
import { changed, get, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { insertInto, integer, later, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import type { Holder } from './passkeys.ts';

export const enrollments = table(
  'enrollments',
  ['id'],
  {
    id: text,
    tenant_id: text,
    token_hash: text,
    holder_did: text,
    device_name: nullable(text),
    created_at: integer,
    expires_at: integer,
    used_at: later(nullable(integer)),
    holder_kind: oneOf<Holder['kind']>(),
    /** Who made it: `user`, `key` or `node`, a space, and the id. */
    made_by: nullable(text),
  },
  {
    retention: { goes: 'when it expires', purges: [(limit, now) => deleteEnrollmentsBefore(limit, now)] },
    isTestData: false,
  },
);
export type EnrollmentRow = RowOf<typeof enrollments>;

export const insertEnrollment = insertInto(enrollments);

export function findEnrollmentByHash(tokenHash: string): Script<EnrollmentRow | undefined> {
  return get('SELECT * FROM enrollments WHERE token_hash = ?', tokenHash);
}

/** False when the link was used before. */
export function markEnrollmentUsed(id: string, now: number): Script<boolean> {
  return changed('UPDATE enrollments SET used_at = ? WHERE id = ? AND used_at IS NULL', now, id);
}

/** False when it was used or withdrawn before. */
export function withdrawEnrollment(tenantId: string, id: string): Script<boolean> {
  return changed('DELETE FROM enrollments WHERE tenant_id = ? AND id = ? AND used_at IS NULL', tenantId, id);
}

/** Deletes links that ended before a time, used or not. */
const deleteEnrollmentsBefore: DeleteOldest = deleteOldest(enrollments, 'expires_at < ?', 'expires_at');
