// Installs what is missing: when node_modules is absent or older than the lock file. Needs nothing installed.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILER_SETTINGS } from './addon/compilerSettings.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lock = join(root, 'package-lock.json');
const mark = join(root, 'node_modules', '.package-lock.json');

if (!existsSync(mark) || statSync(mark).mtimeMs < statSync(lock).mtimeMs) {
  console.error('Installing dependencies (once; better-sqlite3 is compiled, which takes one to three minutes) …');
  const env = { ...process.env, ...COMPILER_SETTINGS, npm_config_build_from_source: 'better-sqlite3' };
  const options = { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' };
  const done = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], options);
  if (done.status !== 0) {
    console.error('npm ci failed; see above.');
    process.exit(done.status ?? 1);
  }
  // For editors; whatever needs this file brings it up to date itself.
  spawnSync(process.execPath, [join(root, 'scripts', 'client.mjs')], { stdio: 'inherit' });
}
