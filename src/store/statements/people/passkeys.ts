/** Passkeys: of users, and of the people behind agents and principals. */
import { all, changed, exists, get, run, type Script } from '../../store.ts';
import { type Condition, deleteById, earlier, equal, findById, listPage } from '../queries.ts';
import { flag, insertInto, integer, later, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';

/** Whose passkeys approve: those of a governed principal, or of an agent; and those of a user, who signs in by them. */
export interface Holder {
  readonly kind: 'agent' | 'principal' | 'user';
  readonly did: string;
}

export const passkeys = table(
  'passkeys',
  ['id'],
  {
    id: text,
    tenant_id: text,
    holder_did: text,
    credential_id: text,
    public_key: text,
    counter: integer,
    /** Separated by spaces. */
    transports: text,
    device_name: text,
    is_synced: flag,
    created_at: integer,
    last_used_at: later(nullable(integer)),
    holder_kind: oneOf<Holder['kind']>(),
    /** Who made the link that it came by, or enrolled it: `user`, `key` or `node`, a space, and the id; null for a user's own. */
    made_by: nullable(text),
    /** The user who enrolled it for an agent or a principal, signed in: its touch is theirs. */
    user_id: nullable(text),
  },
  {
    retention: { kept: 'until their owner removes them' },
    isTestData: false,
  },
);
export type PasskeyRow = RowOf<typeof passkeys>;

/** False when this passkey is enrolled already. */
export const insertPasskey = insertInto(passkeys, 'ON CONFLICT (credential_id) DO NOTHING');

export const findPasskey = findById(passkeys);

export function findPasskeyByCredential(tenantId: string, credentialId: string): Script<PasskeyRow | undefined> {
  return get('SELECT * FROM passkeys WHERE credential_id = ? AND tenant_id = ?', credentialId, tenantId);
}

export function listPasskeysOf(tenantId: string, holder: Holder): Script<PasskeyRow[]> {
  const sql = 'SELECT * FROM passkeys WHERE tenant_id = ? AND holder_did = ? AND holder_kind = ? ORDER BY id';
  return all(sql, tenantId, holder.did, holder.kind);
}

export function renamePasskey(tenantId: string, id: string, name: string): Script<number> {
  return run('UPDATE passkeys SET device_name = ? WHERE tenant_id = ? AND id = ?', name, tenantId, id);
}

/** Those that a maker enrolled, or whose links they came by. */
export function listPasskeysMadeBy(tenantId: string, maker: string): Script<PasskeyRow[]> {
  return all('SELECT * FROM passkeys WHERE tenant_id = ? AND made_by = ? ORDER BY id', tenantId, maker);
}

/** Whether any user has one to sign in with. */
export function hasUserPasskey(tenantId: string): Script<boolean> {
  return exists("SELECT 1 FROM passkeys WHERE tenant_id = ? AND holder_kind = 'user' LIMIT 1", tenantId);
}

const NO_USERS: Condition = ["holder_kind <> 'user'"];

/** Newest first; `before` is the id of the last one on the page before. */
export function listPasskeys(
  tenantId: string,
  holder: Holder | undefined,
  before: string | undefined,
  limit: number,
): Script<PasskeyRow[]> {
  const conditions = [
    equal('tenant_id', tenantId),
    equal('holder_did', holder?.did),
    // A user's own are a list of that user's.
    holder === undefined ? NO_USERS : equal('holder_kind', holder.kind),
    earlier('id', before),
  ];
  return listPage(passkeys, conditions, 'id DESC', limit);
}

/** As listPasskeys: a user's own, and those that approve for the agents that they own and for the principal with their DID. */
export function listPasskeysAbout(
  tenantId: string,
  { id, did }: { readonly id: string; readonly did: string },
  before: string | undefined,
  limit: number,
): Script<PasskeyRow[]> {
  const about: Condition = [
    `(holder_kind <> 'agent' AND holder_did = ? OR
      holder_kind = 'agent' AND holder_did IN (SELECT did FROM agents WHERE tenant_id = ? AND owner_user_id = ?))`,
    did,
    tenantId,
    id,
  ];
  return listPage(passkeys, [equal('tenant_id', tenantId), about, earlier('id', before)], 'id DESC', limit);
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
