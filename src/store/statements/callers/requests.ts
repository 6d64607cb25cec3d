/** Idempotency: requests that may be repeated, with the answer to the first. */
import { all, allCached, get, putCached, type Script, sendAll } from '../../store.ts';
import { ofGoneNode } from '../node/nodes.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { DAY_MS, integer, nullable, oneOf, type RowOf, table, text, upsertInto } from '../tableDefinition.ts';

export const requests = table(
  'requests',
  ['tenant_id', 'scope', 'request_key'],
  {
    tenant_id: text,
    /** To whom the key belongs: caller and route, or the sender of a message. */
    scope: text,
    request_key: text,
    hash: text,
    state: oneOf<'OPEN' | 'DONE'>(),
    gate: oneOf<'rest' | 'a2a'>(),
    /** JSON of what a gate of another process needs to finish the answer. */
    envelope: text,
    /** The sealed answer, once the request is done. */
    answer: nullable(text),
    attempt_key: nullable(text),
    created_at: integer,
  },
  {
    // Their replay is refused by their age alone.
    retention: { goes: 'a day after its answer', purges: [(limit, now) => deleteRequestsBefore(limit, now - DAY_MS)] },
    isTestData: true,
  },
);
export type RequestRow = RowOf<typeof requests>;

const CACHED = { tables: [requests.name], empty: true, byKey: true };
const REQUEST = 'SELECT * FROM requests WHERE tenant_id = ? AND scope = ? AND request_key = ?';

/** Asked by the gate, and again in the commit. The caller is authenticated by then. */
export function* findRequest(tenantId: string, scope: string, key: string): Script<RequestRow | undefined> {
  return (yield* allCached<RequestRow>(CACHED, REQUEST, tenantId, scope, key))[0];
}

/** Notes that findRequest finds none, where that was found out in another way. */
export function noteNoRequest(tenantId: string, scope: string, key: string): Script<void> {
  return putCached(CACHED, [], REQUEST, tenantId, scope, key);
}

/** As findRequest, of the tenant that an agent belongs to. */
export function findRequestOfAgent(did: string, scope: string, key: string): Script<RequestRow | undefined> {
  const sql = `SELECT * FROM requests WHERE tenant_id = (SELECT tenant_id FROM agents WHERE did = ?) AND scope = ?
     AND request_key = ?`;
  return get(sql, did, scope, key);
}

/** Stores a request, replacing an expired one with the same key. */
export const saveRequest = upsertInto(requests, ['tenant_id', 'scope', 'request_key']);

/** The requests that wait for an attempt at a rail: one, or a message and the idempotency key in it. */
export function listRequestsOfAttempt(attemptKey: string): Script<RequestRow[]> {
  return all('SELECT * FROM requests WHERE attempt_key = ?', attemptKey);
}

/** Requests that their node did not live to answer, though their attempt was settled. @param nodeId the node that asks */
export function listOrphanedRequests(
  nodeId: string,
  now: number,
  deadBefore: number,
  limit: number,
): Script<RequestRow[]> {
  const sql = `SELECT requests.* FROM requests JOIN rail_attempts ON rail_attempts.attempt_key = requests.attempt_key
     WHERE requests.attempt_key IS NOT NULL AND rail_attempts.state = 'DONE' AND (rail_attempts.next_at <= ?
       OR ${ofGoneNode('rail_attempts.node_id')}) LIMIT ?`;
  return all(sql, now, nodeId, deadBefore, limit);
}

export function deleteRequest(tenantId: string, scope: string, key: string): Script<void> {
  const sql = 'DELETE FROM requests WHERE tenant_id = ? AND scope = ? AND request_key = ?';
  return sendAll(sql, [tenantId, scope, key], [tenantId, scope, key]);
}

/** Requests whose answer is sealed, of all tenants; no other answer begins like that. @param after the last one before */
export function listSealedAnswers(
  after: Pick<RequestRow, 'tenant_id' | 'scope' | 'request_key'> | undefined,
  limit: number,
): Script<RequestRow[]> {
  const { tenant_id, scope, request_key } = after ?? { tenant_id: '', scope: '', request_key: '' };
  const sql = `SELECT * FROM requests WHERE answer LIKE 'v1.%' AND (tenant_id, scope, request_key) > (?, ?, ?)
     ORDER BY tenant_id, scope, request_key LIMIT ?`;
  return all(sql, tenant_id, scope, request_key, limit);
}

/** Deletes answered requests from before a time. */
const deleteRequestsBefore: DeleteOldest = deleteOldest(requests, "created_at < ? AND state = 'DONE'", 'created_at');
