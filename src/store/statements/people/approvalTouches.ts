/** Touches of people on requests for approval that take several of them, by the id of their presence. */
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { all, count, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { DAY_MS, insertInto, integer, oneOf, placeholders, type RowOf, table, text } from '../tableDefinition.ts';
import type { Holder } from './passkeys.ts';

export const approvalTouches = table(
  'approval_touches',
  ['tenant_id', 'id'],
  {
    id: text,
    tenant_id: text,
    approval_id: text,
    /** Whose passkey it was. */
    holder_kind: oneOf<Holder['kind']>(),
    holder_did: text,
    passkey_id: text,
    /** DID of the person that it counted as. */
    approved_by: text,
    created_at: integer,
    /** `user` where it was the user's own, else whose passkey holder it was. */
    passkey_of: oneOf<Holder['kind']>(),
  },
  {
    // None lasts longer than a week, and the evidence has every touch.
    retention: {
      goes: '90 days after it was given',
      purges: [(limit, now) => deleteApprovalTouchesBefore(limit, firstIdAt('hp_', now - 90 * DAY_MS))],
    },
    isTestData: true,
  },
);
export type ApprovalTouchRow = RowOf<typeof approvalTouches>;

export const insertApprovalTouch = insertInto(approvalTouches);

/** The first of them first. */
export function listTouches(tenantId: string, approvalId: string): Script<ApprovalTouchRow[]> {
  const sql = 'SELECT * FROM approval_touches WHERE tenant_id = ? AND approval_id = ? ORDER BY created_at, id';
  return all(sql, tenantId, approvalId);
}

/** As listTouches, by their ids. */
export function listTouchesNamed(tenantId: string, ids: readonly string[]): Script<ApprovalTouchRow[]> {
  const sql = `SELECT * FROM approval_touches WHERE tenant_id = ? AND id IN ${placeholders(ids)} ORDER BY created_at, id`;
  return all(sql, tenantId, ...ids);
}

/** How many were given, counting or not: all that a poll looks at. */
export function countTouches(tenantId: string, approvalId: string): Script<number> {
  const sql = 'SELECT COUNT(*) AS count FROM approval_touches WHERE tenant_id = ? AND approval_id = ?';
  return count(sql, tenantId, approvalId);
}

/** Deletes touches. @param args the smallest id that stays */
const deleteApprovalTouchesBefore: DeleteOldest = deleteOldest(approvalTouches, 'id < ?', 'id');
