// Builds what a release has: binaries with their bills of materials, npm packages, the Python package, the installer.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import packages from '../packages.json' with { type: 'json' };

/**
 * @param root of the checkout @param folder where the files go
 * @param release.epoch seconds since 1970 that files are dated with (SOURCE_DATE_EPOCH)
 * @returns what they were made of besides the commit, as resource descriptors of in-toto
 */
export function buildAll(root, folder, { version, architectures, epoch }) {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch) };
  const work = mkdtempSync(join(folder, 'work-'));
  const run = (program, args, options = {}) =>
    execFileSync(program, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'], ...options });
  try {
    for (const arch of architectures)
      buildBinary(run, folder, work, `${packages.program}-${version}-linux-${arch}`, arch);
    for (const source of ['.', 'packages/client']) {
      run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(root, source) });
    }
    buildPython(run, root, folder, work);
    copyFileSync(join(root, 'deploy', 'install.sh'), join(folder, 'install.sh'));
    return [...architectures.map((arch) => runtimeOf(root, arch)), ...lockOf(root)];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function buildBinary(run, folder, work, name, arch) {
  const out = join(work, arch);
  console.error(`Building ${name} …`);
  run(process.execPath, ['scripts/binary/build.mjs', '--arch', arch, '--out', out]);
  renameSync(join(out, packages.program), join(folder, name));
  renameSync(join(out, 'countersign.cdx.json'), join(folder, `${name}.cdx.json`));
}

/** By hatchling, which dates what it writes with SOURCE_DATE_EPOCH. */
function buildPython(run, root, folder, work) {
  console.error(`Building the Python package ${packages.python} …`);
  const venv = join(work, 'venv');
  run('python3', ['-m', 'venv', venv]);
  const python = join(venv, 'bin', 'python');
  run(python, ['-m', 'pip', 'install', '-qq', '--disable-pip-version-check', '--retries', '1', 'hatchling']);
  const built = join(work, 'python');
  mkdirSync(built);
  run(python, ['-m', 'hatchling', 'build', '--directory', folder], { cwd: join(root, 'packages', 'python') });
}

/** The Node of the binary, as scripts/binary/runtime.mjs pins it. */
function runtimeOf(root, arch) {
  const text = readFileSync(join(root, 'scripts', 'binary', 'runtime.mjs'), 'utf8');
  const [, version] = /^const VERSION = '([\d.]+)';$/m.exec(text);
  const [, hash] = new RegExp(`\\b${arch}: \\{\\s+integrity: 'sha512-([^']+)'`).exec(text);
  const sha512 = Buffer.from(hash, 'base64').toString('hex');
  return { uri: `pkg:npm/node-linux-${arch}@${version}`, digest: { sha512 } };
}

/** Every other package, with its hash, is named by the lock file. */
function lockOf(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(lock)
    .filter(([path, { integrity }]) => path !== '' && integrity?.startsWith('sha512-'))
    .map(([path, { name, version, integrity }]) => ({
      uri: `pkg:npm/${(name ?? path.slice(path.lastIndexOf('node_modules/') + 13)).replace('@', '%40')}@${version}`,
      digest: { sha512: Buffer.from(integrity.slice(7), 'base64').toString('hex') },
    }));
}
