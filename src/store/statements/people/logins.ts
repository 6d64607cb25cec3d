/** Logins of people: each lasts until it ends or expires, prolonged by refresh tokens, of which only hashes are stored. */
import { changed, get, run, type Script } from '../../store.ts';
import { deleteOldest, findById } from '../queries.ts';
import { insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';
import type { UserRow } from './users.ts';

export const logins = table('logins', ['id'], {
  id: text,
  tenant_id: text,
  user_id: text,
  created_at: integer,
  expires_at: integer,
  ended_at: later(nullable(integer)),
});
export type LoginRow = RowOf<typeof logins>;

export const refreshTokens = table('refresh_tokens', ['hash'], {
  hash: text,
  tenant_id: text,
  login_id: text,
  expires_at: integer,
  used_at: later(nullable(integer)),
});
export type RefreshTokenRow = RowOf<typeof refreshTokens>;

/** Login attempts whose callback from the identity provider was used: each leads to one login. */
export const loginAttemptsUsed = table('login_attempts_used', ['state'], { state: text, expires_at: integer });

export const insertLogin = insertInto(logins);

export const findLogin = findById(logins);

/** The person behind a login that is still valid. */
export function findUserOfLogin(tenantId: string, loginId: string, now: number): Script<UserRow | undefined> {
  const sql = `SELECT users.* FROM logins JOIN users ON users.tenant_id = logins.tenant_id AND users.id = logins.user_id
     WHERE logins.tenant_id = ? AND logins.id = ? AND logins.ended_at IS NULL AND logins.expires_at > ?
       AND users.removed_at IS NULL`;
  return get(sql, tenantId, loginId, now);
}

export function endLogin(tenantId: string, id: string, now: number): Script<number> {
  const sql = 'UPDATE logins SET ended_at = ? WHERE tenant_id = ? AND id = ? AND ended_at IS NULL';
  return run(sql, now, tenantId, id);
}

export function endLoginsOf(tenantId: string, userId: string, now: number): Script<number> {
  const sql = 'UPDATE logins SET ended_at = ? WHERE tenant_id = ? AND user_id = ? AND ended_at IS NULL';
  return run(sql, now, tenantId, userId);
}

export const insertRefreshToken = insertInto(refreshTokens);

export function findRefreshToken(hash: string): Script<RefreshTokenRow | undefined> {
  return get('SELECT * FROM refresh_tokens WHERE hash = ?', hash);
}

/** False when it was used before. */
export function markRefreshTokenUsed(hash: string, now: number): Script<boolean> {
  return changed('UPDATE refresh_tokens SET used_at = ? WHERE hash = ? AND used_at IS NULL', now, hash);
}

const insertUsedAttempt = insertInto(loginAttemptsUsed, 'ON CONFLICT (state) DO NOTHING');

/** False when the callback of this attempt was used before. */
export function markLoginAttemptUsed(state: string, expiresAt: number): Script<boolean> {
  return insertUsedAttempt({ state, expires_at: expiresAt });
}

export const deleteRefreshTokensBefore = deleteOldest(refreshTokens, 'expires_at < ?', 'expires_at');
export const deleteLoginsBefore = deleteOldest(logins, 'expires_at < ?', 'expires_at');
/** Deletes logins that somebody ended before a time. */
export const deleteEndedLogins = deleteOldest(logins, 'ended_at IS NOT NULL AND ended_at < ?', 'ended_at');
export const deleteLoginAttemptsBefore = deleteOldest(loginAttemptsUsed, 'expires_at < ?', 'expires_at');
