/** Copies all rows of a database into another, empty one, on the same or the other engine, and verifies the copy. */
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { databaseTime } from '../store/statements/node/nodes.ts';
import { insertManyInto, type Table } from '../store/statements/tableDefinition.ts';
import { TABLES } from '../store/statements/tables.ts';
import { get, run, type Store } from '../store/store.ts';
import { type ChainState, readChains, readFirstIssuer, verifyChains } from './chains.ts';
import { countRows, digest, digestTable, readRows, type TableState } from './readRows.ts';

interface Transferred {
  readonly tables: Readonly<Record<string, TableState>>;
  readonly chains: readonly ChainState[];
}

/** A node without a heartbeat for this long is gone. */
const NODE_LIFE_SECONDS = 6;
/** The name under which the scripts of a transfer run one after the other. */
const TRANSFER = 'transfer';

/**
 * @param from without a running node
 * @param to with this program's schema and no rows
 * @param now milliseconds since the epoch
 * @param onProgress how many rows of how many were written or verified
 * @throws Error when the target is not empty, or when the copy differs, in which case it is removed again
 */
export async function transfer(
  suite: Suite,
  from: Store,
  to: Store,
  now: number,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Transferred> {
  await refuseWhileInUse(from, now);
  const issuer = await readFirstIssuer(from);
  if (issuer === undefined) throw new Error('There is nothing to move: no node was ever started on the source.');
  const filled = await firstFilled(to);
  if (filled !== undefined) {
    throw new Error(`The target is not empty: it has rows in ${filled}. Give a new database, or remove what is there.`);
  }
  let total = 0;
  for (const table of TABLES) total += 2 * (await countRows(from, table));
  let done = 0;
  const advance = (count: number) => {
    done += count;
    onProgress(done, total);
  };
  try {
    const sent: Record<string, TableState> = {};
    for (const table of TABLES) sent[table.name] = await copyTable(from, to, table, advance);
    for (const table of TABLES) {
      const arrived = await digestTable(to, table, advance);
      if (arrived.sha256 !== sent[table.name]?.sha256) {
        throw new Error(`The rows of ${table.name} did not arrive as they were sent.`);
      }
    }
    const broken = await verifyChains(suite, to, issuer);
    if (broken.length > 0) throw new Error(broken.join('\n'));
    return { tables: sent, chains: await readChains(suite, to, issuer) };
  } catch (error) {
    // All rows are from this transfer, since the target was empty.
    for (const { name } of TABLES.toReversed()) await to.write(TRANSFER, () => run(`DELETE FROM ${name}`));
    throw error;
  }
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

async function copyTable(from: Store, to: Store, table: Table, advance: (count: number) => void): Promise<TableState> {
  const sent = digest(table);
  const insertRows = insertManyInto(table);
  for await (const rows of readRows(from, table)) {
    await to.write(TRANSFER, () => insertRows(rows));
    sent.add(rows);
    advance(rows.length);
  }
  return sent.end();
}
