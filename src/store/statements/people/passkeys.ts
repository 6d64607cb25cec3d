/** Passkeys of the people behind agents. */
import { all, changed, get, type Script } from '../../store.ts';
import { deleteById, earlier, equal, findById, listPage } from '../queries.ts';
import { flag, insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const passkeys = table('passkeys', ['id'], {
  id: text,
  tenant_id: text,
  agent_did: text,
  credential_id: text,
  public_key: text,
  counter: integer,
  /** Separated by spaces. */
  transports: text,
  device_name: text,
  is_synced: flag,
  created_at: integer,
  last_used_at: later(nullable(integer)),
});
export type PasskeyRow = RowOf<typeof passkeys>;

/** False when this passkey is enrolled already. */
export const insertPasskey = insertInto(passkeys, 'ON CONFLICT (credential_id) DO NOTHING');

export const findPasskey = findById(passkeys);

export function findPasskeyByCredential(
  tenantId: string,
  agentDid: string,
  credentialId: string,
): Script<PasskeyRow | undefined> {
  const sql = 'SELECT * FROM passkeys WHERE credential_id = ? AND tenant_id = ? AND agent_did = ?';
  return get(sql, credentialId, tenantId, agentDid);
}

export function listPasskeysOf(tenantId: string, agentDid: string): Script<PasskeyRow[]> {
  return all('SELECT * FROM passkeys WHERE tenant_id = ? AND agent_did = ? ORDER BY id', tenantId, agentDid);
}

/** Newest first; `before` is the id of the last one on the page before. */
export function listPasskeys(
  tenantId: string,
  agentDid: string | undefined,
  before: string | undefined,
  limit: number,
): Script<PasskeyRow[]> {
  const conditions = [equal('tenant_id', tenantId), equal('agent_did', agentDid), earlier('id', before)];
  return listPage(passkeys, conditions, 'id DESC', limit);
}

/** False when the passkey was removed, or used by another assertion since its counter was read. */
export function recordPasskeyUse(
  id: string,
  counter: { readonly before: number; readonly after: number },
  now: number,
): Script<boolean> {
  const sql = 'UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ?';
  return changed(sql, counter.after, now, id, counter.before);
}

export const deletePasskey = deleteById(passkeys);
