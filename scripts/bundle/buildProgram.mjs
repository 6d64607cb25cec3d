// Builds the program: `node scripts/bundle/buildProgram.mjs FOLDER`. With `--external` the libraries stay outside, as npm
// installs them beside the package; otherwise they are in the bundle, which starts in half the time.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CANNOT_BUILD, PROGRAM_PREFIX } from './program.mjs';

const DRAFT_PREFIX = 'draft-';
const DRAFT_MAX_AGE_MS = 3_600_000;
/** Builds of earlier sources that stay: a node that runs from one may still have a part of it to load. */
const EARLIER_BUILDS = 4;

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const target = resolve(root, process.argv[2]);
const dist = dirname(target);
const draft = join(dist, DRAFT_PREFIX + randomUUID());
try {
  mkdirSync(draft, { recursive: true });
  await bundleProgram(draft, process.argv.includes('--external') ? 'all' : []);
  put(draft, target);
  removeOldBuilds();
} catch (error) {
  // The compiler has printed what is wrong with the sources.
  if (error.errors !== undefined) process.exitCode = 1;
  else if (['ERR_MODULE_NOT_FOUND', 'EACCES', 'EPERM', 'EROFS'].includes(error.code)) process.exitCode = CANNOT_BUILD;
  else throw error;
} finally {
  rmSync(draft, { recursive: true, force: true });
}

async function bundleProgram(outdir, external) {
  // Not imported at the top: where esbuild is not installed, that is an answer.
  const { bundleModules } = await import('./bundle.mjs');
  const { buildConsole } = await import('../console/buildConsole.mjs');
  await bundleModules(root, {
    entryPoints: ['src/main.ts'],
    outbase: 'src',
    outdir,
    external,
    // Every module lies two folders below the root.
    sourceUrl: (file) => `new URL('../../${file}', import.meta.url).href`,
    // All chunks lie beside it.
    program: "new URL('main.js', import.meta.url).href",
  });
  // Where src/assets/consoleFiles.ts looks for it.
  await buildConsole(root, join(outdir, 'console'));
}

/** A folder that is named for its sources stands once it is there; another process may have been faster. */
function put(from, to) {
  if (!basename(to).startsWith(PROGRAM_PREFIX)) rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(join(to, 'main.js'))) throw error;
  }
}

function removeOldBuilds() {
  // One that is gone meanwhile is as new as can be.
  const ageOf = (name) => Date.now() - (statSync(join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  const named = (prefix) => readdirSync(dist).filter((name) => name.startsWith(prefix));
  const earlier = named(PROGRAM_PREFIX)
    .filter((name) => name !== basename(target))
    .sort((one, other) => ageOf(one) - ageOf(other));
  const abandoned = named(DRAFT_PREFIX).filter((name) => ageOf(name) > DRAFT_MAX_AGE_MS);
  for (const name of [...earlier.slice(EARLIER_BUILDS), ...abandoned]) {
    rmSync(join(dist, name), { recursive: true, force: true });
  }
}
