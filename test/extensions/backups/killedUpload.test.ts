/** A process that is killed in the middle of an upload to a bucket: its parts are paid for until the next one aborts them. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { test } from 'node:test';
import { bucketTarget } from '../../../src/extensions/backups/targets/bucketTarget.ts';
import { BUCKET_KEY, bucketService } from '../../support/bucketService.ts';
import { until } from '../../support/until.ts';

const { UPLOAD_TO } = process.env;
const OWN = 'countersign-AAAABBBB-';
const FILE = `${OWN}20260512T103000Z.tar`;
const BYTES = 40 * 1024 ** 2;

function targetAt(endpoint: string) {
  const { accessKeyId, secretAccessKey } = BUCKET_KEY;
  const named = { region: 'eu-test-1', bucket: 'ada-backups', prefix: 'ada/', accessKeyId };
  const { signal } = new AbortController();
  return bucketTarget({ kind: 'bucket', endpoint, ...named }, secretAccessKey, { allowPrivate: true }, signal);
}

/** @param most after which nothing more comes, and no end */
async function* piecesUpTo(most: number): AsyncIterable<Uint8Array> {
  for (let sent = 0; sent < most; sent += 1024 ** 2) yield Buffer.alloc(1024 ** 2);
  if (most < BYTES) await new Promise(() => setInterval(() => {}, 1000));
}

// The process that is killed runs this file itself.
if (UPLOAD_TO !== undefined) await targetAt(UPLOAD_TO).put(FILE, piecesUpTo(20 * 1024 ** 2), BYTES);
else
  test('an upload that kill -9 ends leaves parts, which are gone before the next one is sent', async (t) => {
    const service = await bucketService();
    t.after(() => service.close());
    const child = fork(String(process.argv[1]), { env: { ...process.env, UPLOAD_TO: service.endpoint } });
    const ended = new Promise((done) => void child.once('exit', done));
    await until('a part lies there', async () => [...service.uploads.values()].some(({ size }) => size > 0), 60_000);
    child.kill('SIGKILL');
    await ended;
    assert.equal(service.uploads.size, 1);
    const target = targetAt(service.endpoint);
    await target.sweep?.(OWN, Date.now());
    assert.equal(service.uploads.size, 0);
    await target.put(FILE, piecesUpTo(BYTES), BYTES);
    assert.equal(service.objects.get(`ada/${FILE}`)?.length, BYTES);
  });
