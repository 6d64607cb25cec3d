/** deploy/install.sh against a host of releases: it puts in place what is signed, and of anything else nothing is left. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import release from '../../data/release.json' with { type: 'json' };
import { makeReleaseKey, putSums, type ReleaseHost, startReleaseHost } from '../support/releaseHost.ts';

const isThere = (tool: string) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
const missing = ['openssl', 'sha256sum', 'curl'].find((tool) => !isThere(tool));
const isKnown = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
const skip = isKnown ? missing !== undefined && `there is no ${missing} here` : 'it is for Linux';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const binaryOf = (version: string) => Buffer.from(`#!/bin/sh\necho ${version}\n`);
const nameOf = (version: string, arch: string = process.arch) => `countersign-${version}-linux-${arch}`;
const LATEST = 'latest/download';

describe('install.sh', { skip }, () => {
  const key = makeReleaseKey();
  let host: ReleaseHost;
  let folder: string;
  let script: string;
  let target: string;
  before(async () => {
    host = await startReleaseHost();
    folder = await mkdtemp(join(tmpdir(), 'countersign-install-'));
    script = join(folder, 'install.sh');
    const text = await readFile('deploy/install.sh', 'utf8');
    const keyed = text.replace(/^PUBLIC_KEY='.*'$/m, `PUBLIC_KEY='${key.publicKey}'`);
    assert.notEqual(keyed, text);
    await writeFile(script, keyed);
  });
  after(async () => {
    host.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    target = await mkdtemp(join(folder, 'bin-'));
    host.files.clear();
    host.cut.clear();
    host.asked.length = 0;
    publish('1.4.0', LATEST);
  });

  /** A release, with the binary of the other kind of machine beside. */
  function publish(version: string, ...places: string[]): void {
    const names = ['x64', 'arm64'].map((arch) => nameOf(version, arch));
    const lines = names.map((name) => `${sha256(binaryOf(version))}  ${name}\n${'0'.repeat(64)}  ${name}.cdx.json\n`);
    for (const place of [...places, `download/v${version}`]) putSums(host, place, lines.join(''), key);
    for (const name of names) host.files.set(`download/v${version}/${name}`, binaryOf(version));
  }

  function install(args: readonly string[] = [], path?: string) {
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const all = [script, '--from', host.address, '--to', target, ...args];
      execFile('/bin/sh', all, { env: { PATH: path ?? process.env['PATH'] } }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  async function refused(reason: RegExp, args: readonly string[] = [], left: readonly string[] = []): Promise<void> {
    const { code, stderr, stdout } = await install(args);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, reason);
    assert.deepEqual(await readdir(target), left);
  }

  test('trusts the key of the program, which is not made before the first release', async () => {
    const text = await readFile('deploy/install.sh', 'utf8');
    assert.ok(text.includes(`\nPUBLIC_KEY='${release.publicKey}'\nRELEASES='${release.releases}'\n`));
    await writeFile(join(folder, 'unreleased.sh'), text.replace(/^PUBLIC_KEY='.*'$/m, "PUBLIC_KEY=''"));
    const { status, stderr } = spawnSync('sh', [join(folder, 'unreleased.sh'), '--to', target], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /no key of a release/);
  });

  for (const tool of ['curl', 'wget']) {
    test(`puts the newest binary in place by ${tool}`, {
      skip: !isThere(tool) && `there is no ${tool} here`,
    }, async () => {
      // A folder with what the script may use, and one of the two.
      const path = join(folder, tool);
      await mkdir(path);
      const tools = ['openssl', 'sha256sum', 'awk', 'mktemp', 'uname', 'wc', 'rm', 'mv', 'chmod', 'sh', tool];
      for (const each of tools) {
        const { stdout } = spawnSync('sh', ['-c', `readlink -f "$(command -v ${each})"`], { encoding: 'utf8' });
        await symlink(stdout.trim(), join(path, each));
      }
      const { code, stdout, stderr } = await install([], path);
      assert.equal(code, 0, stderr);
      assert.equal(stdout, `${target}/countersign is countersign 1.4.0.\n`);
      assert.deepEqual(await readdir(target), ['countersign']);
      assert.deepEqual(await readFile(join(target, 'countersign')), binaryOf('1.4.0'));
      assert.equal((await stat(join(target, 'countersign'))).mode & 0o777, 0o755);
    });
  }

  test('takes the place of an older one, and of a newer one only where that is named', async () => {
    assert.equal((await install()).code, 0);
    publish('1.10.0', LATEST);
    assert.equal((await install()).code, 0);
    assert.deepEqual(await readFile(join(target, 'countersign')), binaryOf('1.10.0'));
    publish('1.4.0', LATEST);
    await refused(/1\.4\.0 is older than 1\.10\.0.*--version 1\.4\.0/, [], ['countersign']);
    assert.deepEqual(await readFile(join(target, 'countersign')), binaryOf('1.10.0'));
    assert.equal((await install(['--version', 'v1.4.0'])).code, 0);
    assert.deepEqual(await readFile(join(target, 'countersign')), binaryOf('1.4.0'));
  });

  test('refuses a binary with a flipped byte', async () => {
    const path = `download/v1.4.0/${nameOf('1.4.0')}`;
    const bytes = Buffer.from(binaryOf('1.4.0'));
    bytes.writeUInt8(bytes.readUInt8(5) ^ 1, 5);
    host.files.set(path, bytes);
    await refused(/has the checksum .*Nothing was installed/);
  });

  test('refuses checksums that another key signed, that were changed, or that have no signature', async () => {
    putSums(host, LATEST, host.files.get(`${LATEST}/SHA256SUMS`)?.toString() ?? '', makeReleaseKey());
    await refused(/not signed by the key of countersign/);
    publish('1.4.0', LATEST);
    host.files.set(`${LATEST}/SHA256SUMS`, Buffer.from(`${sha256(binaryOf('6.6.6'))}  ${nameOf('6.6.6')}\n`));
    await refused(/not signed/);
    publish('1.4.0', LATEST);
    host.files.delete(`${LATEST}/SHA256SUMS.sig`);
    await refused(/SHA256SUMS\.sig was not fetched/);
    host.files.set(`${LATEST}/SHA256SUMS.sig`, Buffer.alloc(0));
    await refused(/not signed/);
    assert.ok(!host.asked.some((path) => path.includes('linux')), 'no binary is fetched before');
  });

  test('refuses a download that is cut off', async () => {
    for (const path of [`${LATEST}/SHA256SUMS`, `${LATEST}/SHA256SUMS.sig`, `download/v1.4.0/${nameOf('1.4.0')}`]) {
      host.cut.clear();
      host.cut.add(path);
      await refused(/was not fetched/);
    }
    host.cut.clear();
    // Whole for the one who sends it, and half of what was signed.
    host.files.set(`download/v1.4.0/${nameOf('1.4.0')}`, binaryOf('1.4.0').subarray(0, 9));
    await refused(/has the checksum/);
  });

  test('refuses another version than the one that is asked for, and a release without this machine’s binary', async () => {
    publish('1.3.0');
    for (const name of ['SHA256SUMS', 'SHA256SUMS.sig']) {
      host.files.set(`download/v1.4.0/${name}`, host.files.get(`download/v1.3.0/${name}`) as Buffer);
    }
    await refused(/1\.4\.0 was asked for, and .* has 1\.3\.0/, ['--version', '1.4.0']);
    putSums(host, LATEST, `${'0'.repeat(64)}  countersign-1.5.0.tgz\n`, key);
    await refused(/no binary for Linux on/);
  });

  test('refuses wrong uses, and addresses without https that are not this machine’s', async () => {
    await refused(/is no https address/, ['--from', 'http://releases.example']);
    await refused(/--form is not known/, ['--form', 'x']);
    await refused(/--version needs a value/, ['--version']);
    await refused(/is no version/, ['--version', '../../x']);
    await refused(/is no folder/, ['--to', join(target, 'nothing')]);
    assert.deepEqual(host.asked, []);
  });

  test('does nothing where it was cut off itself', async () => {
    const text = await readFile(script, 'utf8');
    const lines = text.trimEnd().split('\n');
    const cut = join(folder, 'cut.sh');
    for (let length = 1; length < lines.length; length += 7) {
      await writeFile(cut, lines.slice(0, length).join('\n'));
      await chmod(cut, 0o755);
      spawnSync('sh', [cut, '--from', host.address, '--to', target]);
    }
    assert.deepEqual([host.asked, await readdir(target)], [[], []]);
  });
});
