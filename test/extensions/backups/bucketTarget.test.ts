/** Backups in a bucket: what is sent, in how many parts, and what a service's refusal is told as. */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { bucketTarget } from '../../../src/extensions/backups/targets/bucketTarget.ts';
import { BUCKET_KEY, type BucketService, bucketService } from '../../support/bucketService.ts';

const MIB = 1024 ** 2;

interface Owner {
  after(end: () => Promise<void>): void;
}

/** A service that answers each request in a way of its own. */
async function openOdd(t: Owner, answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = { kind: 'bucket', endpoint, region: 'eu', bucket: 'odd', prefix: '', accessKeyId: 'AKID' } as const;
  return bucketTarget(place, 'secret', { allowPrivate: true }, new AbortController().signal);
}

async function openBucket(t: Owner, change: { secret?: string; bucket?: string; allowPrivate?: boolean } = {}) {
  const service = await bucketService();
  t.after(() => service.close());
  const { endpoint, region, bucket } = service;
  const { accessKeyId, secretAccessKey } = BUCKET_KEY;
  const place = {
    kind: 'bucket',
    endpoint,
    region,
    bucket: change.bucket ?? bucket,
    prefix: 'node-1/',
    accessKeyId,
  } as const;
  const options = { allowPrivate: change.allowPrivate ?? true };
  const target = bucketTarget(place, change.secret ?? secretAccessKey, options, new AbortController().signal);
  return { service, target };
}

/** In pieces that no part begins with. */
async function* piecesOf(bytes: number): AsyncIterable<Uint8Array> {
  for (let sent = 0; sent < bytes; ) {
    const piece = Buffer.alloc(Math.min(3 * MIB + 7, bytes - sent), sent % 251);
    sent += piece.length;
    yield piece;
  }
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

test('a small backup is sent at once, below its prefix, and read back as it was', async (t) => {
  const { service, target } = await openBucket(t);
  await target.prepare();
  assert.deepEqual([...service.objects.keys()], [], 'what the place is tried with is gone');
  await target.put('one.tar', piecesOf(5000), 5000);
  assert.deepEqual([...service.objects.keys()], ['node-1/one.tar']);
  assert.deepEqual(await gather(await target.read('one.tar', 5000)), await gather(piecesOf(5000)));
  await target.remove('one.tar');
  await target.remove('one.tar');
  assert.equal(service.objects.size, 0);
  await assert.rejects(target.read('one.tar', 5000), /answered 404 \(NoSuchKey\)/);
});

test('a large backup is sent in parts, which are put together in their order', async (t) => {
  const { service, target } = await openBucket(t);
  const bytes = 40 * MIB + 1;
  await target.put('large.tar', piecesOf(bytes), bytes);
  assert.ok(service.objects.get('node-1/large.tar')?.equals(await gather(piecesOf(bytes))));
  assert.equal(service.uploads.size, 0);
});

test('an upload that breaks off leaves no parts that are paid for', async (t) => {
  const { service, target } = await openBucket(t);
  const broken = async function* () {
    yield* piecesOf(17 * MIB);
    throw new Error('the archive is gone');
  };
  await assert.rejects(target.put('large.tar', broken(), 40 * MIB), /the archive is gone/);
  assert.deepEqual([service.uploads.size, service.objects.size], [0, 0]);
});

const OWN = 'countersign-AAAABBBB-';
const DAY_MS = 24 * 3600 * 1000;

/** Begins an upload, of which one part lies there. */
function leaveUpload({ uploads, begun }: BucketService, key: string, at: string): void {
  const id = `left-${begun.size + 1}`;
  uploads.set(id, new Map([[1, Buffer.from('a part')]]));
  begun.set(id, { key, at });
}

test('uploads of this node that broke off are aborted, of other nodes those of a day ago, and of others none', async (t) => {
  const { service, target } = await openBucket(t);
  const now = Date.parse('2026-05-14T00:00:00Z');
  const at = (ms: number) => new Date(now - ms).toISOString();
  const name = (node: string) => `node-1/countersign-${node}-20260512T103000Z.tar`;
  const gone = [
    [name('AAAABBBB'), at(1000)],
    [name('CCCCDDDD'), at(DAY_MS + 1)],
  ] as const;
  const kept = [
    [name('CCCCDDDD'), at(DAY_MS)],
    ['node-1/countersign-AAAABBBB-notes.txt', at(9 * DAY_MS)],
    ['node-1/others.tar', at(9 * DAY_MS)],
    ['node-2/countersign-AAAABBBB-20260512T103000Z.tar', at(9 * DAY_MS)],
    ['node-1/countersign-AAAABBBB/countersign-AAAABBBB-20260512T103000Z.tar', at(9 * DAY_MS)],
  ] as const;
  await target.sweep?.(OWN, now);
  for (const [key, begun] of [...gone, ...kept]) leaveUpload(service, key, begun);
  await target.sweep?.(OWN, now);
  const left = [...service.uploads.keys()].map((id) => service.begun.get(id)?.key);
  assert.deepEqual(
    left,
    kept.map(([key]) => key),
  );
});

test('one upload alone that broke off is aborted too', async (t) => {
  const { service, target } = await openBucket(t);
  leaveUpload(service, `node-1/${OWN}20260512T103000Z.tar`, '2026-05-12T10:30:00.000Z');
  await target.sweep?.(OWN, Date.parse('2026-05-12T10:31:00Z'));
  assert.equal(service.uploads.size, 0);
});

test('a list of uploads that the key may not read, that is none, or that has no end, is told and takes no memory', async (t) => {
  const { service, target } = await openBucket(t);
  service.listsUploads = false;
  await assert.rejects(target.sweep?.(OWN, 0) ?? Promise.resolve(), /answered 403 \(AccessDenied\)$/);
  const html = await openOdd(t, (response) => response.end('<html>hello</html>'));
  await assert.rejects(html.sweep?.(OWN, 0) ?? Promise.resolve(), /The list of unfinished uploads cannot be read/);
  let sent = 0;
  const endless = await openOdd(t, (response) => {
    const write = () => {
      if (response.destroyed) return;
      sent += MIB;
      response.write(Buffer.alloc(MIB, 65), () => setImmediate(write));
    };
    write();
  });
  await assert.rejects(endless.sweep?.(OWN, 0) ?? Promise.resolve(), /Unexpected listMultipartUploads response/);
  assert.ok(sent < 64 * MIB, `${sent} bytes were sent`);
});

test('a wrong secret, a missing bucket and a key that may not write are told by the service’s own words', async (t) => {
  const wrong = await openBucket(t, { secret: 'another' });
  await assert.rejects(wrong.target.prepare(), /^Error: 127\.0\.0\.1:\d+ answered 403 \(SignatureDoesNotMatch\)$/);
  const missing = await openBucket(t, { bucket: 'no-such-bucket' });
  await assert.rejects(missing.target.prepare(), /answered 404 \(NoSuchBucket\)$/);
  const denied = await openBucket(t);
  (denied.service as BucketService).refuse = 'AccessDenied';
  await assert.rejects(denied.target.prepare(), /answered 403 \(AccessDenied\)$/);
});

test('an address within the private network is not connected to unless the operator allows it', async (t) => {
  const { service, target } = await openBucket(t, { allowPrivate: false });
  await assert.rejects(target.put('one.tar', piecesOf(10), 10), /cannot be reached \(blocked\)/);
  assert.equal(service.objects.size, 0);
});

test('a service that is away is told as such', async (t) => {
  const { service, target } = await openBucket(t);
  await service.close();
  await assert.rejects(target.prepare(), /cannot be reached \(refused\)/);
});

test('a refusal without end is read no further than its first part', { timeout: 20_000 }, async (t) => {
  let sent = 0;
  const target = await openOdd(t, (response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    const write = () => {
      if (response.destroyed) return;
      sent += MIB;
      response.write(Buffer.alloc(MIB, 65), () => setImmediate(write));
    };
    write();
  });
  await assert.rejects(target.put('one.tar', piecesOf(10), 10), /answered 500/);
  assert.ok(sent < 64 * MIB, `${sent} bytes were sent`);
});

test('a backup that is cut off while it is read back is told as such', async (t) => {
  const target = await openOdd(t, (response) => {
    response.writeHead(200, { 'content-length': '5000' });
    response.write('half of it', () => setTimeout(() => response.destroy(), 50));
  });
  await assert.rejects(
    target.read('one.tar', 5000).then(gather),
    /^Error: 127\.0\.0\.1:\d+ broke off its answer \(truncated\)$/,
  );
});
