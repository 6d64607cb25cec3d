/** People who logged in, each known by what the identity provider calls them. */
import { all, get, run, type Script } from '../../store.ts';

export interface UserRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly did: string;
  readonly email: string | null;
  readonly role: string;
  readonly created_at: number;
  readonly last_login_at: number;
}

export function* insertUser(user: UserRow): Script<void> {
  yield* run(
    `INSERT INTO users (id, tenant_id, issuer, subject, did, email, role, created_at, last_login_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    user.id,
    user.tenant_id,
    user.issuer,
    user.subject,
    user.did,
    user.email,
    user.role,
    user.created_at,
    user.last_login_at,
  );
}

export function* findUser(tenantId: string, id: string): Script<UserRow | undefined> {
  return yield* get<UserRow>('SELECT * FROM users WHERE tenant_id = ? AND id = ?', tenantId, id);
}

export function* findUserBySubject(tenantId: string, issuer: string, subject: string): Script<UserRow | undefined> {
  return yield* get<UserRow>(
    'SELECT * FROM users WHERE tenant_id = ? AND issuer = ? AND subject = ?',
    tenantId,
    issuer,
    subject,
  );
}

/** How many people of this role there are; of every role without one. */
export function* countUsers(tenantId: string, role?: string): Script<number> {
  const row = yield* get<{ count: number }>(
    'SELECT COUNT(*) AS count FROM users WHERE tenant_id = ? AND (role = ? OR ? = 1)',
    tenantId,
    role ?? '',
    role === undefined ? 1 : 0,
  );
  return Number(row?.count ?? 0);
}

export function* noteLogin(tenantId: string, id: string, email: string | null, now: number): Script<void> {
  yield* run('UPDATE users SET email = ?, last_login_at = ? WHERE tenant_id = ? AND id = ?', email, now, tenantId, id);
}

export function* setRole(tenantId: string, id: string, role: string): Script<void> {
  yield* run('UPDATE users SET role = ? WHERE tenant_id = ? AND id = ?', role, tenantId, id);
}

export function* deleteUser(tenantId: string, id: string): Script<void> {
  yield* run('DELETE FROM users WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** Newest first; `before` is the id of the last one on the page before. */
export function* listUsers(tenantId: string, before: string | undefined, limit: number): Script<UserRow[]> {
  return yield* all<UserRow>(
    'SELECT * FROM users WHERE tenant_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
    tenantId,
    before ?? '~',
    limit,
  );
}
