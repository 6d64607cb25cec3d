/** A witness over HTTP: the specification's requests byte by byte, and a memory that nothing makes it lose. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { LOG_KEY, type NoteKey, readVerifierKey } from '../../protocol/evidence/note.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { serveWitness } from '../../src/witness/serveWitness.ts';
import { openWitness, type Witness } from '../../src/witness/witness.ts';
import {
  isSignedPlainly,
  plainCheckpoint,
  plainConsistency,
  plainKey,
  plainNote,
  plainRequest,
} from '../support/plainNotes.ts';

const suite = nativeSuite();
const ORIGIN = 'log.example/1';
const key = plainKey(ORIGIN, 1, new Uint8Array(32).fill(1));
const leaves = (count: number, other = 0) => Array.from({ length: count }, (_, index) => Buffer.of(other, index));
const noteOver = (count: number, other = 0) => plainNote(key, plainCheckpoint(ORIGIN, leaves(count, other)));
const request = (old: number, count: number, other = 0) =>
  plainRequest(old, plainConsistency(old, leaves(count, other)), noteOver(count, other));
const logs = new Map([[ORIGIN, [readVerifierKey(suite, key.vkey, LOG_KEY) as NoteKey]]]);
const AT = 1_700_000_000_000;

describe('a witness', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-witness-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const open = (name: string) =>
    openWitness({ suite, folder: join(folder, name), name: 'w.example/1', logs, randomBytes, clock: () => AT });

  /** Serves a witness while a test asks it. */
  async function serving(
    name: string,
    ask: (address: string, witness: Witness, told: string[]) => Promise<void>,
  ): Promise<void> {
    const witness = open(name);
    const told: string[] = [];
    const line = (event: string) => void told.push(event);
    const served = await serveWitness(witness, {
      host: '127.0.0.1',
      port: 0,
      clock: () => AT,
      log: { info: line, error: line },
    });
    try {
      await ask(served.address, witness, told);
    } finally {
      await served.stop();
      witness.close();
    }
  }

  const post = async (address: string, body: string | Buffer<ArrayBuffer>) => {
    const answer = await fetch(`${address}/add-checkpoint`, { method: 'POST', body });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  /** Sends bytes as they are, and reads what comes until the witness ends the connection. */
  const raw = (address: string, bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.write(bytes));
      let text = '';
      socket.on('data', (piece) => (text += piece.toString('utf8')));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });

  test('answers a request that was written byte by byte with a cosignature that node:crypto verifies', () =>
    serving('bytes', async (address, witness) => {
      const body = request(0, 5);
      const head = `POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const [headers = '', line = ''] = (await raw(address, head + body)).split('\r\n\r\n');
      assert.match(headers, /^HTTP\/1\.1 200 /);
      assert.match(line, /^— w\.example\/1 [A-Za-z0-9+/]+={0,2}\n$/);
      assert.ok(isSignedPlainly(noteOver(5) + line, witness.verifierKey));
      const stamped = Buffer.from(line.split(' ')[2] ?? '', 'base64').readBigUInt64BE(4);
      assert.equal(stamped, BigInt(AT / 1000));
    }));

  test('answers as the specification says to each kind of request, and serves the last checkpoint', () =>
    serving('kinds', async (address, witness, told) => {
      const hash = createHash('sha256').update(ORIGIN).digest('hex');
      assert.equal((await fetch(`${address}/${hash}/checkpoint`)).status, 404);
      assert.equal((await post(address, request(0, 5))).status, 200);
      const ahead = await post(address, request(0, 9));
      assert.deepEqual(ahead, { status: 409, type: 'text/x.tlog.size', text: '5\n' });
      assert.equal((await post(address, request(5, 9))).status, 200);
      assert.equal((await post(address, request(9, 12, 7))).status, 422);
      assert.deepEqual(told, ['checkpoint.cosigned', 'checkpoint.cosigned', 'checkpoint.unproven']);
      assert.equal((await post(address, plainRequest(9, [], noteOver(5)))).status, 400);
      assert.equal((await post(address, request(9, 9).replaceAll(ORIGIN, 'other'))).status, 404);
      assert.equal((await post(address, request(9, 9).replace(/— .*/, `— ${ORIGIN} AAAAAAAA`))).status, 403);
      assert.equal((await post(address, Buffer.from([0x6f, 0xff, 0x0a]))).status, 400);
      assert.equal((await fetch(`${address}/add-checkpoint`)).status, 405);
      assert.equal((await fetch(`${address}/`)).status, 404);
      const latest = await (await fetch(`${address}/${hash}/checkpoint`)).text();
      assert.ok(latest.startsWith(noteOver(9)));
      assert.ok(isSignedPlainly(latest, witness.verifierKey) && isSignedPlainly(latest, key.vkey));
    }));

  test('reads no more of a body than a request may have', () =>
    serving('long', async (address) => {
      const head = 'POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 10000000\r\n\r\n';
      assert.match(await raw(address, head + 'x'.repeat(200_000)), /^HTTP\/1\.1 413 /);
    }));

  test('lets one of many requests at once pass where each extends the same size in its own way', () =>
    serving('race', async (address, witness) => {
      await post(address, request(0, 4));
      const sizes = Array.from({ length: 20 }, (_, index) => 5 + index);
      const answers = await Promise.all(sizes.map((size) => post(address, request(4, size))));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      assert.equal(answers.filter(({ status }) => status === 409).length, 19);
      const size = sizes[answers.findIndex(({ status }) => status === 200)];
      assert.equal(witness.sizes().get(ORIGIN), size);
    }));

  test('knows after a restart what it saw, and keeps what proves a fork, which nothing else takes the place of', () => {
    const first = open('restart');
    assert.equal(first.add(request(0, 6)).status, 200);
    assert.equal(first.add(request(6, 8, 3)).status, 422);
    assert.equal(first.add(plainRequest(6, [], noteOver(6, 3))).told?.event, 'checkpoint.forked');
    assert.equal(first.add(plainRequest(6, [], noteOver(6, 4))).status, 422);
    assert.equal(first.add(request(6, 9, 4)).told?.event, 'checkpoint.unproven');
    first.close();
    const kept = JSON.parse(readFileSync(join(folder, 'restart', 'witness.json'), 'utf8'));
    assert.equal(kept.logs[ORIGIN].forked, noteOver(6, 3), 'the first one, signed by the log as what was seen is');
    assert.equal(kept.logs[ORIGIN].unproven, noteOver(9, 4));
    const second = open('restart');
    assert.equal(second.verifierKey, first.verifierKey);
    assert.equal(second.add(request(0, 7, 3)).body, '6\n');
    assert.equal(second.add(request(6, 7, 3)).status, 422);
    assert.equal(second.add(request(6, 7)).status, 200);
    second.close();
  });

  test('says of nobody that they forked because somebody else sent their checkpoint with a wrong proof', () => {
    const witness = open('framed');
    witness.add(request(0, 6));
    const honest = plainRequest(6, [], noteOver(9));
    assert.deepEqual([witness.add(honest).status, witness.add(honest).told?.event], [422, 'checkpoint.unproven']);
    assert.equal(witness.add(request(6, 9)).status, 200);
    witness.close();
    const { logs: kept } = JSON.parse(readFileSync(join(folder, 'framed', 'witness.json'), 'utf8'));
    assert.deepEqual(Object.keys(kept[ORIGIN]), ['note'], 'it was proven after all');
  });

  test('cosigns nothing that its disk did not take', () => {
    let isFull = false;
    const failing = (size: number) => {
      if (isFull) throw new Error('no space');
      return randomBytes(size);
    };
    const parts = { suite, folder: join(folder, 'full'), name: 'w', logs, randomBytes: failing, clock: () => AT };
    const witness = openWitness(parts);
    witness.add(request(0, 3));
    isFull = true;
    assert.throws(() => witness.add(request(3, 5)), /no space/);
    isFull = false;
    assert.equal(witness.sizes().get(ORIGIN), 3);
    assert.equal(witness.add(request(3, 4)).status, 200, 'another way from the same size is still open');
    witness.close();
  });

  test('is one process: a second one on its folder is refused', () => {
    const first = open('locked');
    assert.throws(() => open('locked'), /Another process is the witness of .*locked; stop it first/);
    first.close();
    open('locked').close();
  });

  test('does not begin anew where its state is missing, damaged, older than its key, or another witness’s', async () => {
    const file = (name: string, what = 'witness.json') => join(folder, name, what);
    for (const name of ['gone', 'cut', 'edited', 'foreign', 'keyless']) {
      const witness = open(name);
      witness.add(request(0, 6));
      witness.close();
    }
    rmSync(file('gone'));
    assert.throws(
      () => open('gone'),
      /witness\.json is missing: what the witness has seen\. .* begin with a new folder/,
    );
    writeFileSync(file('cut'), readFileSync(file('cut'), 'utf8').slice(0, -20));
    assert.throws(() => open('cut'), /is damaged, or cannot be read/);
    writeFileSync(file('edited'), readFileSync(file('edited'), 'utf8').replace('\\n6\\n', '\\n2\\n'));
    assert.throws(() => open('edited'), /is damaged: what it holds of log\.example\/1 is not what the witness signed/);
    writeFileSync(file('foreign'), readFileSync(file('keyless')));
    assert.throws(() => open('foreign'), /is of another witness/);
    rmSync(file('keyless', 'witness.key'));
    assert.throws(() => open('keyless'), /witness\.key is missing, by which/);
    assert.equal((await stat(file('cut', 'witness.key'))).mode & 0o777, 0o600);
  });

  test('a first start that ended between its two files is made good, and drafts of a crash are removed', async () => {
    const witness = open('begun');
    witness.close();
    rmSync(join(folder, 'begun', 'witness.key'));
    writeFileSync(join(folder, 'begun', 'witness.json.abc.tmp'), '{');
    const again = open('begun');
    assert.notEqual(again.verifierKey, witness.verifierKey);
    assert.equal(again.add(request(0, 2)).status, 200);
    again.close();
    const files = (await readdir(join(folder, 'begun'))).sort();
    assert.deepEqual(files, ['witness.json', 'witness.key', 'witness.lock']);
  });
});
