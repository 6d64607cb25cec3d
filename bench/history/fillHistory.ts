/**
 * Years of purchases put straight into a stopped node's database. One real purchase is the model for all of them, with a row
 * in every table that it touches: the chain is hashed event by event, all else is made by a few statements.
 */
import { randomBytes } from 'node:crypto';
import { genesisHash, hashEvent } from '../../protocol/evidence/chain.ts';
import { makeId, RANDOM_BYTES } from '../../protocol/wire/id.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { growTree } from '../../src/domain/checkpoints/evidenceTree.ts';
import { type EvidenceRow, evidence } from '../../src/store/statements/evidence/events.ts';
import { approvalTokens } from '../../src/store/statements/purchases/approvalTokens.ts';
import { intents } from '../../src/store/statements/purchases/intents.ts';
import { payments } from '../../src/store/statements/purchases/payments.ts';
import { railAttempts } from '../../src/store/statements/purchases/railAttempts.ts';
import { clearTestData } from '../../src/store/statements/reset.ts';
import { columnNames, insertManyInto, type Table } from '../../src/store/statements/tableDefinition.ts';
import { all, get, run, type Script, type Store, send, type Value } from '../../src/store/store.ts';
import { SUM_ANEW } from '../sumAnew.ts';
import { expressionOf, tokenPattern } from './modelRow.ts';
import { OTHER_TABLES } from './otherTables.ts';

/** All of it happened in the last days before now, so that housekeeping leaves it alone. */
const SPAN_MS = 25 * 24 * 3600 * 1000;
const ROWS_AT_ONCE = 2000;
const PURCHASES_AT_ONCE = 20_000;
/** One intent in so many expires without a payment: those with an even number. */
const EXPIRES_EVERY = 2;
/** So many purchases share a session. */
export const SESSION_PURCHASES = 10;

/** Whose history it is. */
export interface Buyers {
  readonly tenantId: string;
  readonly issuer: string;
  /** The first makes half of the purchases, all others share the other half. */
  readonly agents: readonly string[];
  readonly webhookId: string;
}

/** The purchase that all are like: its rows, and the names in them that differ. */
interface Model {
  readonly rows: ReadonlyMap<Table, Readonly<Record<string, Value>>>;
  readonly events: readonly EvidenceRow[];
  /** By the name as the model has it: the SQL that gives the name of another purchase. */
  readonly names: ReadonlyMap<string, string>;
}

const MODELS: readonly Table[] = [intents, approvalTokens, payments, railAttempts] as readonly Table[];
const FILLED = [
  ...[...MODELS, evidence].map(({ name }) => name),
  ...['sessions', 'approval_requests', 'shared_payment_tokens', 'webhook_attempts'],
];
const suite = nativeSuite();
const insertInSqlite = insertManyInto(evidence);

/** What became of a purchase, by its number: the kinds of intents, payments and lists are spread evenly over time. */
const PAYMENT_STATUS = `CASE f.n % 20 WHEN 1 THEN 'AUTHORIZED' WHEN 3 THEN 'REFUNDED' WHEN 5 THEN 'PARTIALLY_REFUNDED'
   WHEN 7 THEN 'CANCELED' WHEN 9 THEN 'FAILED' WHEN 11 THEN 'DISPUTED' ELSE 'CAPTURED' END`;

const DISPUTED_MINOR = 'CASE f.n % 20 WHEN 11 THEN 1000 ELSE 0 END';

const MERCHANT = "CASE f.n % 20 WHEN 13 THEN 'rare.example' ELSE 'shop.example' END";

/** @returns the model, to be read before the history is cleared */
export async function readModel(store: Store, transactionId: string): Promise<Model> {
  return store.read(function* () {
    const of = (table: Table, column: string, value: string) =>
      get<Record<string, Value>>(`SELECT * FROM ${table.name} WHERE ${column} = ?`, value);
    const intent = yield* of(intents, 'transaction_id', transactionId);
    const payment = yield* of(payments, 'transaction_id', transactionId);
    const intentId = String(intent?.mandate_id);
    const mandateId = String(payment?.mandate_id);
    const approval = yield* of(approvalTokens, 'intent_id', intentId);
    const attempt = yield* of(railAttempts, 'payment_id', mandateId);
    const events = yield* all<EvidenceRow>(
      'SELECT * FROM evidence WHERE transaction_id = ? ORDER BY seq',
      transactionId,
    );
    const found = [intent, approval, payment, attempt];
    const names = new Map([
      [intentId, `'intent_' || f.stem`],
      [mandateId, `'pm_' || f.stem`],
      [transactionId, `'txn_' || f.stem`],
      [String(payment?.cart_hash), `'sha256:' || f.stem`],
      [String(payment?.rail_id), `'rail_' || f.stem`],
      [String(intent?.context_id), 'f.context'],
      [String(intent?.agent_did), 'f.agent'],
      [String(approval?.token_hash), `'hash ' || f.stem`],
    ]);
    return { rows: new Map(MODELS.map((table, i) => [table, found[i] ?? {}])), events, names };
  });
}

/** Replaces a tenant's purchases and evidence by so many purchases like the model. */
export async function fillHistory(
  store: Store,
  model: Model,
  buyers: Buyers,
  count: number,
  now: number,
): Promise<void> {
  const { tenantId } = buyers;
  const write = (script: () => Script<unknown>) => store.write(tenantId, script);
  await write(function* () {
    yield* clearTestData(tenantId, now);
    yield* run('DELETE FROM webhook_attempts WHERE tenant_id = ?', tenantId);
    yield* run('CREATE TABLE bench_fill (n BIGINT PRIMARY KEY, stem TEXT, at BIGINT, agent TEXT, context TEXT)');
  });
  const indexes = await dropIndexes(store, tenantId);
  await fillEvents(store, model, buyers, count, now);
  for (let from = 0; from < count; from += PURCHASES_AT_ONCE) {
    for (const table of MODELS) await write(() => insertLike(model, table, from, from + PURCHASES_AT_ONCE));
    for (const other of OTHER_TABLES) await write(() => run(other(buyers), from, from + PURCHASES_AT_ONCE));
  }
  await write(() => run('DROP TABLE bench_fill'));
  for (const sql of indexes) await write(() => run(sql));
  for (const statement of SUM_ANEW) await write(() => run(statement));
  while (await store.write(tenantId, () => growTree({ suite }, tenantId))) {
    // Each round hashes a few subtrees more.
  }
  if (store.engine === 'postgres') await write(() => run('ANALYZE'));
}

/** Indexes are made once all rows are there, which is faster. @returns the statements that make them again */
async function dropIndexes(store: Store, tenantId: string): Promise<string[]> {
  const names = FILLED.map((name) => `'${name}'`).join(', ');
  const sql =
    store.engine === 'sqlite'
      ? `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (${names})`
      : `SELECT indexname AS name, indexdef AS sql FROM pg_indexes
         WHERE tablename IN (${names}) AND indexname NOT LIKE '%_pkey'`;
  const found = await store.read(() => all<{ name: string; sql: string }>(sql));
  for (const { name } of found) await store.write(tenantId, () => run(`DROP INDEX ${name}`));
  return found.map((index) => index.sql);
}

/** Many rows in one statement, as each engine takes them fastest. */
function insertEvents(store: Store, rows: readonly EvidenceRow[]): Script<void> {
  if (store.engine === 'sqlite') return insertInSqlite(rows);
  return send('INSERT INTO evidence SELECT * FROM json_populate_recordset(NULL::evidence, ?)', JSON.stringify(rows));
}

/** One event after the other, since each has the hash of the one before it; and the plan of the purchases. */
async function fillEvents(store: Store, model: Model, buyers: Buyers, count: number, now: number): Promise<void> {
  const { tenantId, issuer, agents } = buyers;
  const pattern = tokenPattern([...model.names.keys()]);
  const templates = model.events.map((event) => ({ ...event, pieces: event.data.split(pattern) }));
  const [issued] = templates;
  let hashPrev = genesisHash(suite, issuer, tenantId);
  let seq = 0;
  const plan: Value[][] = [];
  let events: EvidenceRow[] = [];
  for (let n = 0; n < count; n++) {
    const at = now - SPAN_MS + Math.floor((n * SPAN_MS) / count);
    const stem = makeId('', at, randomBytes(RANDOM_BYTES));
    const agent = (n % 4 < 2 ? agents[0] : agents[1 + ((n >> 2) % (agents.length - 1))]) as string;
    const context = `ctx-${Math.floor(n / SESSION_PURCHASES)}`;
    plan.push([n, stem, at, agent, context]);
    const values = nameValues(model, { stem, agent, context });
    const expired = { ...(issued as (typeof templates)[number]), event_type: 'INTENT_EXPIRED' };
    for (const template of n % EXPIRES_EVERY === 0 ? [issued, expired] : templates) {
      if (template === undefined) continue;
      const { pieces, ...row } = template;
      const data = pieces.map((piece) => values.get(piece) ?? piece).join('');
      seq += 1;
      const id = makeId('evt_', at, randomBytes(RANDOM_BYTES));
      const actorDid = row.actor_did === issuer ? issuer : agent;
      const record = { id, seq, eventType: row.event_type, actorDid, dataText: data, hashPrev };
      const hashCurr = hashEvent(suite, { ...record, createdAt: new Date(at).toISOString() } as never);
      events.push({
        ...row,
        seq,
        id,
        data,
        actor_did: actorDid,
        hash_prev: hashPrev,
        hash_curr: hashCurr,
        created_at: at,
        run_seq: 1,
        latest_at: at,
        transaction_id: `txn_${stem}`,
        context_id: context,
      });
      hashPrev = hashCurr;
      if (events.length === ROWS_AT_ONCE) {
        await store.write(tenantId, () => insertEvents(store, events));
        events = [];
      }
    }
    if (plan.length === ROWS_AT_ONCE) await store.write(tenantId, () => insertPlan(plan.splice(0)));
  }
  if (events.length > 0) await store.write(tenantId, () => insertEvents(store, events));
  if (plan.length > 0) await store.write(tenantId, () => insertPlan(plan));
}

function nameValues(
  { names }: Model,
  { stem, agent, context }: { readonly stem: string; readonly agent: string; readonly context: string },
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, sql] of names) {
    const [, prefix] = /^'(.*)' \|\| f\.stem$/.exec(sql) ?? [];
    values.set(name, prefix === undefined ? (sql === 'f.agent' ? agent : context) : prefix + stem);
  }
  return values;
}

function* insertPlan(rows: readonly Value[][]): Script<number> {
  const marks = rows.map(() => '(?, ?, ?, ?, ?)').join(', ');
  return yield* run(`INSERT INTO bench_fill (n, stem, at, agent, context) VALUES ${marks}`, ...rows.flat());
}

function* insertLike(model: Model, table: Table, from: number, until: number): Script<number> {
  const row = model.rows.get(table) ?? {};
  const differing: Readonly<Record<string, string>> = {
    created_at: 'f.at',
    authorized_at: 'f.at',
    next_at: 'f.at',
    expires_at: 'f.at + 3600000',
    hold_until: 'NULL',
    ...(table.name === 'intents'
      ? { status: `CASE WHEN f.n % ${EXPIRES_EVERY} = 0 THEN 'EXPIRED' ELSE 'USED' END` }
      : {}),
    ...(table.name === 'payments'
      ? { status: PAYMENT_STATUS, merchant: MERCHANT, disputed_minor: DISPUTED_MINOR }
      : {}),
  };
  const names = columnNames(table);
  const cells = names.map((name) => differing[name] ?? expressionOf(row[name] ?? null, model.names));
  const paid = table.name === 'intents' ? '' : `AND f.n % ${EXPIRES_EVERY} <> 0`;
  return yield* run(
    `INSERT INTO ${table.name} (${names.join(', ')}) SELECT ${cells.join(', ')} FROM bench_fill AS f
     WHERE f.n >= ? AND f.n < ? ${paid} ORDER BY f.n`,
    from,
    until,
  );
}
