/** Who may sign the first mandate of a chain, each by a key or by the root of its certificates. */
import { all, allCached, get, type Script } from '../../store.ts';
import { deleteById, findById, listNewest } from '../queries.ts';
import { insertInto, integer, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';

export const mandateIssuers = table(
  'mandate_issuers',
  ['id'],
  {
    id: text,
    tenant_id: text,
    name: text,
    kind: oneOf<'agent-provider' | 'user-credential' | 'card-issuer'>(),
    /** What is trusted: the key by its thumbprint, or the certificate by its SHA-256, with its leaf where one is named. */
    trusts: text,
    /** JSON: the key, where it is one. */
    jwk: nullable(text),
    /** Base64 of the DER certificate, where it is one. */
    x5c_root: nullable(text),
    /** Whose credential it is, where a governed principal's: its closed mandates are then that person's touch. */
    principal_did: nullable(text),
    created_at: integer,
    /** JSON: the one certificate below the root that signs; null where any does. */
    leaf: nullable(text),
    /** Who added it: `user`, `key` or `node`, a space, and the id; null where that was not recorded yet. */
    made_by: nullable(text),
  },
  {
    retention: { kept: 'until their owner removes them' },
    isTestData: false,
  },
);
export type MandateIssuerRow = RowOf<typeof mandateIssuers>;

/** False when this key or certificate is trusted already. */
export const insertMandateIssuer = insertInto(mandateIssuers, 'ON CONFLICT (tenant_id, trusts) DO NOTHING');

const CACHED = { tables: [mandateIssuers.name] };

/** All of a tenant, the oldest first. */
export function findMandateIssuers(tenantId: string): Script<readonly MandateIssuerRow[]> {
  return allCached(CACHED, 'SELECT * FROM mandate_issuers WHERE tenant_id = ? ORDER BY id', tenantId);
}

export function* countMandateIssuers(tenantId: string): Script<number> {
  const sql = 'SELECT COUNT(*) AS count FROM mandate_issuers WHERE tenant_id = ?';
  return (yield* get<{ count: number }>(sql, tenantId))?.count ?? 0;
}

export const findMandateIssuer = findById(mandateIssuers);

export const deleteMandateIssuer = deleteById(mandateIssuers);

export const listMandateIssuers = listNewest(mandateIssuers);

/** Those whose own signatures are a person's touch, which a maker added. */
export function listTouchIssuersMadeBy(tenantId: string, maker: string): Script<MandateIssuerRow[]> {
  const sql = `SELECT * FROM mandate_issuers WHERE tenant_id = ? AND made_by = ? AND kind <> 'agent-provider'
    AND (kind = 'user-credential' OR principal_did IS NOT NULL) ORDER BY id`;
  return all(sql, tenantId, maker);
}
