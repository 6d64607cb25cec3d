/** Checks the database: whether it is intact, its schema version, its issuer, and whether its evidence chains hold. */
import { join } from 'node:path';
import type { Suite } from '../../../protocol/credential/ed25519.ts';
import { firstDidOf, type IssuerKey } from '../../crypto/issuerKey.ts';
import { checkRootKey } from '../../crypto/rootKey.ts';
import { extensionFault } from '../../domain/checkpoints/keptCheckpoint.ts';
import { FIRST_ISSUER, ROOT_MARK } from '../../domain/operator/claimDatabase.ts';
import { readFirstIssuer, verifyChains } from '../../maintenance/chains.ts';
import { findDamage } from '../../maintenance/damage.ts';
import { DATABASE } from '../../maintenance/manifest.ts';
import { refuseMoved } from '../../maintenance/moved.ts';
import { checkpointFile } from '../../node/checkpointFile.ts';
import type { Config } from '../../node/config/config.ts';
import { checkEnvironment } from '../../node/databaseEnvironment.ts';
import { readSchema } from '../../store/schema/readSchema.ts';
import { NO_CLOCK, openSqlite } from '../../store/sqlite/sqliteStore.ts';
import { findSetting } from '../../store/statements/node/settings.ts';
import { listTenants } from '../../store/statements/node/tenants.ts';
import { all, get, type Store } from '../../store/store.ts';
import { type Finding, fault, ok, warning } from '../../usecase/finding.ts';
import { reasonOf } from '../commandFailure.ts';

/** Nothing is not the same as nothing wrong. @param place the folder or database */
export function neverStarted(place: string): Finding {
  const remedy = 'start one with countersign serve; or name the one that is meant by DATA_DIR, or COUNTERSIGN_URL';
  return fault('database', `No node was started on ${place} yet, so there is nothing to examine.`, remedy);
}

/** Opens the database without migrating it. @returns the store, or why it cannot be opened */
export async function openUnchanged(config: Config): Promise<{ store?: Store; findings: Finding[] }> {
  const check = 'database';
  if (config.databaseUrl !== undefined) {
    try {
      const { openPostgres } = await import('../../store/postgres/postgresStore.ts');
      const { databaseReplicaUrl: url } = config;
      let finding: Finding | undefined;
      const onChange = (unused: string | undefined) => {
        finding = judgeReplica(unused);
      };
      const replica = url === undefined ? undefined : { url, onChange };
      const store = await openPostgres(config.databaseUrl, NO_CLOCK, { maxConnections: 1, replica });
      await store.readApart(function* () {});
      return { store, findings: [ok(check, 'PostgreSQL answers.'), ...(finding === undefined ? [] : [finding])] };
    } catch (error) {
      const remedy = 'start the server, or correct DATABASE_URL; try: psql "$DATABASE_URL" -c "SELECT 1"';
      return { findings: [fault(check, reasonOf(error), remedy)] };
    }
  }
  const file = join(config.dataDir, DATABASE);
  const damage = findDamage(file, false);
  if (damage === undefined) {
    return { store: openSqlite(file, NO_CLOCK, { unchanged: true }), findings: [ok(check, `${file} is intact.`)] };
  }
  const remedy = `countersign restore FILE --data-dir ${config.dataDir}`;
  return { findings: [fault(check, `${file} is damaged: ${damage}.`, remedy)] };
}

function judgeReplica(unused: string | undefined): Finding {
  const check = 'replica';
  if (unused === undefined) return ok(check, 'Long reads go to the replica.');
  const remedy =
    'start the replica, or correct DATABASE_REPLICA_URL; try: psql "$DATABASE_REPLICA_URL" -c "SELECT pg_is_in_recovery()"';
  return warning(check, `Long reads go to the server itself, not to the replica: ${unused}.`, remedy);
}

/** @returns the finding, and whether the tables can be read by this program */
export async function checkSchema(store: Store): Promise<{ finding: Finding; isCurrent: boolean }> {
  const check = 'schema';
  const files = await readSchema();
  let applied: { version: number }[];
  try {
    applied = await store.read(() =>
      all<{ version: number }>('SELECT version FROM schema_migrations ORDER BY version'),
    );
  } catch {
    return { finding: neverStarted('this database'), isCurrent: false };
  }
  const version = applied.at(-1)?.version ?? 0;
  if (version > files.length) {
    const message = `The database has schema version ${version}, this program knows versions up to ${files.length}.`;
    return {
      finding: fault(check, message, 'install the newer countersign that made it, or restore an older backup'),
      isCurrent: false,
    };
  }
  if (version < files.length) {
    const message = `The database has schema version ${version}; the next start brings it to ${files.length}, after a copy.`;
    return { finding: warning(check, message, 'countersign migrate, or countersign serve'), isCurrent: false };
  }
  return { finding: ok(check, `Version ${version}, the newest.`), isCurrent: true };
}

export async function checkOwner(suite: Suite, store: Store, key: IssuerKey, config: Config): Promise<Finding> {
  const check = 'issuer';
  const issuer = await readFirstIssuer(store);
  if (issuer === undefined) return ok(check, 'No node was started on the database yet.');
  const did = firstDidOf(suite, key);
  if (did === issuer) return ok(check, `The key belongs to the database: ${did}.`);
  return fault(
    check,
    `The database belongs to ${issuer}, but ${config.issuerKeyFile} is the key of ${did}.`,
    'set ISSUER_KEY_FILE to the key file that this database was made with',
  );
}

/** Compares each chain with the last checkpoint that the node signed, which is kept outside the database. */
export async function checkKeptCheckpoints(
  suite: Suite,
  store: Store,
  key: IssuerKey,
  config: Config,
): Promise<Finding> {
  const check = 'checkpoint';
  const judge = {
    suite,
    issuers: [...key.rotations.map(({ from }) => from), suite.signer(key.seed).did],
    isSandbox: config.environment === 'sandbox',
  };
  const remedy = `compare with checkpoints kept elsewhere; then countersign restore FILE --data-dir ${config.dataDir}`;
  try {
    const kept = checkpointFile(config.dataDir);
    for (const { id } of await store.read(() => listTenants())) {
      const broken = await store.read(() => extensionFault(judge, id, kept.find(id), true));
      if (broken !== undefined) return fault(check, `${broken} The node signs none until they agree.`, remedy);
    }
    return ok(check, 'The evidence extends the last checkpoint that was kept.');
  } catch (error) {
    return fault(check, reasonOf(error), remedy);
  }
}

export async function checkWorld(store: Store, config: Config): Promise<Finding> {
  const check = 'environment';
  try {
    await checkEnvironment(config, store);
    return ok(check, `The database is of the ${config.environment}.`);
  } catch (error) {
    return fault(check, reasonOf(error), 'set AP2_ENV to the environment of the database');
  }
}

/** Whether the data lives on in another database. */
export async function checkMoved(store: Store): Promise<Finding> {
  const check = 'moved';
  try {
    await refuseMoved(store);
    return ok(check, 'The data was not moved to another database.');
  } catch (error) {
    return fault(check, reasonOf(error), 'name the other database by DATABASE_URL or DATA_DIR');
  }
}

/** Whether the root key is there, accessible to its owner alone, and that of the database. */
export async function checkRoot(store: Store, config: Config): Promise<Finding> {
  const check = 'root key';
  const file = config.rootKeyFile;
  const database = await store.read(function* () {
    return { firstIssuer: yield* findSetting(FIRST_ISSUER), rootMark: yield* findSetting(ROOT_MARK) };
  });
  if (database.firstIssuer === undefined) return ok(check, 'No node was started on the database yet.');
  try {
    checkRootKey(file, database);
    return ok(check, `${file} is accessible to its owner only, and belongs to the database.`);
  } catch (error) {
    const message = reasonOf(error);
    if (/chmod 600/.test(message)) return fault(check, `The key file ${file} is open to others.`, `chmod 600 ${file}`);
    return fault(check, message, 'put it back from a backup, or set ROOT_KEY_FILE to it');
  }
}

export async function checkChains(suite: Suite, store: Store, config: Config): Promise<Finding> {
  const check = 'evidence';
  const issuer = await readFirstIssuer(store);
  if (issuer === undefined) return ok(check, 'The chain is empty.');
  const broken = await verifyChains(suite, store, issuer);
  const last = await store.read(() => get<{ count: number }>('SELECT COUNT(*) AS count FROM evidence'));
  if (broken.length === 0) return ok(check, `${last?.count ?? 0} chained events hold.`);
  const remedy =
    config.databaseUrl === undefined
      ? `countersign backup broken.tar, to be examined; then countersign restore FILE --data-dir ${config.dataDir}`
      : 'pg_dump "$DATABASE_URL" > broken.sql, to be examined; then pg_restore the last dump whose chains hold';
  return fault(check, broken.join(' '), remedy);
}
