// Writes client/operations.ts from the node's routes and schemas; with `--check` only says whether it is as it has to
// be. With `--build [folder]` it builds the client as one JavaScript file with its types, as the package carries it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
register();

const at = process.argv.indexOf('--build');
if (at === -1) await writeOperations();
else build(process.argv[at + 1] ?? join('dist', 'client'));

async function writeOperations() {
  const { operationsFile } = await import('./operations.ts');
  const file = join('client', 'operations.ts');
  const text = run('biome', ['format', `--stdin-file-path=${file}`], operationsFile());
  if (!process.argv.includes('--check')) return writeFileSync(file, text);
  if (readFileSync(file, 'utf8') === text) return;
  console.error(`${file} is not what the routes say; run "node scripts/client.mjs".`);
  process.exitCode = 1;
}

function build(folder) {
  const out = `--outfile=${join(folder, 'index.js')}`;
  const options = ['--bundle', '--minify', '--format=esm', '--platform=neutral', '--main-fields=module,main', out];
  run('esbuild', ['client/index.ts', '--target=es2022', '--log-level=warning', ...options]);
  const types = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', join(folder, 'types')];
  run('tsc', ['--project', 'client/tsconfig.json', ...types]);
}

/** Runs a program of this package and gives what it printed. */
function run(name, args, input) {
  const bin = join(root, 'node_modules', '.bin', name);
  const options = { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'], shell: process.platform === 'win32' };
  const done = spawnSync(bin, args, options);
  if (done.status === 0) return done.stdout;
  console.error(done.stdout);
  process.exit(done.status ?? 1);
}
