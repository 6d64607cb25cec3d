// Runs every test file on both engines: starts one PostgreSQL for all of them, and fails when fewer tests ran than
// the last known count, since a test that is not run cannot fail.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
register();

const wanted = process.argv.slice(2);
const files = (wanted.length > 0 ? wanted : testFiles()).sort();
const { startPostgres } = await import('../test/support/postgresServer.ts');
const postgres = process.env.TEST_DATABASE_URL === undefined ? await startPostgres() : undefined;
const env = { ...process.env, ...(postgres === undefined ? {} : { TEST_DATABASE_URL: postgres.url }) };

const args = [
  '--import',
  'tsx',
  '--test',
  '--test-reporter=spec',
  '--test-concurrency=2',
  '--test-timeout=600000',
  ...files,
];
const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
let output = '';
child.stdout.on('data', (chunk) => {
  output += chunk;
  process.stdout.write(chunk);
});
const code = await new Promise((resolve) => child.on('close', resolve));
await postgres?.stop();

const passed = Number(/^ℹ pass (\d+)/m.exec(output)?.[1] ?? 0);
if (code !== 0) process.exit(code ?? 1);
// What a machine has no tool for says so by name. The browser and the compiler are no such tools in CI: there it fails.
const skipped = Number(/^ℹ skipped (\d+)/m.exec(output)?.[1] ?? 0);
if (wanted.length === 0) checkCount(passed + skipped);

function checkCount(count) {
  const file = join(root, 'test', 'count.json');
  const known = JSON.parse(readFileSync(file, 'utf8')).passed;
  if (count < known) {
    console.error(`Only ${count} tests passed, ${known} are known: some did not run.`);
    process.exit(1);
  }
  if (count > known && process.env.CI === undefined) writeFileSync(file, `{ "passed": ${count} }\n`);
}

function testFiles() {
  return readdirSync('test', { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file));
}
