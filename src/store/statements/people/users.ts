/** People who have logged in, each identified by the identity provider's issuer and subject. */
import { count, get, run, type Script } from '../../store.ts';
import { allOf, deleteById, equal, findById, listNewest } from '../queries.ts';
import { insertInto, integer, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const users = table('users', ['id'], {
  id: text,
  tenant_id: text,
  issuer: text,
  subject: text,
  did: text,
  email: nullable(text),
  role: text,
  created_at: integer,
  last_login_at: integer,
});
export type UserRow = RowOf<typeof users>;

export const insertUser = insertInto(users);

export const findUser = findById(users);

export function findUserBySubject(tenantId: string, issuer: string, subject: string): Script<UserRow | undefined> {
  return get('SELECT * FROM users WHERE tenant_id = ? AND issuer = ? AND subject = ?', tenantId, issuer, subject);
}

/** The number of people. @param role counts this role only */
export function countUsers(tenantId: string, role?: string): Script<number> {
  const { where, args } = allOf([equal('tenant_id', tenantId), equal('role', role)]);
  return count(`SELECT COUNT(*) AS count FROM users WHERE ${where}`, ...args);
}

export function recordLogin(tenantId: string, id: string, email: string | null, now: number): Script<number> {
  return run('UPDATE users SET email = ?, last_login_at = ? WHERE tenant_id = ? AND id = ?', email, now, tenantId, id);
}

export function setRole(tenantId: string, id: string, role: string): Script<number> {
  return run('UPDATE users SET role = ? WHERE tenant_id = ? AND id = ?', role, tenantId, id);
}

export const deleteUser = deleteById(users);

export const listUsers = listNewest(users);
