// Runs test files: those that are named, or all but the long ones (*.long.test.ts). One PostgreSQL serves them all. A run
// of all files fails when fewer tests ran than are known (test/count.json), since a test that is not run cannot fail.
//   --long    runs the long ones too, and the repeated ones in full (test/support/rounds.ts), and writes what they measure into
//             docs/explanation/reliability.md; all of them take about two hours
//   --count   notes in test/count.json how many tests there are now
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleTests } from './bundle/bundleTests.mjs';
import { findProgram } from './bundle/program.mjs';
import { writeFigures } from './figures.mjs';

const POSTGRES = 'test/support/postgresServer.ts';
const COUNT_FILE = 'test/count.json';
const HOUR_MS = 3_600_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false }, count: { type: 'boolean', default: false } },
});
const named = positionals.map((file) => relative(root, resolve(file)));
process.chdir(root);
const files = named.length > 0 ? named : testFiles();

mkdirSync('dist', { recursive: true });
const folder = mkdtempSync(join('dist', 'test-'));
let output;
let code;
try {
  await bundleTests(root, [...files, POSTGRES], folder);
  // Built here once, and not by every test that starts it first.
  if (named.length === 0) findProgram(root);
  ({ output, code } = await run());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (options.long) writeFigures(root, new Date().toISOString().slice(0, 10));
if (code !== 0) process.exit(code ?? 1);
if (named.length === 0) checkCount();

async function run() {
  const { startPostgres } = await import(pathToFileURL(resolve(bundled(POSTGRES))).href);
  // A file that runs alone starts one itself if it wants one (test/support/engines.ts).
  const isShared = files.length > 1 && process.env.TEST_DATABASE_URL === undefined;
  const postgres = isShared ? await startPostgres() : undefined;
  try {
    return await runNodeTest({
      ...process.env,
      ...(postgres === undefined ? {} : { TEST_DATABASE_URL: postgres.url }),
      ...(options.long ? { LONG: '1' } : {}),
    });
  } finally {
    await postgres?.stop();
  }
}

async function runNodeTest(env) {
  const settings = [
    '--test-reporter=spec',
    '--test-concurrency=2',
    `--test-timeout=${options.long ? 3 * HOUR_MS : HOUR_MS / 6}`,
  ];
  const args = ['--enable-source-maps', '--test', ...settings, ...files.map(bundled)];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { output, code };
}

function checkCount() {
  const countOf = (what) => Number(new RegExp(`^ℹ ${what} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  // What a machine has no tool for says so by name. The browser and the compiler are no such tools in CI: there it fails.
  const count = countOf('pass') + countOf('skipped');
  const known = JSON.parse(readFileSync(COUNT_FILE, 'utf8')).passed;
  if (options.count) return writeFileSync(COUNT_FILE, `{ "passed": ${count} }\n`);
  if (count >= known) return;
  console.error(`Only ${count} tests passed, ${known} are known: some did not run.`);
  process.exit(1);
}

/** Where a test file lies once it is JavaScript. */
function bundled(file) {
  return join(folder, file.replace(/\.ts$/, '.js'));
}

function testFiles() {
  return readdirSync('test', { recursive: true })
    .filter((file) => file.endsWith('.test.ts') && (options.long || !file.endsWith('.long.test.ts')))
    .map((file) => join('test', file))
    .sort();
}
