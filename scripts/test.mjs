// Runs test files: those that are named, or those that `npm test` has. One PostgreSQL serves them all, and many files share a process.
// A run fails when a file of it ran no test.
//   --rest    runs what `npm test` leaves out: whole nodes on PostgreSQL, the browser, simulated worlds, documents, packages, the binary
//   --kernel  runs the kernel's own tests by nodes that have no extension but the sandbox's rail
//   --long    runs all of it and the long ones (*.long.test.ts), the repeated ones in full (test/support/rounds.ts), and writes what
//             they measure into docs/explanation/reliability.md; all of them take about two hours
//   --times   says how long each file took, the longest first
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleTests } from './bundle/bundleTests.mjs';
import { findProgram } from './bundle/program.mjs';
import { writeFigures } from './figures.mjs';
import { partsOf, planOf } from './test/plan.mjs';
import { killStuckFiles } from './test/stuckFiles.mjs';

const POSTGRES = 'test/support/postgresServer.ts';
const REPORTER = './scripts/test/fileReporter.mjs';
const MINUTE_MS = 60_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const flag = { type: 'boolean', default: false };
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rest: flag, kernel: flag, long: flag, times: flag },
});
const named = positionals.map((file) => relative(root, resolve(file)));
process.chdir(root);
const parts =
  named.length > 0 ? partsOf(named) : planOf(['long', 'rest', 'kernel'].find((what) => options[what]) ?? 'fast');

mkdirSync('dist', { recursive: true });
const folder = mkdtempSync(join('dist', 'test-'));
let code;
let ran;
try {
  const entries = parts.map(writeEntry);
  await bundleTests(root, [...entries, POSTGRES], folder);
  // Built here once, and not by every test that starts it first.
  if (named.length === 0) findProgram(root);
  code = await run(entries);
  ran = readFileSync(join(folder, 'ran'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (options.long) writeFigures(root, new Date().toISOString().slice(0, 10));
if (options.times) printTimes();
if (code !== 0) process.exit(code ?? 1);
requireAll();

/** The file that imports those of a part, and before them says which engine they have. */
function writeEntry({ files, engine }, index) {
  const entry = join(folder, 'parts', `${String(index).padStart(3, '0')}.ts`);
  mkdirSync(dirname(entry), { recursive: true });
  const first = join(dirname(entry), `${engine}.ts`);
  if (engine !== undefined) writeFileSync(first, `process.env.TEST_ENGINE = '${engine}';\n`);
  const imported = [...(engine === undefined ? [] : [first]), ...files];
  writeFileSync(entry, imported.map((file) => `import '${resolve(file)}';\n`).join(''));
  return entry;
}

async function run(entries) {
  const { startPostgres } = await import(pathToFileURL(resolve(bundled(POSTGRES))).href);
  // A file that runs alone starts one itself if it wants one (test/support/engines.ts).
  const isShared = parts.flatMap(({ files }) => files).length > 1 && process.env.TEST_DATABASE_URL === undefined;
  const postgres = isShared ? await startPostgres() : undefined;
  try {
    return await runNodeTest(entries, {
      ...process.env,
      ...(postgres === undefined ? {} : { TEST_DATABASE_URL: postgres.url }),
      ...(options.long ? { LONG: '1' } : {}),
      ...(options.kernel ? { TEST_EXTENSIONS: 'sandbox-rail' } : {}),
    });
  } finally {
    await postgres?.stop();
  }
}

function runNodeTest(entries, env) {
  const limitMs = minutesOfPart() * MINUTE_MS;
  const reporters = [
    ['spec', 'stdout'],
    [REPORTER, join(folder, 'ran')],
  ];
  const settings = [
    ...reporters.flatMap(([name, to]) => [`--test-reporter=${name}`, `--test-reporter-destination=${to}`]),
    // Two more than the cores that these runs are made for: a test that waits leaves its core to another one.
    '--test-concurrency=4',
    `--test-timeout=${2 * limitMs}`,
  ];
  const args = ['--enable-source-maps', '--test', ...settings, ...entries.map(bundled)];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const stopLooking = killStuckFiles(child.pid, limitMs);
  return new Promise((resolve) => child.on('close', resolve)).finally(stopLooking);
}

/** How long the files of one process may take. */
function minutesOfPart() {
  if (options.long) return 180;
  return options.rest || named.length > 0 ? 20 : 8;
}

/** A file that is in the run and ran no test cannot fail. */
function requireAll() {
  const seen = new Set(ran.map(({ file }) => file));
  const silent = [...new Set(parts.flatMap(({ files }) => files))].filter((file) => !seen.has(file));
  if (silent.length === 0) return;
  console.error(`No test ran in ${silent.join(', ')}.`);
  process.exit(1);
}

function printTimes() {
  const sums = new Map();
  for (const { file, ms } of ran) sums.set(file, (sums.get(file) ?? 0) + ms);
  for (const [file, ms] of [...sums].sort(([, one], [, other]) => other - one)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
  }
}

/** Where a file lies once it is JavaScript. */
function bundled(file) {
  return join(folder, file.replace(/\.ts$/, '.js'));
}
