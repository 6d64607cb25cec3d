/** Requests that may come twice, with the answer the first one got. */
import { all, get, run, type Script } from '../../store.ts';

export interface RequestRow {
  readonly tenant_id: string;
  /** Whose keys these are: caller and route, or the sender of a message. */
  readonly scope: string;
  readonly request_key: string;
  readonly hash: string;
  readonly state: 'OPEN' | 'DONE';
  readonly gate: 'rest' | 'a2a';
  /** JSON of what the gate needs to finish the answer if this process cannot. */
  readonly envelope: string;
  /** The sealed answer, once there is one. */
  readonly answer: string | null;
  readonly attempt_key: string | null;
  readonly created_at: number;
}

export function* findRequest(tenantId: string, scope: string, key: string): Script<RequestRow | undefined> {
  return yield* get<RequestRow>(
    'SELECT * FROM requests WHERE tenant_id = ? AND scope = ? AND request_key = ?',
    tenantId,
    scope,
    key,
  );
}

/** Writes a request down, in place of one with the same key that has aged out. */
export function* saveRequest(request: RequestRow): Script<void> {
  yield* run(
    `INSERT INTO requests (tenant_id, scope, request_key, hash, state, gate, envelope, answer, attempt_key, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (tenant_id, scope, request_key) DO UPDATE SET
       hash = excluded.hash, state = excluded.state, gate = excluded.gate, envelope = excluded.envelope,
       answer = excluded.answer, attempt_key = excluded.attempt_key, created_at = excluded.created_at`,
    request.tenant_id,
    request.scope,
    request.request_key,
    request.hash,
    request.state,
    request.gate,
    request.envelope,
    request.answer,
    request.attempt_key,
    request.created_at,
  );
}

/** The requests that wait for an attempt at a rail: one, or a message and the idempotency key in it. */
export function* listRequestsOfAttempt(attemptKey: string): Script<RequestRow[]> {
  return yield* all<RequestRow>('SELECT * FROM requests WHERE attempt_key = ?', attemptKey);
}

/** Requests whose attempt was settled by another way while nobody lived to answer them. */
export function* listOrphanedRequests(now: number, deadBefore: number, limit: number): Script<RequestRow[]> {
  return yield* all<RequestRow>(
    `SELECT requests.* FROM requests JOIN rail_attempts ON rail_attempts.attempt_key = requests.attempt_key
     WHERE requests.attempt_key IS NOT NULL AND rail_attempts.state = 'DONE' AND (rail_attempts.next_at <= ?
       OR rail_attempts.node_id NOT IN (SELECT node_id FROM nodes WHERE seen_at >= ?)) LIMIT ?`,
    now,
    deadBefore,
    limit,
  );
}

export function* deleteRequest(tenantId: string, scope: string, key: string): Script<void> {
  yield* run('DELETE FROM requests WHERE tenant_id = ? AND scope = ? AND request_key = ?', tenantId, scope, key);
}

export function* deleteRequestsBefore(time: number): Script<number> {
  return yield* run("DELETE FROM requests WHERE created_at < ? AND state = 'DONE'", time);
}
