// Installs what is missing: when node_modules is absent or not what the lock file says. Needs nothing installed.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerSettings } from './addon/compilerSettings.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lock = join(root, 'package-lock.json');
const packages = join(root, 'node_modules');
const mark = join(packages, '.package-lock.json');
/** What a compilation of better-sqlite3 writes, and the addon, which may also be a prebuilt file that was fetched. */
const compilation = join(packages, 'better-sqlite3', 'build', 'Makefile');
const addon = join(packages, 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
/** A line of its own each time, where a line cannot be written over. */
const LINE_EVERY_SECONDS = 15;

if (!isInstalled()) await install();

function isInstalled() {
  if (!existsSync(mark)) return false;
  if (statSync(mark).mtimeMs >= statSync(lock).mtimeMs) return true;
  // A checkout writes the lock file anew, whether it has changed or not.
  const [wanted, found] = [lock, mark].map((file) => JSON.parse(readFileSync(file, 'utf8')).packages);
  const isMissing = ([name, { version, optional }]) =>
    name !== '' && optional !== true && found[name]?.version !== version;
  if (Object.entries(wanted).some(isMissing)) return false;
  utimesSync(mark, new Date(), new Date());
  return true;
}

async function install() {
  if (existsSync(packages) && lstatSync(packages).isSymbolicLink()) {
    // npm empties the folder behind the link, and others may be using it.
    console.error(
      `${packages} is a link to ${realpathSync(packages)}, which does not have what package-lock.json says. ` +
        'Run "npm ci" there; or remove the link, and start again.',
    );
    process.exit(1);
  }
  console.error(
    'Installing dependencies, once. Where better-sqlite3 has no prebuilt file for this Node, it is compiled, ' +
      'which takes one to three minutes.',
  );
  const status = await runNpm();
  if (status !== 0) {
    console.error(
      'npm ci failed; see above. What it needs is in README.md: Node, the network, and perhaps a C++ compiler.',
    );
    process.exit(status);
  }
}

/** Runs npm, and says every second on a terminal, and now and then elsewhere, what it is at and since when. */
async function runNpm() {
  const env = { ...process.env, ...compilerSettings(process.versions.node) };
  const options = { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' };
  const npm = spawn('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], options);
  const started = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  let [told, toldAt] = ['', 0];
  const tell = () => {
    const seconds = Math.round((Date.now() - started) / 1000);
    const step = stepOf();
    if (isTerminal) process.stderr.write(`\r  ${step} … ${seconds} s \u001b[K`);
    else if (step !== told || seconds - toldAt >= LINE_EVERY_SECONDS) {
      console.error(`  ${step} … ${seconds} s`);
      [told, toldAt] = [step, seconds];
    }
  };
  const timer = setInterval(tell, 1000);
  const status = await new Promise((resolve) => {
    npm.on('error', (error) => {
      console.error(`npm cannot be run: ${error.message}`);
      resolve(1);
    });
    npm.on('exit', (code) => resolve(code ?? 1));
  });
  clearInterval(timer);
  const seconds = Math.round((Date.now() - started) / 1000);
  if (isTerminal) process.stderr.write('\r\u001b[K');
  const how = existsSync(compilation) ? 'was compiled' : 'is the prebuilt file';
  if (status === 0)
    console.error(`Installed in ${seconds} s; better-sqlite3 ${how} for Node ${process.versions.node}.`);
  return status;
}

/** What npm is at, by what lies in the folder. */
function stepOf() {
  if (existsSync(addon)) return 'finishing';
  return existsSync(compilation) ? 'compiling better-sqlite3' : 'fetching packages';
}
