/** Ids of merchants' signatures (RFC 7519, jti), each with who brought it first: a signature that was overheard buys nothing. */
import { get, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { insertInto, integer, table, text } from '../tableDefinition.ts';

export const cartSignatures = table(
  'cart_signatures',
  ['tenant_id', 'merchant', 'jti_hash'],
  {
    tenant_id: text,
    /** Its domain: ids of different merchants may be alike. */
    merchant: text,
    jti_hash: text,
    brought_by: text,
    /** When the signature ends, in milliseconds since the epoch. */
    ends_at: integer,
  },
  {
    // Its cart is refused by its age from then on.
    retention: { goes: 'when the signature ends', purges: [(limit, now) => deleteCartSignaturesBefore(limit, now)] },
    isTestData: true,
  },
);

export const insertCartSignature = insertInto(cartSignatures);

/** Who brought a signature first. */
export function* findBringer(tenantId: string, merchant: string, jtiHash: string): Script<string | undefined> {
  const sql = 'SELECT brought_by FROM cart_signatures WHERE tenant_id = ? AND merchant = ? AND jti_hash = ?';
  return (yield* get<{ readonly brought_by: string }>(sql, tenantId, merchant, jtiHash))?.brought_by;
}

/** @param args those that ended before this time */
const deleteCartSignaturesBefore: DeleteOldest = deleteOldest(cartSignatures, 'ends_at < ?', 'ends_at');
