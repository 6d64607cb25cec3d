/** Passkeys of the people behind agents. */
import { all, get, run, type Script } from '../../store.ts';

export interface PasskeyRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly agent_did: string;
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  /** Separated by spaces. */
  readonly transports: string;
  readonly device_name: string;
  readonly is_synced: 0 | 1;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

/** False when this passkey is enrolled already. */
export function* insertPasskey(passkey: Omit<PasskeyRow, 'last_used_at'>): Script<boolean> {
  const changes = yield* run(
    `INSERT INTO passkeys (id, tenant_id, agent_did, credential_id, public_key, counter, transports, device_name,
       is_synced, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (credential_id) DO NOTHING`,
    passkey.id,
    passkey.tenant_id,
    passkey.agent_did,
    passkey.credential_id,
    passkey.public_key,
    passkey.counter,
    passkey.transports,
    passkey.device_name,
    passkey.is_synced,
    passkey.created_at,
  );
  return changes === 1;
}

export function* findPasskey(tenantId: string, id: string): Script<PasskeyRow | undefined> {
  return yield* get<PasskeyRow>('SELECT * FROM passkeys WHERE tenant_id = ? AND id = ?', tenantId, id);
}

export function* findPasskeyByCredential(
  tenantId: string,
  agentDid: string,
  credentialId: string,
): Script<PasskeyRow | undefined> {
  return yield* get<PasskeyRow>(
    'SELECT * FROM passkeys WHERE credential_id = ? AND tenant_id = ? AND agent_did = ?',
    credentialId,
    tenantId,
    agentDid,
  );
}

export function* listPasskeysOf(tenantId: string, agentDid: string): Script<PasskeyRow[]> {
  return yield* all<PasskeyRow>(
    'SELECT * FROM passkeys WHERE tenant_id = ? AND agent_did = ? ORDER BY id',
    tenantId,
    agentDid,
  );
}

/** Newest first; `before` is the id of the last one on the page before. */
export function* listPasskeys(
  tenantId: string,
  agentDid: string | undefined,
  before: string | undefined,
  limit: number,
): Script<PasskeyRow[]> {
  return yield* all<PasskeyRow>(
    `SELECT * FROM passkeys WHERE tenant_id = ? AND id < ? ${agentDid === undefined ? '' : 'AND agent_did = ?'}
     ORDER BY id DESC LIMIT ?`,
    tenantId,
    before ?? '~',
    ...(agentDid === undefined ? [] : [agentDid]),
    limit,
  );
}

/** False when the passkey is gone, or was used by another touch since its count was read. */
export function* notePasskeyUse(
  id: string,
  counter: { readonly before: number; readonly after: number },
  now: number,
): Script<boolean> {
  const changes = yield* run(
    'UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ?',
    counter.after,
    now,
    id,
    counter.before,
  );
  return changes === 1;
}

export function* deletePasskey(tenantId: string, id: string): Script<void> {
  yield* run('DELETE FROM passkeys WHERE tenant_id = ? AND id = ?', tenantId, id);
}
