/** One-time links by which a person enrolls a passkey. The link's token is never stored, only its hash. */
import { get, run, type Script } from '../../store.ts';

export interface EnrollmentRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly token_hash: string;
  readonly agent_did: string;
  readonly device_name: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly used_at: number | null;
}

export function* insertEnrollment(enrollment: Omit<EnrollmentRow, 'used_at'>): Script<void> {
  yield* run(
    `INSERT INTO enrollments (id, tenant_id, token_hash, agent_did, device_name, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    enrollment.id,
    enrollment.tenant_id,
    enrollment.token_hash,
    enrollment.agent_did,
    enrollment.device_name,
    enrollment.created_at,
    enrollment.expires_at,
  );
}

export function* findEnrollmentByHash(tokenHash: string): Script<EnrollmentRow | undefined> {
  return yield* get<EnrollmentRow>('SELECT * FROM enrollments WHERE token_hash = ?', tokenHash);
}

/** False when the link was used before. */
export function* useEnrollment(id: string, now: number): Script<boolean> {
  const changes = yield* run('UPDATE enrollments SET used_at = ? WHERE id = ? AND used_at IS NULL', now, id);
  return changes === 1;
}

export function* deleteEnrollmentsBefore(time: number): Script<void> {
  yield* run('DELETE FROM enrollments WHERE expires_at < ?', time);
}
