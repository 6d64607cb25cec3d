// Writes client/operations.ts from the routes and schemas. With `--check` it writes nothing, and fails where the file says something
// else. With `--build [folder]` it builds the client as one JavaScript file with its types, as the package carries it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeOperations } from './client/makeOperations.mjs';

const FILE = 'client/operations.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const [task, folder] = process.argv.slice(2);
if (task === undefined) writeFileSync(FILE, await makeOperations(root));
else if (task === '--check') await check();
else if (task === '--build') build(folder ?? join('dist', 'client'));
else end(`"${task}" is not known. It is --check, --build [folder], or nothing.`);

async function check() {
  if (readFileSync(FILE, 'utf8') === (await makeOperations(root))) return;
  end(
    `${FILE} differs from the routes and schemas. Run "node scripts/client.mjs", and commit the file with your change.`,
  );
}

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

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}
