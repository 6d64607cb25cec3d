/** A witness over HTTP: the specification's requests byte by byte, and a memory that nothing makes it lose. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { LOG_KEY, type NoteKey, readVerifierKey } from '../../../protocol/evidence/log/note.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import {
  openWitness,
  type Witness,
  type WitnessLogEntry,
} from '../../../src/extensions/witness/serving/openWitness.ts';
import { serveWitness } from '../../../src/extensions/witness/serving/serveWitness.ts';
import {
  isSignedPlainly,
  plainCheckpoint,
  plainConsistency,
  plainKey,
  plainNote,
  plainRequest,
} from '../../support/plainNotes.ts';

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

  const open = (name: string, other: Partial<Parameters<typeof openWitness>[0]> = {}) => {
    const parts = { suite, folder: join(folder, name), name: 'w.example/1', logs, randomBytes, clock: () => AT };
    return openWitness({ ...parts, ...other });
  };
  const stateOf = (name: string) => JSON.parse(readFileSync(join(folder, name, 'witness.json'), 'utf8')).logs[ORIGIN];
  const hashOf = (origin: string) => createHash('sha256').update(origin).digest('hex');

  /** Adds a checkpoint. @returns the answer, and what an operator is told of it */
  function add(witness: Witness, body: string) {
    const told: WitnessLogEntry[] = [];
    const answer = witness.add(body, (line) => void told.push(line));
    return { ...answer, told, events: told.map(({ event }) => event) };
  }

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
      const hash = hashOf(ORIGIN);
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

  test('says 400 to a checkpoint without a signature line, and to one with thousands', () =>
    serving('lines', async (address) => {
      const bare = noteOver(5).replace(/— .*\n/, '');
      const [, line = ''] = noteOver(5).split('\n\n');
      const unsigned = await post(address, plainRequest(0, [], bare));
      assert.deepEqual([unsigned.status, /has no signature/.test(unsigned.text)], [400, true]);
      const many = await post(address, plainRequest(0, [], bare + line.repeat(1000)));
      assert.deepEqual([many.status, /more than 64 signatures/.test(many.text)], [400, true]);
      assert.equal((await post(address, plainRequest(0, [], bare + line.repeat(64)))).status, 200);
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
    assert.equal(add(first, request(0, 6)).status, 200);
    assert.equal(add(first, request(6, 8, 3)).status, 422);
    assert.deepEqual(add(first, plainRequest(6, [], noteOver(6, 3))).events, ['checkpoint.forked']);
    assert.equal(add(first, plainRequest(6, [], noteOver(6, 4))).status, 422);
    assert.deepEqual(add(first, request(6, 9, 4)).events, ['checkpoint.unproven']);
    first.close();
    const kept = stateOf('restart');
    assert.equal(kept.forked, noteOver(6, 3), 'the first one, signed by the log as what was seen is');
    assert.deepEqual([kept.unproven, kept.unprovenNewest], [noteOver(8, 3), noteOver(9, 4)]);
    const second = open('restart');
    assert.equal(second.verifierKey, first.verifierKey);
    assert.equal(add(second, request(0, 7, 3)).body, '6\n');
    assert.equal(add(second, request(6, 7, 3)).status, 422);
    assert.equal(add(second, request(6, 7)).status, 200);
    second.close();
  });

  test('accuses no log of a fork because a stranger sent its checkpoint with a wrong proof', () => {
    const witness = open('framed');
    add(witness, request(0, 6));
    const { status, events } = add(witness, plainRequest(6, [], noteOver(9)));
    assert.deepEqual([status, events], [422, ['checkpoint.unproven']]);
    assert.equal(add(witness, request(6, 9)).status, 200);
    witness.close();
    assert.deepEqual(Object.keys(stateOf('framed')), ['note'], 'it was proven after all');
  });

  test('keeps the first unproven checkpoint, however many public ones are sent after it with a wrong proof', () => {
    const witness = open('erased');
    add(witness, request(0, 6));
    add(witness, request(6, 9, 5));
    const again = add(witness, plainRequest(6, [Buffer.alloc(32, 1)], noteOver(6)));
    assert.deepEqual([again.status, again.events], [422, []], 'the checkpoint that was seen accuses no log');
    assert.deepEqual(stateOf('erased').unproven, noteOver(9, 5));
    for (const size of [7, 8]) add(witness, plainRequest(6, [], noteOver(size)));
    assert.deepEqual([stateOf('erased').unproven, stateOf('erased').unprovenNewest], [noteOver(9, 5), noteOver(8)]);
    assert.equal(add(witness, request(6, 8)).status, 200);
    assert.deepEqual(Object.keys(stateOf('erased')), ['note', 'unproven'], 'what was proven is cleared, and only that');
    witness.close();
  });

  test('takes a checkpoint with a proof too many from the empty tree for no accusation', () => {
    const witness = open('nothing');
    add(witness, request(0, 0));
    const { status, events } = add(witness, plainRequest(0, [Buffer.alloc(32, 1)], noteOver(6)));
    assert.deepEqual([status, events, Object.keys(stateOf('nothing'))], [422, [], ['note']]);
    witness.close();
  });

  test('has a fork in its hands where the log proves another root for the size of an unproven checkpoint', () => {
    const witness = open('promoted');
    add(witness, request(0, 6));
    add(witness, request(6, 9, 5));
    const { status, events, told } = add(witness, request(6, 9));
    assert.deepEqual([status, events], [200, ['checkpoint.forked', 'checkpoint.cosigned']]);
    assert.equal(told[0]?.facts.refused, noteOver(9, 5));
    witness.close();
    assert.deepEqual(Object.keys(stateOf('promoted')), ['note', 'forked']);
    assert.equal(stateOf('promoted').forked, noteOver(9, 5));
  });

  test('clears the checkpoint that it cosigned from what accuses, where a former version put it there', () => {
    const first = open('cleared');
    add(first, request(0, 6));
    first.close();
    const file = join(folder, 'cleared', 'witness.json');
    const state = JSON.parse(readFileSync(file, 'utf8'));
    state.logs[ORIGIN].unproven = noteOver(6);
    writeFileSync(file, JSON.stringify(state));
    const second = open('cleared');
    assert.equal(add(second, request(6, 6)).status, 200);
    second.close();
    assert.deepEqual(Object.keys(stateOf('cleared')), ['note']);
  });

  test('answers the same checkpoint with the cosignature that it shows, also where another key has signed it', () => {
    let now = AT;
    const next = plainKey(ORIGIN, 1, new Uint8Array(32).fill(2));
    const both = new Map([[ORIGIN, [key, next].map(({ vkey }) => readVerifierKey(suite, vkey, LOG_KEY) as NoteKey)]]);
    const witness = open('again', { clock: () => now, logs: both });
    const { body: line } = add(witness, request(0, 6));
    now += 60_000;
    assert.equal(add(witness, request(6, 6)).body, line);
    assert.equal(witness.latest(hashOf(ORIGIN)), noteOver(6) + line);
    const text = plainCheckpoint(ORIGIN, leaves(6));
    assert.equal(add(witness, plainRequest(6, [], plainNote(next, text))).body, line);
    const shown = witness.latest(hashOf(ORIGIN)) ?? '';
    assert.ok([key.vkey, next.vkey, witness.verifierKey].every((vkey) => isSignedPlainly(shown, vkey)));
    assert.equal(add(witness, request(6, 6)).body, line);
    assert.equal(witness.latest(hashOf(ORIGIN)), shown, 'and it goes on showing both');
    witness.close();
  });

  test('signs no time before the one that it signed for that log, even by a clock that was set back', () => {
    let now = AT;
    const witness = open('clock', { clock: () => now });
    const timeOf = ({ body }: { body: string }) => Buffer.from(body.split(' ')[2] ?? '', 'base64').readBigUInt64BE(4);
    assert.equal(timeOf(add(witness, request(0, 4))), BigInt(AT / 1000));
    now -= 3_600_000;
    assert.equal(timeOf(add(witness, request(4, 6))), BigInt(AT / 1000));
    now = AT + 5000;
    assert.equal(timeOf(add(witness, request(6, 7))), BigInt(AT / 1000 + 5));
    witness.close();
  });

  test('signs by its clock again, and the same checkpoint anew, once that was more than a day ahead', () => {
    let now = AT + 3_153_600_000_000;
    const witness = open('ahead', { clock: () => now });
    const timeOf = ({ body }: { body: string }) => Buffer.from(body.split(' ')[2] ?? '', 'base64').readBigUInt64BE(4);
    const ahead = add(witness, request(0, 4));
    assert.equal(timeOf(ahead), BigInt(now / 1000));
    now = AT;
    const right = add(witness, request(4, 4));
    assert.equal(timeOf(right), BigInt(AT / 1000), 'a node takes no time that is still to come');
    assert.equal(witness.latest(hashOf(ORIGIN)), noteOver(4) + right.body);
    assert.equal(timeOf(add(witness, request(4, 6))), BigInt(AT / 1000));
    witness.close();
  });

  test('knows a log of any name after a restart', () => {
    const names = ['__proto__', 'constructor', 'toString', '7'];
    const named = names.map((name) => plainKey(name, 1, new Uint8Array(32).fill(1)));
    const watched = new Map(
      named.map(({ name, vkey }) => [name, [readVerifierKey(suite, vkey, LOG_KEY) as NoteKey]] as const),
    );
    const body = (by: (typeof named)[number], size: number, other = 0) =>
      plainRequest(0, [], plainNote(by, plainCheckpoint(by.name, leaves(size, other))));
    const first = open('names', { logs: watched });
    for (const each of named) assert.equal(add(first, body(each, 6)).status, 200);
    first.close();
    const second = open('names', { logs: watched });
    for (const each of named) assert.equal(add(second, body(each, 7, 3)).body, '6\n', each.name);
    assert.ok(names.every((name) => second.latest(hashOf(name)) !== undefined));
    second.close();
  });

  test('signs nothing once its lock was removed by hand, and another process can be the witness of its folder', () => {
    const first = open('unlocked');
    const { body: line } = add(first, request(0, 3));
    rmSync(join(folder, 'unlocked', 'witness.lock'));
    const second = open('unlocked');
    assert.throws(() => add(first, request(3, 5)), /witness\.lock was removed or replaced .* start one again/);
    assert.equal(add(first, request(3, 3)).body, line, 'what it signed before it says again');
    assert.deepEqual(add(first, request(3, 5, 3)).events, ['checkpoint.unproven', 'state.unwritten']);
    assert.equal(add(second, request(3, 4)).status, 200);
    first.close();
    second.close();
  });

  test('cosigns nothing that its disk did not take', () => {
    let isFull = false;
    const failing = (size: number) => {
      if (isFull) throw new Error('no space');
      return randomBytes(size);
    };
    const witness = open('full', { randomBytes: failing });
    add(witness, request(0, 3));
    isFull = true;
    assert.throws(() => add(witness, request(3, 5)), /no space/);
    isFull = false;
    assert.equal(witness.sizes().get(ORIGIN), 3);
    assert.equal(add(witness, request(3, 4)).status, 200, 'another way from the same size is still open');
    witness.close();
  });

  test('answers and tells what contradicts it, with both notes, while its disk takes nothing', () => {
    let isFull = false;
    const failing = (size: number) => {
      if (isFull) throw new Error('no space');
      return randomBytes(size);
    };
    const witness = open('mute', { randomBytes: failing });
    const { body: line } = add(witness, request(0, 6));
    isFull = true;
    const cases = [
      ['checkpoint.forked', plainRequest(6, [], noteOver(6, 3)), noteOver(6, 3)],
      ['checkpoint.unproven', request(6, 8, 3), noteOver(8, 3)],
    ] as const;
    for (const [event, body, refused] of cases) {
      const { status, events, told } = add(witness, body);
      assert.equal(status, 422);
      assert.deepEqual(events, [event, 'state.unwritten']);
      assert.deepEqual([told[0]?.facts.seen, told[0]?.facts.refused], [noteOver(6) + line, refused]);
      assert.match(String(told[1]?.facts.error), /no space/);
    }
    isFull = false;
    for (const [event, body] of cases) assert.deepEqual(add(witness, body).events, [event]);
    witness.close();
    assert.deepEqual([stateOf('mute').forked, stateOf('mute').unproven], [noteOver(6, 3), noteOver(8, 3)]);
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
      add(witness, request(0, 6));
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
    assert.equal(add(again, request(0, 2)).status, 200);
    again.close();
    const files = (await readdir(join(folder, 'begun'))).sort();
    assert.deepEqual(files, ['witness.json', 'witness.key', 'witness.lock']);
  });
});
