/** Finds agents, payments, intents, merchants, principals and webhooks by an id, a name, a domain or an amount. */
import { formatMoney, toMinor } from '../../../protocol/money.ts';
import { amountIn, type SearchHit, SearchRequest, SearchResult } from '../../../protocol/searching.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import {
  findAgentsBy,
  findDomains,
  findIntentsById,
  findPaymentsById,
  findPaymentsByTransaction,
  findPaymentsOf,
  findPrincipalsByDid,
  listAgentNames,
  listCurrencies,
  listPrincipalNames,
  type NamedRow,
} from '../../store/statements/lookups.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { listWebhooks } from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

/** Records whose names are looked through. */
const MOST_NAMES = 1000;

export const search = useCase({
  summary: 'Finds agents, payments, intents, merchants, webhooks and whose money it is by id, name, domain or amount.',
  input: SearchRequest,
  output: SearchResult,
  permission: 'read',
  run: inOneRead<SearchRequest, SearchResult>(function* (_deps, { tenantId, permissions }, { q, limit }, now) {
    const finders = permissions.has('admin') ? [...FOR_ALL, ...FOR_ADMINS] : FOR_ALL;
    const hits: SearchHit[] = [];
    for (const find of finders) hits.push(...firstOf(yield* find(tenantId, q, limit, now), limit));
    return { hits };
  }, 'readApart'),
});

/** What everybody may list whose own it is not. */
const FOR_ALL = [findAgents, findPayments, findIntents, findMerchants];
/** The address of an endpoint is often a secret in itself. */
const FOR_ADMINS = [findPrincipals, findWebhooks];

/** So many, each once. */
function firstOf(hits: readonly SearchHit[], limit: number): SearchHit[] {
  return [...new Map(hits.map((hit) => [hit.id, hit])).values()].slice(0, limit);
}

function* findAgents(tenantId: string, text: string, limit: number): Script<SearchHit[]> {
  const found = [
    ...(yield* findAgentsBy('did', tenantId, text, limit)),
    ...(yield* findAgentsBy('display_name', tenantId, text, limit)),
  ];
  for (const { id } of named(yield* listAgentNames(tenantId, MOST_NAMES), text, limit)) {
    const agent = yield* findAgent(tenantId, id);
    if (agent !== undefined) found.push(agent);
  }
  return found.map(({ did, display_name: label, status }) => ({ kind: 'agent', id: did, label, status }));
}

function* findPayments(tenantId: string, text: string, limit: number): Script<SearchHit[]> {
  const byId = yield* findPaymentsById(tenantId, text, limit);
  const byTransaction = yield* findPaymentsByTransaction(tenantId, text, limit);
  const rows = [...byId, ...byTransaction, ...(yield* findByAmount(tenantId, text, limit))];
  return rows.map(
    ({ mandate_id: id, transaction_id: transactionId, amount_minor: minor, currency, merchant, status }) => {
      return { kind: 'payment', id, label: `${formatMoney(minor, currency)} to ${merchant}`, transactionId, status };
    },
  );
}

function* findByAmount(tenantId: string, text: string, limit: number): Script<PaymentRow[]> {
  const given = amountIn(text);
  if (given === undefined) return [];
  const currencies = given.currency === undefined ? yield* listCurrencies(tenantId) : [given.currency];
  const rows: PaymentRow[] = [];
  for (const currency of currencies) {
    const minor = minorOf(given.amount, currency);
    if (minor !== undefined) rows.push(...(yield* findPaymentsOf(tenantId, currency, minor, limit)));
  }
  return rows.sort((one, other) => other.created_at - one.created_at);
}

/** Undefined where the currency has no such amount. */
function minorOf(amount: number, currency: string): number | undefined {
  try {
    return toMinor(amount, currency);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function* findIntents(tenantId: string, text: string, limit: number, now: number): Script<SearchHit[]> {
  const rows = yield* findIntentsById(tenantId, text, limit);
  return rows.map(({ mandate_id: id, max_minor: minor, currency, merchant_domain: merchant, ...row }) => {
    const label = `up to ${formatMoney(minor, currency)}${merchant === null ? '' : ` at ${merchant}`}`;
    const status = row.status === 'ACTIVE' && row.expires_at <= now ? 'EXPIRED' : row.status;
    return { kind: 'intent', id, label, transactionId: row.transaction_id, status };
  });
}

function* findMerchants(tenantId: string, text: string, limit: number): Script<SearchHit[]> {
  const domains = yield* findDomains(tenantId, text.toLowerCase(), limit);
  return domains.map((domain) => ({ kind: 'merchant', id: domain, label: domain }));
}

function* findPrincipals(tenantId: string, text: string, limit: number): Script<SearchHit[]> {
  const byDid = (yield* findPrincipalsByDid(tenantId, text, limit)).map(({ did, name }) => ({ id: did, name }));
  const byName = named(yield* listPrincipalNames(tenantId, MOST_NAMES), text, limit);
  return [...byDid, ...byName].map(({ id, name }) => ({ kind: 'principal', id, label: name }));
}

function* findWebhooks(tenantId: string, text: string): Script<SearchHit[]> {
  const wanted = text.toLowerCase();
  const rows = yield* listWebhooks(tenantId, undefined, MOST_NAMES);
  return rows
    .filter(({ id, url }) => id.startsWith(text) || url.toLowerCase().includes(wanted))
    .map(({ id, url, status }) => ({ kind: 'webhook', id, label: url, status }));
}

/** Those whose name has the text in it, in upper or lower case. */
function named(records: readonly NamedRow[], text: string, limit: number): NamedRow[] {
  const wanted = text.toLowerCase();
  return records.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, limit);
}
