/** People: each is identified by the identity provider's issuer and subject, or by passkeys of their own. */
import { all, count, get, run, type Script } from '../../store.ts';
import { findById, listNewest } from '../queries.ts';
import { insertInto, integer, later, nullable, placeholders, type RowOf, table, text } from '../tableDefinition.ts';

export const users = table(
  'users',
  ['id'],
  {
    id: text,
    tenant_id: text,
    issuer: text,
    subject: text,
    did: text,
    email: nullable(text),
    role: text,
    created_at: integer,
    last_login_at: integer,
    /** They stay out until an OWNER gives them a role again. */
    removed_at: later(nullable(integer)),
    /** What they called themselves; null for who only came by the identity provider. */
    name: nullable(text),
  },
  {
    retention: { kept: 'who was removed stays out' },
    isTestData: false,
  },
);
export type UserRow = RowOf<typeof users>;

/** The issuer of people who came by an invitation; their subject is their id. An identity provider's is an address. */
export const BY_PASSKEY = 'passkey';

export const insertUser = insertInto(users);

export const findUser = findById(users);

export function findUserBySubject(tenantId: string, issuer: string, subject: string): Script<UserRow | undefined> {
  return get('SELECT * FROM users WHERE tenant_id = ? AND issuer = ? AND subject = ?', tenantId, issuer, subject);
}

export function findUserByDid(tenantId: string, did: string): Script<UserRow | undefined> {
  return get('SELECT * FROM users WHERE tenant_id = ? AND did = ?', tenantId, did);
}

/** The number of people who were ever let in. */
export function countUsers(tenantId: string): Script<number> {
  return count('SELECT COUNT(*) AS count FROM users WHERE tenant_id = ?', tenantId);
}

export function countOwners(tenantId: string): Script<number> {
  const sql = "SELECT COUNT(*) AS count FROM users WHERE tenant_id = ? AND role = 'OWNER' AND removed_at IS NULL";
  return count(sql, tenantId);
}

/** The people who decide on people. */
export function listOwners(tenantId: string): Script<UserRow[]> {
  const sql = "SELECT * FROM users WHERE tenant_id = ? AND role = 'OWNER' AND removed_at IS NULL ORDER BY id";
  return all(sql, tenantId);
}

/** The users of some roles, those who came last first. */
export function listUsersOfRoles(tenantId: string, roles: readonly string[], limit: number): Script<UserRow[]> {
  const sql = `SELECT * FROM users WHERE tenant_id = ? AND role IN ${placeholders(roles)} AND removed_at IS NULL
    ORDER BY last_login_at DESC, id LIMIT ?`;
  return all(sql, tenantId, ...roles, limit);
}

export function recordLogin(tenantId: string, id: string, email: string | null, now: number): Script<number> {
  return run('UPDATE users SET email = ?, last_login_at = ? WHERE tenant_id = ? AND id = ?', email, now, tenantId, id);
}

export function noteLogin(tenantId: string, id: string, now: number): Script<number> {
  return run('UPDATE users SET last_login_at = ? WHERE tenant_id = ? AND id = ?', now, tenantId, id);
}

export function setRole(tenantId: string, id: string, role: string): Script<number> {
  return run('UPDATE users SET role = ?, removed_at = NULL WHERE tenant_id = ? AND id = ?', role, tenantId, id);
}

export function markUserRemoved(tenantId: string, id: string, now: number): Script<number> {
  return run('UPDATE users SET removed_at = ? WHERE tenant_id = ? AND id = ?', now, tenantId, id);
}

export const listUsers = listNewest(users);
