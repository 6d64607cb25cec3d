// Writes what is made of the sources: client/operations.ts, the same for Python, and the sections of docs/ on rules, reason codes and
// webhook events.
// With `--check` it writes nothing, and fails where a file says something else. With `--build [folder]` it builds the client as one
// JavaScript file with its types, as the package carries it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadGenerators } from './client/loadGenerators.mjs';

const PYTHON = 'packages/python/src/countersign';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const [task, folder] = process.argv.slice(2);
if (task === undefined) for (const [file, text] of await stale()) writeFileSync(file, text);
else if (task === '--check') check(await stale());
else if (task === '--build') build(folder ?? join('dist', 'client'));
else end(`"${task}" is not known. It is --check, --build [folder], or nothing.`);

/** The files that say something else than the sources, each with what it has to say. */
async function stale() {
  const { operationsText, faultsText, currenciesText, pythonTexts, withSections } = await loadGenerators(root);
  const pages = readdirSync('docs', { recursive: true }).filter((name) => name.endsWith('.md'));
  const written = new Map(pages.map(pageOf(withSections)));
  written.set('client/operations.ts', operationsText());
  written.set(`${PYTHON}/_faults.py`, faultsText(written.get('docs/reference/errors.md')));
  written.set(`${PYTHON}/_currencies.py`, currenciesText());
  for (const [name, text] of Object.entries(pythonTexts())) written.set(`${PYTHON}/${name}`, text);
  return [...written].filter(([file, text]) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined) !== text);
}

function pageOf(withSections) {
  return (name) => {
    const file = `docs/${name}`;
    return [file, withSections(file, readFileSync(file, 'utf8'))];
  };
}

function check(files) {
  if (files.length === 0) return;
  const names = files.map(([file]) => file).join(', ');
  end(
    `${names}: not what routes, schemas, rules and events say. Run "node scripts/client.mjs", and commit with your change.`,
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
