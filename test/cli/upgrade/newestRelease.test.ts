/** The newest release as a host names it: believed where the release key signed it, and for no other reason. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import release from '../../../data/release.json' with { type: 'json' };
import { compareVersions, newestRelease } from '../../../src/cli/upgrade/newestRelease.ts';
import { makeReleaseKey, putSums, type ReleaseHost, startReleaseHost } from '../../support/releaseHost.ts';
import { runHere } from '../runHere.ts';

const SUM = createHash('sha256').update('binary').digest('hex');
const sumsOf = (...versions: string[]) =>
  versions.map((version) => `${SUM}  countersign-${version}-linux-x64\n`).join('');
const LATEST = 'latest/download';

describe('the newest release', () => {
  const key = makeReleaseKey();
  let host: ReleaseHost;
  before(async () => {
    host = await startReleaseHost();
  });
  beforeEach(() => {
    host.cut.clear();
    putSums(host, LATEST, `${SUM}  install.sh\n${sumsOf('1.4.0')}`, key);
  });
  after(() => host.close());
  const refused = (reason: RegExp) => assert.rejects(newestRelease(host.address, key.publicKey), reason);

  test('is the version of its binaries, and the host is told nothing but what is asked for', async () => {
    host.asked.length = 0;
    assert.equal(await newestRelease(host.address, key.publicKey), '1.4.0');
    assert.deepEqual(host.asked, [`${LATEST}/SHA256SUMS`, `${LATEST}/SHA256SUMS.sig`]);
  });

  test('is not believed by another key, with a flipped byte, or with half a signature', async () => {
    putSums(host, LATEST, sumsOf('9.9.9'), makeReleaseKey());
    await refused(/not signed by the key of this program/);
    putSums(host, LATEST, sumsOf('1.4.0'), key);
    host.files.set(`${LATEST}/SHA256SUMS`, Buffer.from(sumsOf('9.4.0')));
    await refused(/not signed/);
    putSums(host, LATEST, sumsOf('1.4.0'), key);
    host.files.set(`${LATEST}/SHA256SUMS.sig`, Buffer.alloc(0));
    await refused(/not signed/);
  });

  test('is not found in what is missing, cut off, endless, of two versions or of none', async () => {
    host.files.delete(`${LATEST}/SHA256SUMS.sig`);
    await refused(/SHA256SUMS\.sig was not fetched: it answers 404\. Ask again/);
    host.cut.add(`${LATEST}/SHA256SUMS`);
    await refused(/SHA256SUMS was not fetched/);
    host.cut.clear();
    putSums(host, LATEST, 'x'.repeat(70_000), key);
    await refused(/longer than a list of checksums/);
    for (const sums of ['', `${SUM}  other\n`, sumsOf('1.4.0', '1.5.0')]) {
      putSums(host, LATEST, sums, key);
      await refused(/no binary of one version/);
    }
  });

  test('where the host does not answer, the sentence says so', async () => {
    await assert.rejects(newestRelease('http://127.0.0.1:1', key.publicKey), /was not fetched: .*Ask again/);
  });
});

test('versions are ordered as Semantic Versioning orders them', () => {
  const ordered = ['0.9.0', '0.10.0', '1.0.0-beta', '1.0.0-rc.1', '1.0.0', '1.0.1'];
  const shuffled = [3, 0, 5, 1, 4, 2].map((at) => ordered[at] as string);
  assert.deepEqual(shuffled.sort(compareVersions), ordered);
  assert.equal(compareVersions('1.0.0+linux', '1.0.0'), 0);
});

const isReleased = release.publicKey !== '' && 'this program has the key of a release';

test('a program without a release key says that it can verify none, and asks no host', {
  skip: isReleased,
}, async () => {
  const { code, stderr } = await runHere(['upgrade', '--check', '--from', 'http://127.0.0.1:1'], {});
  assert.equal(code, 1);
  assert.match(stderr, /built without the key of a release/);
});
