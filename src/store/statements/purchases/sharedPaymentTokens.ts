/** Shared payment tokens and what became of them. */
import type { SptStatus } from '../../../../protocol/spt.ts';
import { all, get, run, type Script } from '../../store.ts';

export interface SharedPaymentTokenRow {
  readonly id: string;
  readonly tenant_id: string;
  /** The rail's own id of it; null where the node made it. */
  readonly rail_token_id: string | null;
  readonly status: SptStatus;
  readonly merchant_domain: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly intent_id: string | null;
  readonly cart_id: string | null;
  readonly payment_id: string | null;
  readonly transaction_id: string | null;
  readonly context_id: string | null;
  readonly rail_payment_id: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly used_at: number | null;
  /** When it stopped being ACTIVE. */
  readonly ended_at: number | null;
}

export function* insertSharedPaymentToken(token: SharedPaymentTokenRow): Script<void> {
  yield* run(
    `INSERT INTO shared_payment_tokens (id, tenant_id, rail_token_id, status, merchant_domain, amount_minor, currency,
       intent_id, cart_id, payment_id, transaction_id, context_id, rail_payment_id, created_at, expires_at, used_at,
       ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    token.id,
    token.tenant_id,
    token.rail_token_id,
    token.status,
    token.merchant_domain,
    token.amount_minor,
    token.currency,
    token.intent_id,
    token.cart_id,
    token.payment_id,
    token.transaction_id,
    token.context_id,
    token.rail_payment_id,
    token.created_at,
    token.expires_at,
    token.used_at,
    token.ended_at,
  );
}

export function* findSharedPaymentToken(tenantId: string, id: string): Script<SharedPaymentTokenRow | undefined> {
  return yield* get<SharedPaymentTokenRow>(
    'SELECT * FROM shared_payment_tokens WHERE tenant_id = ? AND id = ?',
    tenantId,
    id,
  );
}

/** A token by the rail's id or by ours, in whichever tenant it is. */
export function* findNotifiedToken(id: string): Script<SharedPaymentTokenRow | undefined> {
  return (
    (yield* get<SharedPaymentTokenRow>('SELECT * FROM shared_payment_tokens WHERE rail_token_id = ?', id)) ??
    (yield* get<SharedPaymentTokenRow>('SELECT * FROM shared_payment_tokens WHERE id = ?', id))
  );
}

/** Ends a token. @returns false when it had ended before */
export function* endSharedPaymentToken(token: SharedPaymentTokenRow): Script<boolean> {
  const changes = yield* run(
    `UPDATE shared_payment_tokens SET status = ?, used_at = ?, ended_at = ?, rail_payment_id = ?
     WHERE tenant_id = ? AND id = ? AND status = 'ACTIVE'`,
    token.status,
    token.used_at,
    token.ended_at,
    token.rail_payment_id,
    token.tenant_id,
    token.id,
  );
  return changes === 1;
}

/** Newest first, by what each is at `now`. */
export function* listSharedPaymentTokens(
  tenantId: string,
  status: SptStatus | undefined,
  now: number,
  before: string | undefined,
  limit: number,
): Script<SharedPaymentTokenRow[]> {
  const [condition, args] = conditionOf(status, now);
  return yield* all<SharedPaymentTokenRow>(
    `SELECT * FROM shared_payment_tokens WHERE tenant_id = ? AND id < ? ${condition} ORDER BY id DESC LIMIT ?`,
    tenantId,
    before ?? '~',
    ...args,
    limit,
  );
}

function conditionOf(status: SptStatus | undefined, now: number): readonly [string, readonly (string | number)[]] {
  if (status === undefined) return ['', []];
  if (status === 'ACTIVE') return ["AND status = 'ACTIVE' AND expires_at > ?", [now]];
  if (status === 'EXPIRED') return ["AND (status = 'EXPIRED' OR (status = 'ACTIVE' AND expires_at <= ?))", [now]];
  return ['AND status = ?', [status]];
}

interface TokenSum {
  readonly status: SptStatus;
  readonly currency: string;
  readonly tokens: number;
  readonly amount_minor: number;
}

/** Numbers and amounts by state and currency, by what each token is at `now`. */
export function* sumSharedPaymentTokens(tenantId: string, now: number): Script<TokenSum[]> {
  return yield* all<TokenSum>(
    `SELECT state AS status, currency, COUNT(*) AS tokens, CAST(SUM(amount_minor) AS BIGINT) AS amount_minor FROM (
       SELECT CASE WHEN status = 'ACTIVE' AND expires_at <= ? THEN 'EXPIRED' ELSE status END AS state, currency,
         amount_minor FROM shared_payment_tokens WHERE tenant_id = ?) AS tokens GROUP BY state, currency`,
    now,
    tenantId,
  );
}

export function* listOverdueTokens(now: number, limit: number): Script<SharedPaymentTokenRow[]> {
  return yield* all<SharedPaymentTokenRow>(
    `SELECT * FROM shared_payment_tokens WHERE status = 'ACTIVE' AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
    now,
    limit,
  );
}
