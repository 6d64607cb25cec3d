/** The delivery log: one record for each attempt. */
import { all, get, run, type Script, type Value } from '../../store.ts';

export interface AttemptRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly url: string;
  /** Which attempt of its delivery this was, from 1 on. */
  readonly attempt: number;
  readonly outcome: 'delivered' | 'retrying' | 'failed';
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly duration_ms: number;
  /** What kind of failure, null when it was none. */
  readonly error: string | null;
  /** The first 1 KiB of the answer. */
  readonly answer: string | null;
  readonly delivered_at: number;
}

/** @param attempts of few different numbers, so that few texts have to be prepared */
export function* insertAttempts(attempts: readonly AttemptRow[]): Script<void> {
  const row = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
  yield* run(
    `INSERT INTO webhook_attempts (id, tenant_id, delivery_id, webhook_id, event_id, event_type, url, attempt, outcome,
       status, duration_ms, error, answer, delivered_at) VALUES ${attempts.map(() => row).join(', ')}`,
    ...attempts.flatMap((attempt): Value[] => [
      attempt.id,
      attempt.tenant_id,
      attempt.delivery_id,
      attempt.webhook_id,
      attempt.event_id,
      attempt.event_type,
      attempt.url,
      attempt.attempt,
      attempt.outcome,
      attempt.status,
      attempt.duration_ms,
      attempt.error,
      attempt.answer,
      attempt.delivered_at,
    ]),
  );
}

export function* findAttempt(tenantId: string, id: string): Script<AttemptRow | undefined> {
  return yield* get<AttemptRow>('SELECT * FROM webhook_attempts WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** The attempt at a delivery, among those since an id's moment. */
export function* findAttemptOf(tenantId: string, deliveryId: string, since: string): Script<AttemptRow | undefined> {
  return yield* get<AttemptRow>(
    'SELECT * FROM webhook_attempts WHERE tenant_id = ? AND id >= ? AND delivery_id = ? ORDER BY id LIMIT 1',
    tenantId,
    since,
    deliveryId,
  );
}

/** Newest first; `before` is the id of the last one on the page before. */
export function* listAttempts(
  tenantId: string,
  filter: { readonly webhookId?: string | undefined; readonly eventId?: string | undefined },
  before: string | undefined,
  limit: number,
): Script<AttemptRow[]> {
  const conditions = ['tenant_id = ?', 'id < ?'];
  const args: Value[] = [tenantId, before ?? '~'];
  if (filter.webhookId !== undefined) {
    conditions.push('webhook_id = ?');
    args.push(filter.webhookId);
  }
  if (filter.eventId !== undefined) {
    conditions.push('event_id = ?');
    args.push(filter.eventId);
  }
  return yield* all<AttemptRow>(
    `SELECT * FROM webhook_attempts WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`,
    ...args,
    limit,
  );
}

/** Forgets a tenant's attempts before an id's moment. */
export function* forgetAttemptsBefore(tenantId: string, id: string): Script<void> {
  yield* run('DELETE FROM webhook_attempts WHERE tenant_id = ? AND id < ?', tenantId, id);
}
