/** The keys that sign receipts: the current one sealed, so that each node of the deployment has it, and the public part of former ones. */
import { all, type Script } from '../../store.ts';
import { insertInto, integer, nullable, type RowOf, table, text, updateOf } from '../tableDefinition.ts';

export const receiptKeys = table(
  'receipt_keys',
  ['kid'],
  {
    /** Its thumbprint (RFC 7638). */
    kid: text,
    /** The coordinates of the public key, as base64url. */
    x: text,
    y: text,
    /** Sealed: the secret scalar, or what a former key is; who can only write to the database makes no key of it. */
    sealed: text,
    created_at: integer,
    retired_at: nullable(integer),
  },
  {
    retention: { kept: 'what a former key signed still verifies' },
    isTestData: false,
  },
);
export type ReceiptKeyRow = RowOf<typeof receiptKeys>;

export const insertReceiptKey = insertInto(receiptKeys);

/** Every key, the newest first. */
export function listReceiptKeys(): Script<ReceiptKeyRow[]> {
  return all('SELECT * FROM receipt_keys ORDER BY created_at DESC, kid');
}

export const saveReceiptKey = updateOf(receiptKeys, { set: ['sealed', 'retired_at'], where: ['kid'] });
