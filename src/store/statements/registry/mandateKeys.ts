/** The keys by which agents close mandates, by their thumbprints: a key is one agent's. */
import { all, get, run, type Script } from '../../store.ts';
import { insertInto, integer, type RowOf, table, text } from '../tableDefinition.ts';

export const mandateKeys = table(
  'mandate_keys',
  ['tenant_id', 'thumbprint'],
  {
    tenant_id: text,
    /** Of RFC 7638. */
    thumbprint: text,
    agent_did: text,
    /** JSON: the public key. */
    jwk: text,
    created_at: integer,
  },
  {
    retention: { kept: 'until their owner removes them: another agent could take a key that is free' },
    isTestData: false,
  },
);
export type MandateKeyRow = RowOf<typeof mandateKeys>;

/** False when the key is an agent's already. */
export const insertMandateKey = insertInto(mandateKeys, 'ON CONFLICT (tenant_id, thumbprint) DO NOTHING');

export function findMandateKey(tenantId: string, thumbprint: string): Script<MandateKeyRow | undefined> {
  return get('SELECT * FROM mandate_keys WHERE tenant_id = ? AND thumbprint = ?', tenantId, thumbprint);
}

/** Those of an agent, the oldest first. */
export function listMandateKeysOf(tenantId: string, agentDid: string): Script<MandateKeyRow[]> {
  const sql = 'SELECT * FROM mandate_keys WHERE tenant_id = ? AND agent_did = ? ORDER BY created_at, thumbprint';
  return all(sql, tenantId, agentDid);
}

export function deleteMandateKey(tenantId: string, thumbprint: string): Script<number> {
  return run('DELETE FROM mandate_keys WHERE tenant_id = ? AND thumbprint = ?', tenantId, thumbprint);
}
