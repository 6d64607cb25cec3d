/** Shared payment tokens (SPT). */
import { SptStatus } from '../../../../protocol/spt.ts';
import { all, changed, get, type Script } from '../../store.ts';
import {
  type ExactSum,
  earlier,
  equal,
  findById,
  listPage,
  readSums,
  saturated,
  split,
  sumColumns,
} from '../queries.ts';
import { insertInto, insertManyInto, integer, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import { type WalkResult, walkNewest } from '../walk.ts';

export const sharedPaymentTokens = table(
  'shared_payment_tokens',
  ['id'],
  {
    id: text,
    tenant_id: text,
    /** The rail's id of the token; null where the node issued it. */
    rail_token_id: nullable(text),
    status: oneOf<SptStatus>(),
    merchant_domain: text,
    amount_minor: integer,
    currency: text,
    intent_id: nullable(text),
    cart_id: nullable(text),
    payment_id: nullable(text),
    transaction_id: nullable(text),
    context_id: nullable(text),
    /** The payment at the rail that used it. */
    rail_payment_id: nullable(text),
    created_at: integer,
    expires_at: integer,
    used_at: nullable(integer),
    /** When it stopped being ACTIVE. */
    ended_at: nullable(integer),
  },
  {
    retention: { kept: 'a permission to pay is a record' },
    isTestData: true,
  },
);
export type SharedPaymentTokenRow = RowOf<typeof sharedPaymentTokens>;

const insertToken = insertInto(sharedPaymentTokens);

export function* insertSharedPaymentToken(token: SharedPaymentTokenRow): Script<void> {
  yield* insertToken(token);
  yield* addToken(token, token.status, 1);
}

/** Tokens by the status that is stored: how many, and their amounts. */
export const tokenSums = table(
  'shared_payment_token_sums',
  ['tenant_id', 'status', 'currency'],
  {
    tenant_id: text,
    status: text,
    currency: text,
    transactions: integer,
    high: integer,
    low: integer,
  },
  {
    retention: { kept: 'as long as the tokens that they sum' },
    isTestData: true,
  },
);

const addSums = insertManyInto(
  tokenSums,
  `ON CONFLICT (tenant_id, status, currency) DO UPDATE SET
     transactions = shared_payment_token_sums.transactions + excluded.transactions,
     high = shared_payment_token_sums.high + excluded.high, low = shared_payment_token_sums.low + excluded.low`,
);

function addToken(
  { tenant_id, currency, amount_minor: amountMinor }: SharedPaymentTokenRow,
  status: SptStatus,
  sign: 1 | -1,
): Script<void> {
  return addSums([{ tenant_id, status, currency, transactions: sign, ...split(sign * amountMinor) }]);
}

const SUMS = `SELECT currency, transactions, high, low FROM shared_payment_token_sums WHERE tenant_id = ? AND status = ?`;

export const findSharedPaymentToken = findById(sharedPaymentTokens);

/** A token of any tenant, by the rail's id or by ours. */
export function* findNotifiedToken(id: string): Script<SharedPaymentTokenRow | undefined> {
  return (
    (yield* get<SharedPaymentTokenRow>('SELECT * FROM shared_payment_tokens WHERE rail_token_id = ?', id)) ??
    (yield* get<SharedPaymentTokenRow>('SELECT * FROM shared_payment_tokens WHERE id = ?', id))
  );
}

/** Ends a token. @returns false when it had ended before */
export function* endSharedPaymentToken(token: SharedPaymentTokenRow): Script<boolean> {
  const { status, used_at: usedAt, ended_at: endedAt, rail_payment_id: railPaymentId, tenant_id: tenantId, id } = token;
  const sql = `UPDATE shared_payment_tokens SET status = ?, used_at = ?, ended_at = ?, rail_payment_id = ?
     WHERE tenant_id = ? AND id = ? AND status = 'ACTIVE'`;
  if (!(yield* changed(sql, status, usedAt, endedAt, railPaymentId, tenantId, id))) return false;
  yield* addToken(token, 'ACTIVE', -1);
  yield* addToken(token, status, 1);
  return true;
}

/** Notes which payment used a token, where that was not known; false where it was. */
export function nameTokenUse(tenantId: string, id: string, railPaymentId: string): Script<boolean> {
  const sql = `UPDATE shared_payment_tokens SET rail_payment_id = ?
     WHERE tenant_id = ? AND id = ? AND status = 'USED' AND rail_payment_id IS NULL`;
  return changed(sql, railPaymentId, tenantId, id);
}

/** Newest first, by their status at `now`. */
export function* listSharedPaymentTokens(
  tenantId: string,
  status: SptStatus | undefined,
  now: number,
  before: string | undefined,
  limit: number,
): Script<WalkResult<SharedPaymentTokenRow>> {
  const conditions = [equal('tenant_id', tenantId), earlier('id', before)];
  if (status === undefined) return { rows: yield* listPage(sharedPaymentTokens, conditions, 'id DESC', limit) };
  const fits = (row: Pick<SharedPaymentTokenRow, 'status' | 'expires_at'>) =>
    (row.status === 'ACTIVE' && row.expires_at <= now ? 'EXPIRED' : row.status) === status;
  const placeOf = ({ id }: Pick<SharedPaymentTokenRow, 'id'>) => id;
  const list = { conditions, order: ['id'], placeOf, columns: ['status', 'expires_at'], fits } as const;
  return yield* walkNewest(sharedPaymentTokens, list, limit);
}

interface TokenSum {
  readonly status: SptStatus;
  readonly currency: string;
  readonly tokens: number;
  readonly amount_minor: number;
}

const OVERDUE = `SELECT currency, ${sumColumns('amount_minor')} FROM shared_payment_tokens
     WHERE status = 'ACTIVE' AND expires_at <= ? AND tenant_id = ? GROUP BY currency`;

/** Numbers and amounts by status at `now` and by currency: of all that are kept, and of the few that expired just now. */
export function* sumSharedPaymentTokens(tenantId: string, now: number): Script<TokenSum[]> {
  const overdue = yield* readSums(OVERDUE, now, tenantId);
  const sums: TokenSum[] = [];
  for (const status of SptStatus.options) {
    const sign = status === 'ACTIVE' ? -1 : status === 'EXPIRED' ? 1 : 0;
    const moved = overdue.map((sum) => ({
      ...sum,
      transactions: sign * sum.transactions,
      amount: BigInt(sign) * sum.amount,
    }));
    for (const { currency, transactions, amount } of addUp([...(yield* readSums(SUMS, tenantId, status)), ...moved]))
      sums.push({ status, currency, tokens: transactions, amount_minor: saturated(amount) });
  }
  return sums;
}

function addUp(sums: readonly ExactSum[]): ExactSum[] {
  const byCurrency = new Map<string, ExactSum>();
  for (const sum of sums) {
    const { transactions = 0, amount = 0n } = byCurrency.get(sum.currency) ?? {};
    const { currency } = sum;
    byCurrency.set(currency, { currency, transactions: transactions + sum.transactions, amount: amount + sum.amount });
  }
  return [...byCurrency.values()];
}

export function listOverdueTokens(now: number, limit: number): Script<SharedPaymentTokenRow[]> {
  const sql = `SELECT * FROM shared_payment_tokens WHERE status = 'ACTIVE' AND expires_at <= ? ORDER BY expires_at LIMIT ?`;
  return all(sql, now, limit);
}
