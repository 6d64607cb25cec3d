/** Intents. Ids are ordered by time, so an id is also the place in a list and in a sliding window. */
import type { IntentStatus } from '../../../../protocol/intent.ts';
import { all, get, run, type Script } from '../../store.ts';

export interface IntentRow {
  readonly tenant_id: string;
  readonly mandate_id: string;
  readonly transaction_id: string;
  readonly context_id: string | null;
  readonly agent_did: string;
  readonly principal_did: string;
  readonly status: IntentStatus;
  readonly max_minor: number;
  readonly reserved_minor: number;
  readonly currency: string;
  readonly merchant_domain: string | null;
  readonly mcc: string | null;
  readonly country: string | null;
  readonly policy_id: string;
  readonly policy_version: number;
  readonly policy_hash: string;
  readonly credential: string;
  readonly created_at: number;
  readonly expires_at: number;
}

export function* insertIntent(intent: IntentRow): Script<void> {
  yield* run(
    `INSERT INTO intents (tenant_id, mandate_id, transaction_id, context_id, agent_did, principal_did, status,
       max_minor, reserved_minor, currency, merchant_domain, mcc, country, policy_id, policy_version, policy_hash,
       credential, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    intent.tenant_id,
    intent.mandate_id,
    intent.transaction_id,
    intent.context_id,
    intent.agent_did,
    intent.principal_did,
    intent.status,
    intent.max_minor,
    intent.reserved_minor,
    intent.currency,
    intent.merchant_domain,
    intent.mcc,
    intent.country,
    intent.policy_id,
    intent.policy_version,
    intent.policy_hash,
    intent.credential,
    intent.created_at,
    intent.expires_at,
  );
}

export function* findIntent(tenantId: string, mandateId: string): Script<IntentRow | undefined> {
  return yield* get<IntentRow>('SELECT * FROM intents WHERE tenant_id = ? AND mandate_id = ?', tenantId, mandateId);
}

/** Sets status and reservation together: the two always change with one another. */
export function* settleIntent(
  tenantId: string,
  mandateId: string,
  status: IntentStatus,
  reservedMinor: number,
): Script<void> {
  yield* run(
    'UPDATE intents SET status = ?, reserved_minor = ? WHERE tenant_id = ? AND mandate_id = ?',
    status,
    reservedMinor,
    tenantId,
    mandateId,
  );
}

/** Active intents whose time has passed, of all tenants. */
export function* listOverdueIntents(now: number, limit: number): Script<IntentRow[]> {
  return yield* all<IntentRow>(
    "SELECT * FROM intents WHERE status = 'ACTIVE' AND expires_at <= ? ORDER BY expires_at LIMIT ?",
    now,
    limit,
  );
}

/** Newest first. An active intent past its time counts as expired, whether the sweeper came by or not. */
export function* listIntents(
  tenantId: string,
  filter: { readonly status?: IntentStatus | undefined; readonly agentDid?: string | undefined },
  before: string | undefined,
  limit: number,
  now: number,
): Script<IntentRow[]> {
  const conditions = ['tenant_id = ?'];
  const args: (string | number)[] = [tenantId];
  const add = (condition: string, ...values: (string | number)[]) => {
    conditions.push(condition);
    args.push(...values);
  };
  if (filter.agentDid !== undefined) add('agent_did = ?', filter.agentDid);
  if (filter.status === 'USED') add("status = 'USED'");
  if (filter.status === 'ACTIVE') add("status = 'ACTIVE' AND expires_at > ?", now);
  if (filter.status === 'EXPIRED') add("(status = 'EXPIRED' OR (status = 'ACTIVE' AND expires_at <= ?))", now);
  if (before !== undefined) add('mandate_id < ?', before);
  return yield* all<IntentRow>(
    `SELECT * FROM intents WHERE ${conditions.join(' AND ')} ORDER BY mandate_id DESC LIMIT ?`,
    ...args,
    limit,
  );
}
