/** The manifest of a backup, by which a restore checks that the backup is complete and belongs to this issuer. */
import { z } from 'zod';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { NO_CLOCK, openSqlite } from '../store/sqlite/sqliteStore.ts';
import { all, get, type Store } from '../store/store.ts';
import { readChains, readFirstIssuer } from './chains.ts';

export const DATABASE = 'countersign.db';
export const KEY = 'issuer.key';
export const ROOT_KEY = 'root.key';
/** The last checkpoints that were signed. */
export const CHECKPOINT = 'checkpoint';
export const MANIFEST = 'manifest.json';

export const Manifest = z.object({
  format: z.literal('countersign-backup'),
  formatVersion: z.literal(1),
  createdAt: z.iso.datetime(),
  /** Of the program that wrote the backup. */
  version: z.string(),
  schemaVersion: z.int().positive(),
  /** The DID in the genesis hashes of the evidence chains. */
  issuer: z.string(),
  /** Of the database file. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().positive(),
  includesKey: z.boolean(),
  chains: z.array(z.object({ tenantId: z.string(), events: z.int().min(0), head: z.string() })),
  /** Rows by table. */
  rows: z.record(z.string(), z.int().min(0)),
});
export type Manifest = z.infer<typeof Manifest>;

export type Contents = Pick<Manifest, 'schemaVersion' | 'issuer' | 'chains' | 'rows'>;

/** How many events of evidence and rows of all tables there are. */
export function countContents({ chains, rows }: Pick<Contents, 'chains' | 'rows'>): ContentCounts {
  return {
    events: chains.reduce((sum, chain) => sum + chain.events, 0),
    rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
  };
}

export interface ContentCounts {
  readonly events: number;
  readonly rows: number;
}

/**
 * Reads the contents of a database file of this schema or an older one.
 * @param origin what the file was taken from, to be named in errors
 * @throws Error when no node was ever started on it
 */
export async function readContents(suite: Suite, file: string, origin: string): Promise<Contents> {
  const store = openSqlite(file, NO_CLOCK);
  try {
    const issuer = (await hasSettings(store)) ? await readFirstIssuer(store) : undefined;
    if (issuer === undefined)
      throw new Error(`${origin} is not the data of a node: none has come through its first start on it.`);
    const { rows, schemaVersion } = await countAll(store);
    return { schemaVersion, issuer, rows, chains: await readChains(suite, store, issuer) };
  } finally {
    await store.close();
  }
}

async function hasSettings(store: Store): Promise<boolean> {
  const found = await store.read(() =>
    get("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'settings'"),
  );
  return found !== undefined;
}

async function countAll(store: Store): Promise<{ rows: Record<string, number>; schemaVersion: number }> {
  return store.read(function* () {
    const rows: Record<string, number> = {};
    const tables = yield* all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    );
    for (const { name } of tables) {
      rows[name] = (yield* get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${name}`))?.count ?? 0;
    }
    const last = yield* get<{ version: number }>('SELECT MAX(version) AS version FROM schema_migrations');
    return { rows, schemaVersion: last?.version ?? 0 };
  });
}
