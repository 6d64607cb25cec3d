/** Copies all rows of a database into another, empty one, on the same or the other engine, and verifies the copy. */
import { isDeepStrictEqual } from 'node:util';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { databaseTime } from '../store/statements/node/nodes.ts';
import { insertManyInto, type Table } from '../store/statements/tableDefinition.ts';
import { TABLES } from '../store/statements/tables.ts';
import { count, get, type Reader, run, type Script, type Store } from '../store/store.ts';
import { type ChainState, listChains, readChains, readFirstIssuer, verifyChains } from './chains.ts';
import { markMoved, refuseMoved } from './moved.ts';
import { countRows, digest, digestTable, readRows, type TableState } from './readRows.ts';

interface TransferResult {
  readonly tables: Readonly<Record<string, TableState>>;
  readonly chains: readonly ChainState[];
}

/** A node without a heartbeat for this long is gone. */
const NODE_LIFE_SECONDS = 6;
/** The name under which the scripts of a transfer run one after the other. */
const TRANSFER = 'transfer';

interface Course {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How the mark on the source names the target; it holds no password. */
  readonly target: string;
  /** Is told how many rows of how many were written or verified. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Copies what one snapshot of the source holds. At the end the source is compared with it once more, and marked as moved.
 * @param from without a running node
 * @param to with this program's schema and no rows
 * @throws Error when the target is not empty, or when the copy or the source differs, in which case it is removed again
 */
export async function transfer(suite: Suite, from: Store, to: Store, course: Course): Promise<TransferResult> {
  const { now, onProgress = () => {} } = course;
  await refuseMoved(from);
  await refuseWhileInUse(from, now);
  const issuer = await readFirstIssuer(from);
  if (issuer === undefined) throw new Error('There is nothing to move: no node was ever started on the source.');
  const filled = await firstFilled(to);
  if (filled !== undefined) {
    throw new Error(`The target is not empty: it has rows in ${filled}. Give a new database, or remove what is there.`);
  }
  try {
    const sent = await from.onSnapshot((snapshot) => copyAll({ suite, issuer, onProgress }, snapshot, to));
    const broken = await verifyChains(suite, to, issuer);
    if (broken.length > 0) throw new Error(broken.join('\n'));
    const arrived = await readChains(suite, to, issuer);
    if (!isDeepStrictEqual(arrived, sent.chains)) throw new Error('The chains did not arrive as they were sent.');
    await from.write(TRANSFER, () => seal(from.engine, { suite, issuer }, sent, course));
    return sent;
  } catch (error) {
    // All rows are from this transfer, since the target was empty.
    for (const { name } of TABLES.toReversed()) await to.write(TRANSFER, () => run(`DELETE FROM ${name}`));
    throw error;
  }
}

interface ChainContext {
  readonly suite: Suite;
  /** The database's first. */
  readonly issuer: string;
}

async function copyAll(
  { suite, issuer, onProgress }: ChainContext & Required<Pick<Course, 'onProgress'>>,
  from: Reader,
  to: Store,
): Promise<TransferResult> {
  let total = 0;
  for (const table of TABLES) total += 2 * (await countRows(from, table));
  let done = 0;
  const advance = (count: number) => {
    done += count;
    onProgress(done, total);
  };
  const tables: Record<string, TableState> = {};
  for (const table of TABLES) tables[table.name] = await copyTable(from, to, table, advance);
  for (const table of TABLES) {
    const arrived = await digestTable(to, table, advance);
    if (arrived.sha256 !== tables[table.name]?.sha256) {
      throw new Error(`The rows of ${table.name} did not arrive as they were sent.`);
    }
  }
  return { tables, chains: await readChains(suite, from, issuer) };
}

/**
 * Marks the source as moved, in the commit that finds it unchanged.
 * @throws Error that names what was written to it meanwhile
 */
function* seal(
  engine: Store['engine'],
  { suite, issuer }: ChainContext,
  sent: TransferResult,
  { now, target }: Course,
): Script<void> {
  // On SQLite the commit alone excludes every other writer.
  if (engine === 'postgres') yield* run(`LOCK TABLE ${TABLES.map(({ name }) => name).join(', ')} IN SHARE MODE`);
  const changes: string[] = [];
  for (const { name } of TABLES) {
    const rows = yield* count(`SELECT COUNT(*) AS count FROM ${name}`);
    if (rows !== sent.tables[name]?.rows) changes.push(name);
  }
  if (!isDeepStrictEqual(yield* listChains(suite, issuer), sent.chains)) changes.push('the chains');
  if (changes.length > 0) {
    throw new Error(writtenTo([...new Set(changes)].join(', ')));
  }
  yield* markMoved({ to: target, at: now });
}

function writtenTo(what: string): string {
  return `The source was written to while it was moved (${what}): stop every program that uses it, and move again.`;
}

/** Nodes write a heartbeat every two seconds. */
async function refuseWhileInUse(store: Store, now: number): Promise<void> {
  const seconds = await store.read(function* () {
    const seen = yield* get<{ last: number | null }>('SELECT MAX(seen_at) AS last FROM nodes');
    return Math.round(((yield* databaseTime(store.engine, now)) - (seen?.last ?? 0)) / 1000);
  });
  if (seconds < NODE_LIFE_SECONDS) throw new Error(`A node runs on the source, seen ${seconds} s ago: stop it first.`);
}

async function firstFilled(store: Store): Promise<string | undefined> {
  for (const table of TABLES) if ((await countRows(store, table)) > 0) return table.name;
  return undefined;
}

async function copyTable(from: Reader, to: Store, table: Table, advance: (count: number) => void): Promise<TableState> {
  const sent = digest(table);
  const insertRows = insertManyInto(table);
  for await (const rows of readRows(from, table)) {
    await to.write(TRANSFER, () => insertRows(rows));
    sent.add(rows);
    advance(rows.length);
  }
  return sent.end();
}
