/** Logins of people: each lives until it ends or expires, prolonged by refresh tokens of which only hashes are kept. */
import { get, run, type Script } from '../../store.ts';
import type { UserRow } from './users.ts';

export interface LoginRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly user_id: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
}

export interface RefreshTokenRow {
  readonly hash: string;
  readonly tenant_id: string;
  readonly login_id: string;
  readonly expires_at: number;
  readonly used_at: number | null;
}

export function* insertLogin(login: Omit<LoginRow, 'ended_at'>): Script<void> {
  yield* run(
    'INSERT INTO logins (id, tenant_id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
    login.id,
    login.tenant_id,
    login.user_id,
    login.created_at,
    login.expires_at,
  );
}

export function* findLogin(tenantId: string, id: string): Script<LoginRow | undefined> {
  return yield* get<LoginRow>('SELECT * FROM logins WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** The person behind a login that still stands. */
export function* findUserOfLogin(tenantId: string, loginId: string, now: number): Script<UserRow | undefined> {
  return yield* get<UserRow>(
    `SELECT users.* FROM logins JOIN users ON users.tenant_id = logins.tenant_id AND users.id = logins.user_id
     WHERE logins.tenant_id = ? AND logins.id = ? AND logins.ended_at IS NULL AND logins.expires_at > ?`,
    tenantId,
    loginId,
    now,
  );
}

export function* endLogin(tenantId: string, id: string, now: number): Script<void> {
  yield* run('UPDATE logins SET ended_at = ? WHERE tenant_id = ? AND id = ? AND ended_at IS NULL', now, tenantId, id);
}

export function* endLoginsOf(tenantId: string, userId: string, now: number): Script<void> {
  yield* run(
    'UPDATE logins SET ended_at = ? WHERE tenant_id = ? AND user_id = ? AND ended_at IS NULL',
    now,
    tenantId,
    userId,
  );
}

export function* insertRefreshToken(token: Omit<RefreshTokenRow, 'used_at'>): Script<void> {
  yield* run(
    'INSERT INTO refresh_tokens (hash, tenant_id, login_id, expires_at) VALUES (?, ?, ?, ?)',
    token.hash,
    token.tenant_id,
    token.login_id,
    token.expires_at,
  );
}

export function* findRefreshToken(hash: string): Script<RefreshTokenRow | undefined> {
  return yield* get<RefreshTokenRow>('SELECT * FROM refresh_tokens WHERE hash = ?', hash);
}

/** False when it was used before. */
export function* useRefreshToken(hash: string, now: number): Script<boolean> {
  const changes = yield* run('UPDATE refresh_tokens SET used_at = ? WHERE hash = ? AND used_at IS NULL', now, hash);
  return changes === 1;
}

/** False when this way back from the provider was walked before. */
export function* burnLoginAttempt(state: string, expiresAt: number): Script<boolean> {
  const changes = yield* run(
    'INSERT INTO login_attempts_used (state, expires_at) VALUES (?, ?) ON CONFLICT (state) DO NOTHING',
    state,
    expiresAt,
  );
  return changes === 1;
}

export function* deleteLoginsBefore(time: number): Script<void> {
  yield* run('DELETE FROM refresh_tokens WHERE expires_at < ?', time);
  yield* run('DELETE FROM logins WHERE expires_at < ?', time);
  yield* run('DELETE FROM login_attempts_used WHERE expires_at < ?', time);
}
