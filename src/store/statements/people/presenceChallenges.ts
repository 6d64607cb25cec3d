/** Challenges of ceremonies under way. Taking one deletes it, so that none is used twice. */
import { get, run, type Script } from '../../store.ts';

export interface PresenceChallengeRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly purpose: 'register' | 'prove' | 'approve' | 'deny';
  readonly agent_did: string;
  /** base64url, as the browser sends it back */
  readonly challenge: string;
  /** JSON of what the touch is bound to. */
  readonly binding: string;
  readonly subject_id: string | null;
  readonly device_name: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

export function* insertPresenceChallenge(row: PresenceChallengeRow): Script<void> {
  yield* run(
    `INSERT INTO presence_challenges (id, tenant_id, purpose, agent_did, challenge, binding, subject_id, device_name,
       created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.tenant_id,
    row.purpose,
    row.agent_did,
    row.challenge,
    row.binding,
    row.subject_id,
    row.device_name,
    row.created_at,
    row.expires_at,
  );
}

export function* takePresenceChallenge(tenantId: string, id: string): Script<PresenceChallengeRow | undefined> {
  return yield* get<PresenceChallengeRow>(
    'DELETE FROM presence_challenges WHERE tenant_id = ? AND id = ? RETURNING *',
    tenantId,
    id,
  );
}

/** For ceremonies that name their challenge by its value alone. */
export function* takePresenceChallengeByValue(
  tenantId: string,
  challenge: string,
): Script<PresenceChallengeRow | undefined> {
  return yield* get<PresenceChallengeRow>(
    'DELETE FROM presence_challenges WHERE tenant_id = ? AND challenge = ? RETURNING *',
    tenantId,
    challenge,
  );
}

export function* deletePresenceChallengesBefore(time: number): Script<void> {
  yield* run('DELETE FROM presence_challenges WHERE expires_at < ?', time);
}
