/** Migrates a database to the schema of this program: numbered SQL files, each applied once and never changed. */
import { createHash } from 'node:crypto';
import { rewriteCode, splitStatements } from '../sqlText.ts';
import { all, exists, get, run, type Script, type Store } from '../store.ts';

/** Scripts under this name run one after the other on all nodes, like those of a tenant. */
export const MIGRATION = 'schema migration';

/** `NNN_name.sql` and its text. */
export interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly hash: string;
  readonly text: string;
}

interface AppliedRow {
  readonly version: number;
  readonly name: string;
  readonly hash: string;
}

/**
 * Applies the missing files, each in its own transaction; all in one to a database that has none, which is as good as new
 * until then. Several nodes may start at the same time.
 * @param files in the order of their numbers, from 001 without gaps
 * @throws Error for a database of a newer program, or of one whose schema is not read any more, or a file that was changed after it was applied
 */
export async function migrate(store: Store, files: readonly SchemaFile[]): Promise<void> {
  const migrations = readMigrations(files);
  let isMissing = true;
  while (isMissing) isMissing = await store.write(MIGRATION, (now) => applyMissing(store.engine, migrations, now));
}

/**
 * Checks that a database has the schema of this program, and changes nothing.
 * @throws Error that names the command to run
 */
export async function requireSchema(store: Store, files: readonly SchemaFile[]): Promise<void> {
  await refuseUnread(store);
  const applied = await store.read(() => appliedVersion(store.engine));
  if (applied > files.length) throw newer(applied, files.length);
  if (applied === files.length) return;
  throw new Error(
    `The database has schema version ${applied}, and this program works with version ${files.length}. ` +
      'Run "countersign migrate", which makes a copy first, or start the node with "countersign serve".',
  );
}

/** The first schema file of the versions before 0.1.0, and the last commit that reads what they wrote. */
const UNREAD = { name: '001_initial.sql', lastReader: '8e7bbd64' };

/**
 * Looks before anything else does, and changes nothing.
 * @throws Error for the data of a version before 0.1.0, with what still reads it
 */
export async function refuseUnread(store: Store): Promise<void> {
  const isUnread = await store.read(function* () {
    if ((yield* appliedVersion(store.engine)) === 0) return false;
    return yield* exists('SELECT name FROM schema_migrations WHERE version = 1 AND name = ?', UNREAD.name);
  });
  if (!isUnread) return;
  throw new Error(
    'This data was made by a version before 0.1.0, whose schema this program does not read; nothing has been changed. ' +
      `The last version that reads it is commit ${UNREAD.lastReader}: there "countersign data export FILE" writes evidence ` +
      'and records as JSON lines. Start this version with a new DATA_DIR or database.',
  );
}

/** The newest version that was applied; 0 for a database without a schema. */
export function* appliedVersion(engine: Store['engine']): Script<number> {
  const named = "'schema_migrations'";
  const isThere = yield* exists(
    engine === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name = ${named}`
      : `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ${named}`,
  );
  if (!isThere) return 0;
  return (
    (yield* get<{ version: number | null }>('SELECT MAX(version) AS version FROM schema_migrations'))?.version ?? 0
  );
}

function newer(version: number, known: number): Error {
  return new Error(
    `The database has schema version ${version}, this program knows versions up to ${known}. ` +
      'Start the newer program that made it, or restore a backup from before the upgrade.',
  );
}

/** Applies the first file that is missing, or all where all are. @returns whether any is missing then */
function* applyMissing(engine: Store['engine'], migrations: readonly Migration[], now: number): Script<boolean> {
  yield* run(
    `CREATE TABLE IF NOT EXISTS schema_migrations
     (version BIGINT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, applied_at BIGINT NOT NULL)`,
  );
  const applied = yield* all<AppliedRow>('SELECT version, name, hash FROM schema_migrations ORDER BY version');
  checkApplied(migrations, applied);
  const isNew = applied.length === 0;
  const next = migrations.slice(applied.length, isNew ? undefined : applied.length + 1);
  for (const migration of next) {
    for (const statement of statementsOf(migration, engine)) yield* run(statement);
    yield* recordApplied(migration, now);
  }
  return applied.length + next.length < migrations.length;
}

function* recordApplied({ version, name, hash }: Migration, now: number): Script<void> {
  yield* run(
    'INSERT INTO schema_migrations (version, name, hash, applied_at) VALUES (?, ?, ?, ?)',
    version,
    name,
    hash,
    now,
  );
}

function checkApplied(migrations: readonly Migration[], applied: readonly AppliedRow[]): void {
  const newest = applied.at(-1)?.version ?? 0;
  if (newest > migrations.length) throw newer(newest, migrations.length);
  applied.forEach((row, index) => {
    const known = migrations[index];
    if (known !== undefined && known.version === row.version && known.hash === row.hash) return;
    throw new Error(
      `Schema version ${row.version} (${row.name}) was applied to this database in another form than this program has. ` +
        'Restore that file as it was; a change of the schema goes into a new file.',
    );
  });
}

function readMigrations(files: readonly SchemaFile[]): Migration[] {
  return files.map(({ name, text: written }, index) => {
    const version = Number(/^(\d{3})_\w+\.sql$/.exec(name)?.[1]);
    if (version !== index + 1) {
      throw new Error(
        `The schema file ${name}: file ${index + 1} is to be named ${threeDigits(index + 1)}_<name>.sql.`,
      );
    }
    // A checkout on Windows may have other line endings, which is no change.
    const text = written.replaceAll('\r\n', '\n');
    return { version, name, hash: createHash('sha256').update(text).digest('hex'), text };
  });
}

function statementsOf({ text }: Migration, engine: Store['engine']): string[] {
  const statements = splitStatements(text).filter((statement) => isFor(statement, engine));
  return engine === 'postgres' ? statements.map(forPostgres) : statements;
}

function threeDigits(version: number): string {
  return String(version).padStart(3, '0');
}

/** A statement that begins with such a comment is for one engine alone. */
const ONLY = /^(?:--.*\n|\s)*\/\* (sqlite|postgres) only \*\//;

function isFor(statement: string, engine: Store['engine']): boolean {
  const only = ONLY.exec(statement)?.[1];
  return only === undefined || only === engine;
}

/**
 * SQLite orders text by its bytes; PostgreSQL would use the collation of the database, so ids would sort differently. And
 * SQLite can keep a table in the tree of its key alone.
 */
function forPostgres(statement: string): string {
  return rewriteCode(statement, (code) =>
    code.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"').replaceAll(/\bWITHOUT ROWID\b/g, ''),
  );
}
