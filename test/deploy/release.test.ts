/** What `npm run release` signs, and whom it refuses to release for: checked with OpenSSL and sha256sum, as a stranger would. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import packages from '../../scripts/packages.json' with { type: 'json' };

describe('a release', () => {
  let folder: string;
  /** A repository with the scripts, which trusts the key. */
  let checkout: string;
  let key: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: checkout,
      encoding: 'utf8',
    });
  const release = (args: readonly string[] = [], RELEASE_KEY_FILE = '') =>
    spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
      cwd: checkout,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], RELEASE_KEY_FILE },
    });
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-release-'));
    checkout = join(folder, 'checkout');
    for (const path of [
      'scripts',
      'package.json',
      'package-lock.json',
      'data/release.json',
      'deploy/install.sh',
      '.gitignore',
    ]) {
      cpSync(path, join(checkout, path), { recursive: true });
    }
    key = join(folder, 'release.key');
    const { stdout, stderr } = release(['--make-key', key]);
    const line = stdout.trim().split('\n').at(-1) ?? '';
    assert.match(line, /^MCowBQYDK2VwAyEA/, stderr);
    const put = (file: string, from: RegExp, to: string) => {
      const text = readFileSync(join(checkout, file), 'utf8');
      writeFileSync(join(checkout, file), text.replace(from, to));
    };
    put('data/release.json', /"publicKey": ".*"/, `"publicKey": "${line}"`);
    put('deploy/install.sh', /^PUBLIC_KEY='.*'$/m, `PUBLIC_KEY='${line}'`);
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'A release');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const refused = (reason: RegExp, args: readonly string[] = [], keyFile?: string) => {
    const { status, stderr } = release(args, keyFile);
    assert.equal(status, 1, stderr);
    assert.match(stderr, reason);
  };

  test('is refused without a key, with one that is open, in the checkout or not the one that programs trust', () => {
    refused(/RELEASE_KEY_FILE names no key.*--unsigned/);
    chmodSync(key, 0o644);
    refused(/open to others/, [], key);
    chmodSync(key, 0o600);
    refused(/lies in the checkout/, ['--make-key', 'release.key']);
    const inside = join(checkout, 'dist', 'release.key');
    mkdirSync(join(checkout, 'dist'));
    cpSync(key, inside);
    refused(/lies in the checkout/, [], inside);
    rmSync(inside);
    const other = join(folder, 'other.key');
    release(['--make-key', other]);
    refused(/do not trust .*other\.key/, [], other);
    refused(/EEXIST/, ['--make-key', key]);
  });

  test('is refused of files that differ from the commit, and of a version that another commit had', () => {
    writeFileSync(join(checkout, 'scripts', 'new.mjs'), '');
    refused(/These files differ from it:\n\?\? scripts\/new\.mjs/, [], key);
    refused(/These files differ/, ['--unsigned']);
    git('add', '--all');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    git('tag', `v${version}`);
    git('commit', '--quiet', '--message', 'Another commit');
    refused(/give the release a new version/, [], key);
    git('tag', '--delete', `v${version}`);
  });

  test('has checksums that sha256sum takes, and a signature that OpenSSL takes with the key in the installer', async () => {
    const made = join(folder, 'made');
    mkdirSync(made);
    writeFileSync(join(made, 'countersign-1.0.0-linux-x64'), 'a binary');
    const load = (name: string) => import(pathToFileURL(join(checkout, 'scripts', 'release', name)).href);
    const { readReleaseKey, signSums, writeSums } = await load('signSums.mjs');
    const { writeProvenance } = await load('provenance.mjs');
    const commit = { hash: 'c'.repeat(40), epoch: 1_700_000_000 };
    writeProvenance(made, { version: '1.0.0', commit, materials: [], architectures: ['x64'] });
    writeSums(made);
    signSums(made, readReleaseKey(checkout, key));

    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: made, stdio: 'ignore' });
    const listed = readFileSync(join(made, 'SHA256SUMS'), 'utf8').trim().split('\n').length;
    assert.equal(listed, readdirSync(made).length - 2, 'every file but the list and its signature');
    const installer = readFileSync(join(checkout, 'deploy', 'install.sh'), 'utf8');
    const [, line] = /^PUBLIC_KEY='(.*)'$/m.exec(installer) ?? [];
    writeFileSync(join(folder, 'public.pem'), `-----BEGIN PUBLIC KEY-----\n${line}\n-----END PUBLIC KEY-----\n`);
    const verify = () => {
      const files = ['-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig', '-inkey', join(folder, 'public.pem')];
      return spawnSync('openssl', ['pkeyutl', '-verify', '-pubin', '-rawin', ...files], { cwd: made }).status;
    };
    assert.equal(verify(), 0);
    writeFileSync(join(made, 'SHA256SUMS'), `${readFileSync(join(made, 'SHA256SUMS'), 'utf8')} `);
    assert.equal(verify(), 1);
  });

  test('says where each file comes from, in the form of in-toto and SLSA', () => {
    const statement = JSON.parse(readFileSync(join(folder, 'made', `${packages.program}-1.0.0.intoto.json`), 'utf8'));
    assert.equal(statement._type, 'https://in-toto.io/Statement/v1');
    assert.equal(statement.predicateType, 'https://slsa.dev/provenance/v1');
    const sum = /^(\w+) {2}countersign-1\.0\.0-linux-x64$/m.exec(
      readFileSync(join(folder, 'made', 'SHA256SUMS'), 'utf8'),
    )?.[1];
    assert.deepEqual(statement.subject, [{ name: 'countersign-1.0.0-linux-x64', digest: { sha256: sum } }]);
    const { buildDefinition, runDetails } = statement.predicate;
    const [source] = buildDefinition.resolvedDependencies;
    assert.deepEqual(source, { uri: `git+${packages.repository}`, digest: { gitCommit: 'c'.repeat(40) } });
    for (const address of [buildDefinition.buildType, runDetails.builder.id]) assert.ok(URL.canParse(address));
  });
});
