/** Searches of the evidence chain: by actor, type and session through an index each, by time through the runs of the chain. */
import { all, count, get, type Script, type Value } from '../../store.ts';
import { allOf, type Condition, inBatches, listPage } from '../queries.ts';
import { placeholders } from '../tableDefinition.ts';
import { type EvidenceRow, evidence, SLACK_MS } from './events.ts';

/** Selects events. Times are milliseconds since the epoch, `from` and `to` inclusive. */
export interface EvidenceFilter {
  readonly eventTypes?: readonly string[] | undefined;
  readonly actorDid?: string | undefined;
  readonly contextId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Matching events newest first; `before` is the seq of the last one on the page before. */
export function* listEvidence(
  tenantId: string,
  filter: EvidenceFilter,
  before: number | undefined,
  limit: number,
): Script<EvidenceRow[]> {
  const lists = listsOf(filter);
  const rows: EvidenceRow[] = [];
  for (const range of yield* partsOfChain(tenantId, filter, before)) {
    const left = limit - rows.length;
    if (left === 0) break;
    const { sql, args } = pages(tenantId, filter, lists, { range, order: 'DESC', limit: left });
    // The places first: a page of each list is read for one page of all of them.
    const places = `SELECT seq FROM (${sql}) AS found ORDER BY seq DESC LIMIT ?`;
    const found = `SELECT * FROM evidence WHERE tenant_id = ? AND seq IN (${places}) ORDER BY seq DESC`;
    rows.push(...(yield* all<EvidenceRow>(found, tenantId, ...args, left)));
  }
  return rows;
}

/** The seq of the nth matching event counted from either end of the chain; undefined when there are fewer. */
export function* findSeq(
  tenantId: string,
  filter: EvidenceFilter,
  order: Order,
  nth: number,
): Script<number | undefined> {
  const lists = listsOf(filter);
  const newestFirst = yield* partsOfChain(tenantId, filter);
  const ranges = order === 'DESC' ? newestFirst : newestFirst.toReversed();
  let left = nth;
  for (const [index, range] of ranges.entries()) {
    const { sql, args } = pages(tenantId, filter, lists, { range, order, limit: left });
    const nthOf = `SELECT seq FROM (${sql}) AS found ORDER BY seq ${order} LIMIT 1 OFFSET ?`;
    const found = yield* get<{ seq: number }>(nthOf, ...args, left - 1);
    if (found !== undefined) return found.seq;
    if (index < ranges.length - 1) left -= yield* count(`SELECT COUNT(*) AS count FROM (${sql}) AS found`, ...args);
  }
  return undefined;
}

/**
 * What a member of an event's data is looked for by: of each of these, one at least is true of its canonical text. Canonical JSON
 * (RFC 8785) has one text for a member, and no string in it contains that text: its quotes are escaped there.
 */
export type Texts = readonly (readonly (string | { readonly not: string })[])[];

/** What was found among the events that an index leads to. */
export interface FoundAmong {
  /** In the order that was asked for. */
  readonly rows: readonly EvidenceRow[];
  /** Every event that matches up to this seq, in that order, is among them; undefined where all were looked through. */
  readonly upTo: number | undefined;
}

type Order = 'ASC' | 'DESC';

interface Bounds {
  readonly order: Order;
  /** The seq of the last one on the page before, in that order. */
  readonly after: number | undefined;
  readonly most: number;
  readonly wanted: number;
  readonly fits?: ((row: EvidenceRow) => boolean) | undefined;
}

/**
 * Events whose data has what no index knows: looked for, in the order of the chain or against it, among those that the other members leave.
 * @param filter with types
 * @param bounds `most`: so many of those are looked through; `wanted`: so many are enough; `fits`: what no text tells
 */
export function* findAmong(tenantId: string, filter: EvidenceFilter, texts: Texts, bounds: Bounds): Script<FoundAmong> {
  const rows: EvidenceRow[] = [];
  let { most } = bounds;
  for (const range of yield* partsFrom(tenantId, filter, bounds)) {
    const left = { ...bounds, most, wanted: bounds.wanted - rows.length };
    const found = yield* findInPart(tenantId, filter, texts, left, range);
    rows.push(...found.rows);
    most -= found.looked;
    if (found.upTo !== undefined) return { rows, upTo: found.upTo };
  }
  return { rows, upTo: undefined };
}

/** The parts of the chain that are left, in the order in which they are looked through. */
function* partsFrom(tenantId: string, filter: EvidenceFilter, { order, after }: Bounds): Script<readonly Range[]> {
  if (order === 'DESC') return yield* partsOfChain(tenantId, filter, after);
  const parts = (yield* partsOfChain(tenantId, filter)).toReversed();
  const left = parts.map(({ first, last }) => ({ first: Math.max(first, (after ?? 0) + 1), last }));
  return left.filter(({ first, last }) => first <= last);
}

function* findInPart(
  tenantId: string,
  filter: EvidenceFilter,
  texts: Texts,
  { order, most, wanted, fits }: Bounds,
  range: Range,
): Script<FoundAmong & { readonly looked: number }> {
  const before = order === 'DESC' ? range.last + 1 : range.first - 1;
  if (most === 0 || wanted === 0) return { rows: [], looked: 0, upTo: before };
  // Each of these is looked at, whenever it happened.
  const { sql, args } = pages(tenantId, { ...filter, from: undefined, to: undefined }, listsOf(filter), {
    range,
    order,
    limit: most,
  });
  // The places alone first: together with their events, an engine that guesses wrong reads the chain once for each.
  const seqs = `SELECT seq FROM (${sql}) AS found ORDER BY seq ${order} LIMIT ?`;
  const found = (yield* all<{ seq: number }>(seqs, ...args, most)).map(({ seq }) => seq);
  const looked = found.length;
  const conditions = [...times(filter), ...texts.map(textCondition)];
  const rows: EvidenceRow[] = [];
  for (const batch of inBatches(found)) {
    const among: Condition = [`seq IN ${placeholders(batch)}`, ...batch];
    const limit = fits === undefined ? wanted : batch.length;
    const page = yield* listPage(evidence, [tenant(tenantId), among, ...conditions], `seq ${order}`, limit);
    rows.push(...(fits === undefined ? page : page.filter(fits)));
    if (rows.length >= wanted) return { rows: rows.slice(0, wanted), looked, upTo: rows[wanted - 1]?.seq };
  }
  return { rows, looked, upTo: looked < most ? undefined : found.at(-1) };
}

export function textCondition(any: Texts[number]): Condition {
  const sql = any.map((each) => `data ${typeof each === 'string' ? '' : 'NOT '}LIKE ? ESCAPE '!'`).join(' OR ');
  const parts = any.map((each) => (typeof each === 'string' ? each : each.not));
  return [`(${sql})`, ...parts.map((part) => `%${part.replace(/[!%_]/g, '!$&')}%`)];
}

/** A part of the chain; both ends included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

const WHOLE: Condition = ['TRUE'];

/** The lists that matching events stand in, each by an index in the order of the chain; without any filter, the whole chain. */
function listsOf({ eventTypes = [], actorDid, contextId }: EvidenceFilter): readonly Condition[] {
  const types = eventTypes.length === 0 ? undefined : eventTypes;
  // A session has few events: the others are looked for among them.
  if (contextId !== undefined) {
    const actor: Condition = actorDid === undefined ? ['TRUE'] : ["(actor_did || '') = ?", actorDid];
    const ofTypes: Condition = types ? [`(event_type || '') IN ${placeholders(types)}`, ...types] : ['TRUE'];
    const { where, args } = allOf([['context_id = ?', contextId], actor, ofTypes]);
    return [[where, ...args]];
  }
  if (actorDid === undefined) return types?.map((type) => ['event_type = ?', type]) ?? [WHOLE];
  if (types === undefined) return [['actor_did = ?', actorDid]];
  // The index has the type before the order of the chain.
  return types.map((type) => ["(actor_did || ' ' || event_type) = ?", `${actorDid} ${type}`]);
}

interface ListWindow {
  readonly range: Range;
  readonly order: Order;
  readonly limit: number;
}

/** The places of a page of each list. */
function pages(
  tenantId: string,
  filter: EvidenceFilter,
  lists: readonly Condition[],
  { range, order, limit }: ListWindow,
): { readonly sql: string; readonly args: readonly Value[] } {
  const found = lists.map((list) => allOf([tenant(tenantId), list, inRange(range), ...times(filter)]));
  // The chain itself is in its order.
  const from = lists.includes(WHOLE) ? 'evidence' : 'evidence_lists';
  const sql = found.map(
    ({ where }) => `SELECT * FROM (SELECT seq FROM ${from} WHERE ${where} ORDER BY seq ${order} LIMIT ?) AS page`,
  );
  return { sql: sql.join(' UNION ALL '), args: found.flatMap(({ args }) => [...args, limit]) };
}

function tenant(tenantId: string): Condition {
  return ['tenant_id = ?', tenantId];
}

function inRange({ first, last }: Range): Condition {
  return ['seq BETWEEN ? AND ?', first, last];
}

function times({ from, to }: EvidenceFilter): (Condition | undefined)[] {
  return [
    from === undefined ? undefined : ['created_at >= ?', from],
    to === undefined ? undefined : ['created_at <= ?', to],
  ];
}

/**
 * The parts of the chain that events of these times lie in, the newest first: one of each run, so that a search by time needs no
 * index of its own and finds every event, however clocks were set.
 */
function* partsOfChain(tenantId: string, { from, to }: EvidenceFilter, before?: number): Script<Range[]> {
  const end = before ?? Number.MAX_SAFE_INTEGER;
  if (from === undefined && to === undefined) return [{ first: 1, last: end - 1 }];
  const parts: Range[] = [];
  let last = yield* findPlace(tenantId, end - 1);
  while (last !== undefined) {
    const run = { first: last.run_seq, last: last.seq };
    if (from === undefined || last.latest_at >= from) {
      const first = from === undefined ? run.first : yield* firstReaching(tenantId, run, from);
      // After an event that is so much later none of the run is early enough.
      const until = to === undefined ? run.last : (yield* firstReaching(tenantId, run, to + SLACK_MS + 1)) - 1;
      if (first <= until) parts.push({ first, last: until });
    }
    last = run.first <= 1 ? undefined : yield* findPlace(tenantId, run.first - 1);
  }
  return parts;
}

type RunCursor = Pick<EvidenceRow, 'seq' | 'run_seq' | 'latest_at'>;

/** The last event up to a seq, by its place in its run. */
function findPlace(tenantId: string, upTo: number): Script<RunCursor | undefined> {
  const sql = 'SELECT seq, run_seq, latest_at FROM evidence WHERE tenant_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1';
  return get<RunCursor>(sql, tenantId, upTo);
}

/** The first seq of a part of a run by which its times have reached a time, by bisection; the one after the last where they have not. */
function* firstReaching(tenantId: string, { first, last }: Range, time: number): Script<number> {
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = yield* findPlace(tenantId, middle);
    if (found !== undefined && found.latest_at < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
