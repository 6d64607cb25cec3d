/**
 * Searches of the evidence chain. What leads to events by their actor, type and session is merged into an index of its own, many
 * events at a time: the chain up to a position is found by it, the events after that are few, and are read one by one.
 */
import { all, count, get, run, type Script, type Value } from '../../store.ts';
import { allOf, type Condition, inBatches, listPage } from '../queries.ts';
import { integer, placeholders, table, text, upsertInto } from '../tableDefinition.ts';
import { type EvidenceRow, evidence, findChainHead, SLACK_MS } from './events.ts';

/** A seq for each value that an event has in a member that is searched by. */
export const evidenceIndex = table('evidence_index', ['tenant_id', 'member', 'value', 'seq'], {
  tenant_id: text,
  member: text,
  value: text,
  seq: integer,
});

/** Up to which seq a tenant's events are in the index. */
export const evidenceIndexed = table('evidence_indexed', ['tenant_id'], { tenant_id: text, seq: integer });

/** What each event is found by: the name of the member, its value, and which events have one. */
const MEMBERS = [
  { member: 'actor', value: 'actor_did', having: '' },
  { member: 'actor type', value: "actor_did || ' ' || event_type", having: '' },
  { member: 'context', value: 'context_id', having: 'AND context_id IS NOT NULL' },
  { member: 'type', value: 'event_type', having: '' },
] as const;
type Member = (typeof MEMBERS)[number]['member'];

/** Entries of one event that come after others are written where those are, so they are written in their order. */
const MERGES = MEMBERS.map(
  ({ member, value, having }) =>
    `INSERT INTO evidence_index (tenant_id, member, value, seq)
     SELECT tenant_id, '${member}', ${value}, seq FROM evidence
     WHERE tenant_id = ? AND seq > ? AND seq <= ? ${having} ORDER BY ${value}, seq
     ON CONFLICT (tenant_id, member, value, seq) DO NOTHING`,
);

/** Events that are not in the index yet: how many, and when the newest of them was recorded. */
export function* findUnmerged(tenantId: string): Script<{ readonly count: number; readonly newestAt: number }> {
  const sql = 'SELECT seq, created_at FROM evidence WHERE tenant_id = ? ORDER BY seq DESC LIMIT 1';
  const newest = yield* get<{ seq: number; created_at: number }>(sql, tenantId);
  return { count: (newest?.seq ?? 0) - (yield* findIndexed(tenantId)), newestAt: newest?.created_at ?? 0 };
}

/** Events to be merged: those after one, up to another. */
interface Batch {
  readonly from: number;
  readonly to: number;
  /** The id of the last one: a chain that was begun anew has another. */
  readonly lastId: string;
}

/** The events that are merged next. @param most so many of them; undefined where there are none */
export function* nextBatch(tenantId: string, most: number): Script<Batch | undefined> {
  const from = yield* findIndexed(tenantId);
  const to = Math.min((yield* findChainHead(tenantId))?.seq ?? 0, from + most);
  return to <= from ? undefined : { from, to, lastId: String(yield* idOf(tenantId, to)) };
}

/**
 * Merges events into the index, one member in each commit, so that none takes long. Until all are there, no search takes them
 * from the index; what a batch that was not finished has left is passed over by the next one.
 */
export const MERGE_STEPS: readonly ((tenantId: string, batch: Batch) => Script<void>)[] = MERGES.map(
  (sql, step) =>
    function* (tenantId, { from, to, lastId }): Script<void> {
      if ((yield* findIndexed(tenantId)) !== from || (yield* idOf(tenantId, to)) !== lastId) return;
      yield* run(sql, tenantId, from, to);
      if (step === MERGES.length - 1) yield* saveIndexed({ tenant_id: tenantId, seq: to });
    },
);

function* idOf(tenantId: string, seq: number): Script<string | undefined> {
  const sql = 'SELECT id FROM evidence WHERE tenant_id = ? AND seq = ?';
  return (yield* get<{ id: string }>(sql, tenantId, seq))?.id;
}

/** The seq up to which events are in the index. */
function* findIndexed(tenantId: string): Script<number> {
  const sql = 'SELECT seq FROM evidence_indexed WHERE tenant_id = ?';
  return (yield* get<{ seq: number }>(sql, tenantId))?.seq ?? 0;
}

const saveIndexed = upsertInto(evidenceIndexed);

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
  const values = searchedBy(filter);
  const indexed = values === undefined ? 0 : yield* findIndexed(tenantId);
  const rows: EvidenceRow[] = [];
  for (const range of yield* partsOfChain(tenantId, filter, before)) {
    const left = limit - rows.length;
    if (left === 0) break;
    if (values === undefined) {
      const conditions = [tenant(tenantId), inRange(range), ...times(filter)];
      rows.push(...(yield* listPage(evidence, conditions, 'seq DESC', left)));
    } else {
      const place = { columns: 'evidence.*', range, order: 'DESC', limit: left } as const;
      const { sql, args } = pages(tenantId, filter, values, place, indexed);
      rows.push(
        ...(yield* all<EvidenceRow>(`SELECT * FROM (${sql}) AS either ORDER BY seq DESC LIMIT ?`, ...args, left)),
      );
    }
  }
  return rows;
}

/** The seq of the nth matching event counted from either end of the chain; undefined when there are fewer. */
export function* findSeq(
  tenantId: string,
  filter: EvidenceFilter,
  order: 'ASC' | 'DESC',
  nth: number,
): Script<number | undefined> {
  const values = searchedBy(filter);
  const indexed = values === undefined ? 0 : yield* findIndexed(tenantId);
  const newestFirst = yield* partsOfChain(tenantId, filter);
  const ranges = order === 'DESC' ? newestFirst : newestFirst.toReversed();
  let left = nth;
  for (const [index, range] of ranges.entries()) {
    const place = { columns: 'evidence.seq', range, order, limit: left } as const;
    const { sql, args } =
      values === undefined
        ? inChain('seq', [tenant(tenantId), inRange(range), ...times(filter)])
        : pages(tenantId, filter, values, place, indexed);
    const nthOf = `SELECT seq FROM (${sql}) AS either ORDER BY seq ${order} LIMIT 1 OFFSET ?`;
    const found = yield* get<{ seq: number }>(nthOf, ...args, left - 1);
    if (found !== undefined) return found.seq;
    if (index < ranges.length - 1) left -= yield* count(`SELECT COUNT(*) AS count FROM (${sql}) AS either`, ...args);
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
  /** Newest first. */
  readonly rows: readonly EvidenceRow[];
  /** Every event that matches from this seq on is among them; 1 where all were looked through. */
  readonly downTo: number;
}

interface Bounds {
  readonly before: number | undefined;
  readonly most: number;
  readonly wanted: number;
  readonly fits?: ((row: EvidenceRow) => boolean) | undefined;
}

/**
 * Events whose data has what no index knows: looked for, newest first, among those that the other members leave.
 * @param filter with types
 * @param bounds `most`: so many of those are looked through; `wanted`: so many are enough; `fits`: what no text tells
 */
export function* findAmong(tenantId: string, filter: EvidenceFilter, texts: Texts, bounds: Bounds): Script<FoundAmong> {
  const rows: EvidenceRow[] = [];
  let { most } = bounds;
  for (const range of yield* partsOfChain(tenantId, filter, bounds.before)) {
    const left = { ...bounds, most, wanted: bounds.wanted - rows.length };
    const found = yield* findInPart(tenantId, filter, texts, left, range);
    rows.push(...found.rows);
    most -= found.looked;
    if (found.downTo > 1) return { rows, downTo: found.downTo };
  }
  return { rows, downTo: 1 };
}

function* findInPart(
  tenantId: string,
  filter: EvidenceFilter,
  texts: Texts,
  { most, wanted, fits }: Bounds,
  range: Range,
): Script<FoundAmong & { readonly looked: number }> {
  if (most === 0 || wanted === 0) return { rows: [], looked: 0, downTo: range.last + 1 };
  const place = { columns: 'seq', range, order: 'DESC', limit: most } as const;
  const { sql, args } = pages(tenantId, filter, searchedBy(filter) ?? [], place, yield* findIndexed(tenantId));
  // The places alone first: together with their events, an engine that guesses wrong reads the chain once for each.
  const seqs = `SELECT seq FROM (${sql}) AS either ORDER BY seq DESC LIMIT ?`;
  const found = (yield* all<{ seq: number }>(seqs, ...args, most)).map(({ seq }) => seq);
  const looked = found.length;
  const conditions = [...times(filter), ...others(filter), ...texts.map(textCondition)];
  const rows: EvidenceRow[] = [];
  for (const batch of inBatches(found)) {
    const among: Condition = [`seq IN ${placeholders(batch)}`, ...batch];
    const limit = fits === undefined ? wanted : batch.length;
    const page = yield* listPage(evidence, [tenant(tenantId), among, ...conditions], 'seq DESC', limit);
    rows.push(...(fits === undefined ? page : page.filter(fits)));
    if (rows.length >= wanted) return { rows: rows.slice(0, wanted), looked, downTo: rows[wanted - 1]?.seq ?? 1 };
  }
  return { rows, looked, downTo: looked < most ? 1 : (found.at(-1) ?? 1) };
}

function textCondition(any: Texts[number]): Condition {
  const sql = any.map((each) => `data ${typeof each === 'string' ? '' : 'NOT '}LIKE ? ESCAPE '!'`).join(' OR ');
  const parts = any.map((each) => (typeof each === 'string' ? each : each.not));
  return [`(${sql})`, ...parts.map((part) => `%${part.replace(/[!%_]/g, '!$&')}%`)];
}

/** A part of the chain; both ends included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

interface Query {
  readonly sql: string;
  readonly args: readonly Value[];
}

/** What the index is asked for; undefined for events that only their time tells. */
function searchedBy({
  eventTypes = [],
  actorDid,
  contextId,
}: EvidenceFilter): readonly (readonly [Member, string])[] | undefined {
  // A session has few events: the others are looked for among them.
  if (contextId !== undefined) return [['context', contextId]];
  if (actorDid === undefined) return eventTypes.length === 0 ? undefined : eventTypes.map((type) => ['type', type]);
  if (eventTypes.length === 0) return [['actor', actorDid]];
  return eventTypes.map((type) => ['actor type', `${actorDid} ${type}`]);
}

interface Place {
  /** What is wanted of each event; `seq` is its place by the index alone, whatever its time is. */
  readonly columns: 'evidence.*' | 'evidence.seq' | 'seq';
  readonly range: Range;
  readonly order: 'ASC' | 'DESC';
  readonly limit: number;
}

/** A page for each value by the index, and one of the events that are not in it yet. */
function pages(
  tenantId: string,
  filter: EvidenceFilter,
  values: readonly (readonly [Member, string])[],
  { columns, range, order, limit }: Place,
  indexed: number,
): Query {
  const known = { first: range.first, last: Math.min(range.last, indexed) };
  const rest = { first: Math.max(range.first, indexed + 1), last: range.last };
  const unknown = inChain(columns, [tenant(tenantId), inRange(rest), ...times(filter), ...others(filter)]);
  const page = ({ sql, args }: Query, seq: string): Query => ({
    sql: `SELECT * FROM (${sql} ORDER BY ${seq} ${order} LIMIT ?) AS page`,
    args: [...args, limit],
  });
  const found = values.map((value) => page(byIndex(columns, tenantId, filter, value, known), 'found.seq'));
  const queries = [...found, page(unknown, 'seq')];
  return { sql: queries.map(({ sql }) => sql).join(' UNION ALL '), args: queries.flatMap(({ args }) => args) };
}

/** The events with a value, by the index. */
function byIndex(
  columns: string,
  tenantId: string,
  filter: EvidenceFilter,
  [member, value]: readonly [Member, string],
  { first, last }: Range,
): Query {
  const entry: Condition[] = [
    ['found.tenant_id = ? AND found.member = ? AND found.value = ?', tenantId, member, value],
    ['found.seq BETWEEN ? AND ?', first, last],
  ];
  if (columns === 'seq') {
    const { where, args } = allOf(entry);
    return { sql: `SELECT found.seq FROM evidence_index AS found WHERE ${where}`, args };
  }
  const more = [...times(filter), ...(member === 'context' ? others({ ...filter, contextId: undefined }) : [])];
  const { where, args } = allOf([...entry, ...more]);
  const sql = `SELECT ${columns} FROM evidence_index AS found
     JOIN evidence ON evidence.tenant_id = found.tenant_id AND evidence.seq = found.seq WHERE ${where}`;
  return { sql, args };
}

function inChain(columns: string, conditions: readonly (Condition | undefined)[]): Query {
  const { where, args } = allOf(conditions);
  return { sql: `SELECT ${columns} FROM evidence WHERE ${where}`, args };
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

/** All but the times. */
function others({ eventTypes = [], actorDid, contextId }: EvidenceFilter): (Condition | undefined)[] {
  return [
    eventTypes.length === 0 ? undefined : [`event_type IN ${placeholders(eventTypes)}`, ...eventTypes],
    actorDid === undefined ? undefined : ['actor_did IN (?)', actorDid],
    contextId === undefined ? undefined : ['context_id IN (?)', contextId],
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

type RunPlace = Pick<EvidenceRow, 'seq' | 'run_seq' | 'latest_at'>;

/** The last event up to a seq, by its place in its run. */
function findPlace(tenantId: string, upTo: number): Script<RunPlace | undefined> {
  const sql = 'SELECT seq, run_seq, latest_at FROM evidence WHERE tenant_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1';
  return get<RunPlace>(sql, tenantId, upTo);
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
