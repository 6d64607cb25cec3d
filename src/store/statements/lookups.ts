/**
 * What a person looks for by the beginning of an id, by a name or by an amount. Beginnings are ranges of an index, so that no
 * character has a meaning of its own; what has no index is looked for among the newest records of its table.
 */
import { all, get, type Script } from '../store.ts';
import { type IntentRow, intents } from './purchases/intents.ts';
import { type PaymentRow, payments } from './purchases/payments.ts';
import { allOf, type Condition, equal, listPage } from './queries.ts';
import { type AgentRow, agents } from './registry/agents.ts';
import { merchants } from './registry/merchants.ts';
import { type PrincipalRow, principals } from './registry/principals.ts';

/** After each text that begins with another one. */
const AFTER_ALL = '\u{10FFFF}';
const MOST_CURRENCIES = 20;

function beginsWith(column: string, text: string): Condition {
  return [`${column} >= ? AND ${column} < ?`, text, text + AFTER_ALL];
}

function ofTenant(tenantId: string): Condition {
  return ['tenant_id = ?', tenantId];
}

export function findAgentsBy(
  column: 'did' | 'display_name',
  tenantId: string,
  text: string,
  limit: number,
): Script<AgentRow[]> {
  return listPage(agents, [ofTenant(tenantId), beginsWith(column, text)], column, limit);
}

export function findPrincipalsByDid(tenantId: string, text: string, limit: number): Script<PrincipalRow[]> {
  return listPage(principals, [ofTenant(tenantId), beginsWith('did', text)], 'did', limit);
}

/** A name of a tenant's record. */
export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** So many of the newest agents, with their names. */
export function listAgentNames(tenantId: string, limit: number): Script<NamedRow[]> {
  const sql = `SELECT did AS id, display_name AS name FROM agents WHERE tenant_id = ?
     ORDER BY place DESC, created_at DESC, did DESC LIMIT ?`;
  return all(sql, tenantId, limit);
}

/** As listAgentNames, for principals. */
export function listPrincipalNames(tenantId: string, limit: number): Script<NamedRow[]> {
  const sql = `SELECT did AS id, name FROM principals WHERE tenant_id = ? ORDER BY created_at DESC, did DESC LIMIT ?`;
  return all(sql, tenantId, limit);
}

export function findIntentsById(tenantId: string, text: string, limit: number): Script<IntentRow[]> {
  return listPage(intents, [ofTenant(tenantId), beginsWith('mandate_id', text)], 'mandate_id DESC', limit);
}

export function findPaymentsById(tenantId: string, text: string, limit: number): Script<PaymentRow[]> {
  return listPage(payments, [ofTenant(tenantId), beginsWith('mandate_id', text)], 'mandate_id DESC', limit);
}

export function findPaymentsByTransaction(tenantId: string, text: string, limit: number): Script<PaymentRow[]> {
  const { where, args } = allOf([ofTenant(tenantId), beginsWith('transaction_id', text)]);
  const found: Condition = [
    `mandate_id IN (SELECT mandate_id FROM payment_lists WHERE ${where} ORDER BY transaction_id DESC LIMIT ?)`,
    ...args,
    limit,
  ];
  return listPage(payments, [ofTenant(tenantId), found], 'transaction_id DESC', limit);
}

/** Payments of exactly an amount, the newest first. */
export function findPaymentsOf(
  tenantId: string,
  currency: string,
  amountMinor: number,
  limit: number,
): Script<PaymentRow[]> {
  const exactly = [ofTenant(tenantId), equal('currency', currency), equal('amount_minor', amountMinor)];
  return listPage(payments, exactly, 'mandate_id DESC', limit);
}

/** The currencies that payments were made in. */
export function listCurrencies(tenantId: string): Script<string[]> {
  return distinct('payments', 'currency', tenantId, '', '', MOST_CURRENCIES);
}

/** Domains that begin with a text, of merchants that are bound or were paid. */
export function* findDomains(tenantId: string, text: string, limit: number): Script<string[]> {
  const bound = yield* listPage(merchants, [ofTenant(tenantId), beginsWith('domain', text)], 'domain', limit);
  const paid = yield* distinct('payment_lists', 'merchant', tenantId, text, text, limit);
  return [...new Set([...bound.map(({ domain }) => domain), ...paid])].sort().slice(0, limit);
}

/** The values of a column, each read by one step through its index. */
function* distinct(
  from: 'payments' | 'payment_lists',
  column: 'currency' | 'merchant',
  tenantId: string,
  first: string,
  prefix: string,
  limit: number,
): Script<string[]> {
  const values: string[] = [];
  for (let next = first, than = '>='; values.length < limit; than = '>') {
    const sql = `SELECT ${column} AS value FROM ${from} WHERE tenant_id = ? AND ${column} < ?
       AND ${column} ${than} ? ORDER BY ${column} LIMIT 1`;
    const found = yield* get<{ readonly value: string }>(sql, tenantId, prefix + AFTER_ALL, next);
    if (found === undefined) break;
    values.push(found.value);
    next = found.value;
  }
  return values;
}
