// Writes what is made of the sources: client/operations.ts, which git does not keep, and the sections of docs/ on rules,
// reason codes and webhook events. With `--build [folder]` it also builds the client as one JavaScript file with its types, as the package
// carries it.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeOperations } from './client/writeOperations.mjs';
import { writeSections } from './client/writeSections.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

await writeOperations(root);
await writeSections(root);
const at = process.argv.indexOf('--build');
if (at !== -1) build(process.argv[at + 1] ?? join('dist', 'client'));

function build(folder) {
  const out = `--outfile=${join(folder, 'index.js')}`;
  // Readable, since Node prints the line of an error that is not caught.
  const options = ['--bundle', '--format=esm', '--platform=neutral', '--main-fields=module,main', out];
  run('esbuild', ['client/index.ts', '--target=es2022', '--log-level=warning', ...options]);
  const types = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', join(folder, 'types')];
  run('tsc', ['--project', 'client/tsconfig.json', ...types]);
}

/** Runs a program that this package is developed with. */
function run(name, args) {
  const bin = join(root, 'node_modules', '.bin', name);
  const done = spawnSync(bin, args, { stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
