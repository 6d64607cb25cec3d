/** What chains of mandates were used for, and what all uses of an open mandate come to. */
import { all, exists, get, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest, inBatches } from '../queries.ts';
import {
  insertInto,
  integer,
  later,
  nullable,
  oneOf,
  placeholders,
  type RowOf,
  table,
  text,
  updateOf,
  upsertInto,
} from '../tableDefinition.ts';
import type { IntentRow } from './intents.ts';

export const mandateUses = table(
  'mandate_uses',
  ['tenant_id', 'root_hash', 'checkout_hash'],
  {
    tenant_id: text,
    /**
     * Of the first JWT; of a closed mandate that was signed directly, the name of the key that signed it. An intent that names a
     * delegation has the id of that here, and its own in place of a checkout's hash.
     */
    root_hash: text,
    checkout_hash: text,
    /** PENDING while a person is missing, or the policy allows it not yet; RELEASED where nothing was paid. */
    status: oneOf<'PENDING' | 'USED' | 'RELEASED'>(),
    /** Of the last JWT, once it was used; null for an intent that names a delegation: nothing is closed there, and nothing receipted. */
    leaf_hash: nullable(text),
    intent_id: text,
    /** What receipts refer to: the hash of the last JWT, alone and with its disclosures. */
    reference: text,
    reference_sd_hash: text,
    amount_minor: integer,
    currency: text,
    /** JSON: the open mandates in whose limits it counts, each with the time of the use before. */
    counted: text,
    receipt: later(nullable(text)),
    created_at: integer,
    kept_until: integer,
    /** Who signed the first mandate; null where that was not recorded yet. */
    issuer_id: nullable(text),
    /** JSON: what a chain is judged by once more when it is paid (see ChainTerms); null for an intent that names a delegation. */
    terms: nullable(text),
  },
  {
    // What was signed for it could come again until then.
    retention: {
      goes: 'five minutes after its first mandate ends, and after a week at least; that of an intent with a delegation after 90 days',
      purges: [(limit, now) => deleteMandateUsesBefore(limit, now)],
    },
    isTestData: true,
  },
);
export type MandateUseRow = RowOf<typeof mandateUses>;

export const insertMandateUse = insertInto(mandateUses);

export function findMandateUse(
  tenantId: string,
  rootHash: string,
  checkoutHash: string,
): Script<MandateUseRow | undefined> {
  const sql = 'SELECT * FROM mandate_uses WHERE tenant_id = ? AND root_hash = ? AND checkout_hash = ?';
  return get(sql, tenantId, rootHash, checkoutHash);
}

export function wasLeafUsed(tenantId: string, leafHash: string): Script<boolean> {
  return exists('SELECT leaf_hash FROM mandate_uses WHERE tenant_id = ? AND leaf_hash = ?', tenantId, leafHash);
}

export function findMandateUseOfIntent(tenantId: string, intentId: string): Script<MandateUseRow | undefined> {
  return get('SELECT * FROM mandate_uses WHERE tenant_id = ? AND intent_id = ?', tenantId, intentId);
}

/** Intents of chains that begin with a mandate and were not allowed: a person is asked, or the policy may allow them later. */
export function listPendingIntentsOf(tenantId: string, rootHash: string, limit: number): Script<IntentRow[]> {
  const sql = `SELECT intents.* FROM mandate_uses JOIN intents
      ON intents.tenant_id = mandate_uses.tenant_id AND intents.mandate_id = mandate_uses.intent_id
    WHERE mandate_uses.tenant_id = ? AND root_hash = ? AND mandate_uses.status = 'PENDING' AND intents.status = 'ACTIVE'
    ORDER BY checkout_hash LIMIT ?`;
  return all(sql, tenantId, rootHash, limit);
}

export const saveMandateUse = updateOf(mandateUses, {
  set: [
    'status',
    'leaf_hash',
    'intent_id',
    'reference',
    'issuer_id',
    'reference_sd_hash',
    'amount_minor',
    'currency',
    'counted',
    'kept_until',
    'terms',
  ],
  where: ['tenant_id', 'root_hash', 'checkout_hash'],
});

export const saveReceipt = updateOf(mandateUses, {
  set: ['receipt'],
  where: ['tenant_id', 'root_hash', 'checkout_hash'],
});

/** @param args those that are kept until before this time */
const deleteMandateUsesBefore: DeleteOldest = deleteOldest(mandateUses, 'kept_until < ?', 'kept_until');

export const mandateLimits = table(
  'mandate_limits',
  ['tenant_id', 'jwt_hash'],
  {
    tenant_id: text,
    /** Of the open mandate's JWT; where that delegates several pairs, with the digest of the pair behind it. */
    jwt_hash: text,
    uses: integer,
    spent_minor: integer,
    last_use_at: nullable(integer),
    kept_until: integer,
    /** Since when no chain with this mandate is taken. */
    revoked_at: nullable(integer),
  },
  {
    retention: {
      goes: 'five minutes after its mandate ends, and after a week at least',
      purges: [(limit, now) => deleteMandateLimitsBefore(limit, now)],
    },
    isTestData: true,
  },
);
export type MandateLimitRow = RowOf<typeof mandateLimits>;

export function findMandateLimit(tenantId: string, jwtHash: string): Script<MandateLimitRow | undefined> {
  return get('SELECT * FROM mandate_limits WHERE tenant_id = ? AND jwt_hash = ?', tenantId, jwtHash);
}

/** Of some mandates, by their hashes. */
export function* listMandateLimits(tenantId: string, jwtHashes: readonly string[]): Script<MandateLimitRow[]> {
  const rows: MandateLimitRow[] = [];
  for (const batch of inBatches(jwtHashes)) {
    const sql = `SELECT * FROM mandate_limits WHERE tenant_id = ? AND jwt_hash IN ${placeholders(batch)}`;
    rows.push(...(yield* all<MandateLimitRow>(sql, tenantId, ...batch)));
  }
  return rows;
}

export const putMandateLimit = upsertInto(mandateLimits);

/** @param args those that are kept until before this time */
const deleteMandateLimitsBefore: DeleteOldest = deleteOldest(mandateLimits, 'kept_until < ?', 'kept_until');

/** The intents of chains that an issuer began, whose approval tokens are live, the newest first. */
export function listUnpaidIntentsOfIssuer(tenantId: string, issuerId: string, limit: number): Script<IntentRow[]> {
  const sql = `SELECT intents.* FROM approvals
    JOIN mandate_uses ON mandate_uses.tenant_id = approvals.tenant_id AND mandate_uses.intent_id = approvals.intent_id
    JOIN intents ON intents.tenant_id = approvals.tenant_id AND intents.mandate_id = approvals.intent_id
    WHERE approvals.tenant_id = ? AND approvals.status = 'LIVE' AND mandate_uses.issuer_id = ?
    ORDER BY intents.mandate_id DESC LIMIT ?`;
  return all(sql, tenantId, issuerId, limit);
}
