// Plays the demo with the Node that the binary carries: what runs on the Node that is installed runs on that one too.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareRuntime } from './binary/runtime.mjs';
import { findProgram } from './bundle/program.mjs';

/** What the program reads. */
const ASSETS = ['src', 'data', 'docs', 'agent-card.json', 'package.json'];
/** What it loads from node_modules besides better-sqlite3. */
const PACKAGES = ['sodium-native', 'bindings', 'file-uri-to-path', '@simplewebauthn/browser', 'minisearch'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version, node, sqliteAddon } = prepareRuntime(root, process.arch);
const folder = mkdtempSync(join(tmpdir(), 'countersign-smoke-'));
try {
  const program = join(folder, 'dist', 'program');
  cpSync(dirname(findProgram(root)), program, { recursive: true });
  for (const name of ASSETS) symlinkSync(join(root, name), join(folder, name));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of PACKAGES) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  const sqlite = join('node_modules', 'better-sqlite3');
  for (const part of ['lib', 'package.json']) {
    cpSync(join(root, sqlite, part), join(folder, sqlite, part), { recursive: true });
  }
  const place = join(folder, sqlite, 'build', 'Release');
  mkdirSync(place, { recursive: true });
  copyFileSync(sqliteAddon, join(place, 'better_sqlite3.node'));
  const output = execFileSync(node, [join(program, 'main.js'), 'demo'], { cwd: folder, encoding: 'utf8' });
  console.log(`Node ${version}: ${output.trim().split('\n').at(-1)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
