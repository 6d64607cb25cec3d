/** Logins of people: each lasts until it ends or expires, prolonged by refresh tokens, of which only hashes are stored. */
import { all, changed, get, run, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest, earlier, equal, findById, listPage } from '../queries.ts';
import { DAY_MS, insertInto, integer, later, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import type { UserRow } from './users.ts';

export const logins = table(
  'logins',
  ['id'],
  {
    id: text,
    tenant_id: text,
    user_id: text,
    created_at: integer,
    expires_at: integer,
    ended_at: later(nullable(integer)),
    /** How it began; null for logins of former versions, which all came by the identity provider. */
    way: nullable(oneOf<'passkey' | 'provider'>()),
    /** What the browser says that it is. */
    device: nullable(text),
    last_used_at: later(nullable(integer)),
    /** The last touch of a passkey, and which one it was (credential id, base64url). */
    touched_at: later(nullable(integer)),
    touched_with: later(nullable(text)),
  },
  {
    retention: {
      goes: 'when it expires, or a day after it was ended',
      purges: [(limit, now) => deleteLoginsBefore(limit, now), (limit, now) => deleteEndedLogins(limit, now - DAY_MS)],
    },
    isTestData: false,
  },
);
export type LoginRow = RowOf<typeof logins>;

export const refreshTokens = table(
  'refresh_tokens',
  ['hash'],
  {
    hash: text,
    tenant_id: text,
    login_id: text,
    expires_at: integer,
    used_at: later(nullable(integer)),
  },
  {
    // Used ones stay as long: one that comes again was stolen.
    retention: { goes: 'when it expires', purges: [(limit, now) => deleteRefreshTokensBefore(limit, now)] },
    isTestData: false,
  },
);
export type RefreshTokenRow = RowOf<typeof refreshTokens>;

/** Login attempts whose callback from the identity provider was used: each leads to one login. */
export const loginAttemptsUsed = table(
  'login_attempts_used',
  ['state'],
  { state: text, expires_at: integer },
  {
    // A clock that was ahead and is set back would otherwise take a sign-in again, which a passkey that does not count allows.
    retention: {
      goes: 'a day after it expires',
      purges: [(limit, now) => deleteLoginAttemptsBefore(limit, now - DAY_MS)],
    },
    isTestData: false,
  },
);

export const insertLogin = insertInto(logins);

export const findLogin = findById(logins);

type OpenLogin = UserRow & Pick<LoginRow, 'touched_at' | 'touched_with'>;

/** The person behind a login that is still valid, and the last touch that the login had. */
export function findUserOfLogin(tenantId: string, loginId: string, now: number): Script<OpenLogin | undefined> {
  const sql = `SELECT users.*, logins.touched_at, logins.touched_with FROM logins JOIN users ON users.tenant_id = logins.tenant_id AND users.id = logins.user_id
     WHERE logins.tenant_id = ? AND logins.id = ? AND logins.ended_at IS NULL AND logins.expires_at > ?
       AND users.removed_at IS NULL`;
  return get(sql, tenantId, loginId, now);
}

/** Logins of a person that are still valid, newest first. @param before the id of the last one on the page before */
export function listLogins(
  tenantId: string,
  userId: string,
  before: string | undefined,
  limit: number,
  now: number,
): Script<LoginRow[]> {
  const conditions = [
    equal('tenant_id', tenantId),
    equal('user_id', userId),
    ['ended_at IS NULL AND expires_at > ?', now] as const,
    earlier('id', before),
  ];
  return listPage(logins, conditions, 'id DESC', limit);
}

export function noteUse(tenantId: string, id: string, device: string | null, now: number): Script<number> {
  const sql = 'UPDATE logins SET last_used_at = ?, device = ? WHERE tenant_id = ? AND id = ?';
  return run(sql, now, device, tenantId, id);
}

/** @param credentialId of the passkey, base64url */
export function noteTouch(tenantId: string, id: string, credentialId: string, now: number): Script<number> {
  const sql = 'UPDATE logins SET touched_at = ?, touched_with = ? WHERE tenant_id = ? AND id = ? AND ended_at IS NULL';
  return run(sql, now, credentialId, tenantId, id);
}

/** A passkey that is there no more has touched nothing. */
export function forgetTouches(tenantId: string, userId: string, credentialId: string): Script<number> {
  const sql = `UPDATE logins SET touched_at = NULL, touched_with = NULL
     WHERE tenant_id = ? AND user_id = ? AND touched_with = ?`;
  return run(sql, tenantId, userId, credentialId);
}

export function endLogin(tenantId: string, id: string, now: number): Script<number> {
  const sql = 'UPDATE logins SET ended_at = ? WHERE tenant_id = ? AND id = ? AND ended_at IS NULL';
  return run(sql, now, tenantId, id);
}

/** Ends the logins of a person. @param except the one that stays @returns their ids */
export function* endLoginsOf(tenantId: string, userId: string, now: number, except = ''): Script<string[]> {
  const sql = `UPDATE logins SET ended_at = ? WHERE tenant_id = ? AND user_id = ? AND ended_at IS NULL AND id <> ?
     RETURNING id`;
  const ended = yield* all<{ readonly id: string }>(sql, now, tenantId, userId, except);
  return ended.map(({ id }) => id);
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

const deleteRefreshTokensBefore: DeleteOldest = deleteOldest(refreshTokens, 'expires_at < ?', 'expires_at');
const deleteLoginsBefore: DeleteOldest = deleteOldest(logins, 'expires_at < ?', 'expires_at');
/** Deletes logins that were ended before a time. */
const deleteEndedLogins: DeleteOldest = deleteOldest(logins, 'ended_at IS NOT NULL AND ended_at < ?', 'ended_at');
const deleteLoginAttemptsBefore: DeleteOldest = deleteOldest(loginAttemptsUsed, 'expires_at < ?', 'expires_at');
