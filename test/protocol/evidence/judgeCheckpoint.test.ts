/** What a witness decides: the rules of the specification one by one, and what no sequence of requests gets out of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { readAddCheckpoint, writeAddCheckpoint } from '../../../protocol/evidence/log/addCheckpoint.ts';
import type { Checkpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { type Judgement, judgeCheckpoint, type WatchedLog } from '../../../protocol/evidence/log/judgeCheckpoint.ts';
import { LOG_KEY, type NoteKey, readVerifierKey } from '../../../protocol/evidence/log/note.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { countingSuite } from '../../support/countingSuite.ts';
import {
  plainCheckpoint,
  plainConsistency,
  plainKey,
  plainNote,
  plainRequest,
  plainRoot,
} from '../../support/plainNotes.ts';

const ORIGIN = 'log.example/1';
const key = plainKey(ORIGIN, 1, new Uint8Array(32).fill(1));
const stranger = plainKey('stranger.example', 1, new Uint8Array(32).fill(2));
const leaves = (count: number, from = count, other = 0) =>
  Array.from({ length: count }, (_, index) => Buffer.of(index >= from ? other : 0, index));
const seen = (count: number) => ({ size: count, root: plainRoot(leaves(count)) });
const noteOver = (count: number, by = key) => plainNote(by, plainCheckpoint(ORIGIN, leaves(count)));
const request = (old: number, count: number) =>
  plainRequest(old, plainConsistency(old, leaves(count)), noteOver(count));

function keyIn(vkey: string): NoteKey {
  const read = readVerifierKey(suite, vkey, LOG_KEY);
  return typeof read === 'string' ? assert.fail(read) : read;
}

function judge(body: string, last?: WatchedLog['seen'], keys = [keyIn(key.vkey)]): Judgement {
  return judgeCheckpoint(suite, body, (origin) => (origin === ORIGIN ? { keys, seen: last } : undefined));
}

test('a first checkpoint, one that continues the last, and the last once more are cosigned', () => {
  assert.equal(judge(request(0, 7)).status, 200);
  assert.equal(judge(request(7, 12), seen(7)).status, 200);
  assert.equal(judge(request(8, 12), seen(8)).status, 200, 'the old tree is a complete subtree');
  assert.equal(judge(request(12, 12), seen(12)).status, 200);
  assert.equal(judge(request(0, 0)).status, 200, 'an empty tree');
  assert.equal(judge(request(0, 3), { size: 0, root: plainRoot([]) }).status, 200);
});

test('each refusal has the status that the specification gives it', () => {
  const proof = plainConsistency(7, leaves(12));
  const forked = plainNote(key, plainCheckpoint(ORIGIN, leaves(12, 3, 9)));
  const sameSize = plainNote(key, plainCheckpoint(ORIGIN, leaves(7, 3, 9)));
  const broken = noteOver(12).replace(/.{8}\n$/, 'AAAAAAA=\n');
  const cases: readonly (readonly [string, string, number])[] = [
    ['an unknown origin', request(7, 12).replaceAll(ORIGIN, 'other.example'), 404],
    ['a note that only a stranger signed', plainRequest(7, proof, noteOver(12, stranger)), 403],
    ['a signature by the key’s name and id that does not hold', plainRequest(7, proof, broken), 403],
    ['a text that was changed', request(7, 12).replace('\n12\n', '\n13\n'), 403],
    ['an old size above the checkpoint’s', plainRequest(8, [], noteOver(7)), 400],
    ['an old size below the last one', request(6, 12), 409],
    ['an old size above the last one', request(8, 12), 409],
    ['no old size where there is one', request(0, 12), 409],
    ['a proof that does not hold', plainRequest(7, [...proof].reverse(), noteOver(12)), 422],
    ['a proof with a hash too many', plainRequest(7, [...proof, Buffer.alloc(32)], noteOver(12)), 422],
    ['no proof', plainRequest(7, [], noteOver(12)), 422],
    ['a fork', plainRequest(7, plainConsistency(7, leaves(12, 3, 9)), forked), 422],
    ['another root for the last size', plainRequest(7, [], sameSize), 422],
    ['a proof where none is needed', plainRequest(7, proof, noteOver(7)), 422],
  ];
  for (const [what, body, status] of cases) assert.equal(judge(body, seen(7)).status, status, what);
  const forks = cases.filter(([, body]) => {
    const judged = judge(body, seen(7));
    return judged.status === 422 && judged.shows === 'fork';
  });
  assert.deepEqual(
    forks.map(([what]) => what),
    ['another root for the last size'],
    'nothing else proves that the log itself did it',
  );
  const seenBefore = judge(plainRequest(7, proof, noteOver(7)), seen(7));
  assert.equal(seenBefore.status === 422 && seenBefore.shows, 'nothing', 'it is the checkpoint that was seen');
  const first = plainRequest(0, [Buffer.alloc(32)], noteOver(3));
  assert.equal(judge(first).status, 422, 'a proof from nothing is empty');
  const empty = plainNote(key, `${ORIGIN}\n0\n${Buffer.alloc(32, 1).toString('base64')}\n`);
  assert.equal(judge(plainRequest(0, [], empty)).status, 422, 'an empty tree has one root');
  const behind = judge(request(0, 12), seen(7));
  assert.equal(behind.status === 409 && behind.size, 7);
});

test('what is no request is refused with a sentence that says what would be right', () => {
  const note = noteOver(7);
  const hash = Buffer.alloc(32).toString('base64');
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /empty line/],
    ['old 0\n', /empty line/],
    [`old\n\n${note}`, /first line/],
    [`old 01\n\n${note}`, /first line/],
    [`old -1\n\n${note}`, /first line/],
    [`old 0 \n\n${note}`, /first line/],
    [`Old 0\n\n${note}`, /first line/],
    [`old 9999999999999999\n\n${note}`, /15 digits/],
    [`old 0\r\n\n${note}`, /first line/],
    [`old 0\n${hash.slice(1)}\n\n${note}`, /Line 2 must be the base64/],
    [`old 0\n${Buffer.alloc(31).toString('base64')}\n\n${note}`, /Line 2/],
    [`old 0\n${`${hash}\n`.repeat(64)}\n${note}`, /at most 63 hashes/],
    [`old 0\n\n${note.trimEnd()}`, /last line does not end/],
    [`old 0\n\n${note.replace('— ', '- ')}`, /signature line is malformed/],
    [`old 0\n\n${note}\n`, /./],
    [`old 0\n\n${note.replace(ORIGIN, `${ORIGIN}\t`)}`, /control character/],
    [`old 0\n\n${plainNote(key, `${ORIGIN}\n07\n${hash}\n`)}`, /must have an origin/],
    [`old 0\n\n${plainNote(key, `${ORIGIN}\n7\nAAAA\n`)}`, /must have an origin/],
    [`old 0\n\n${plainNote(key, `${ORIGIN}\n7\n`)}`, /must have an origin/],
    [`old 0\n\n${plainNote(key, `\n7\n${hash}\n`)}`, /must have an origin/],
  ];
  for (const [body, reason] of cases) {
    const judged = judge(body);
    assert.equal(judged.status, 400, JSON.stringify(body));
    assert.match('reason' in judged ? judged.reason : '', reason, JSON.stringify(body));
  }
});

test('63 hashes and sixteen signatures are taken, and lines behind the root too, as the specification allows', () => {
  const hashes = Array.from({ length: 63 }, () => Buffer.alloc(32));
  assert.equal(judge(plainRequest(7, hashes, noteOver(12)), seen(7)).status, 422);
  const others = Array.from({ length: 15 }, (_, at) => plainKey(`other.example/${at}`, 1, Buffer.alloc(32, at + 10)));
  const text = plainCheckpoint(ORIGIN, leaves(7));
  const lines = others.map((other) => plainNote(other, text).split('\n\n')[1]).join('');
  const many = judge(plainRequest(0, [], noteOver(7) + lines));
  assert.ok(many.status === 200);
  assert.equal(many.note, noteOver(7), 'what was not verified is left out');
  const extended = judge(plainRequest(0, [], plainNote(key, `${text}more\n`)));
  assert.ok(extended.status === 200);
  assert.equal(extended.text, `${text}more\n`);
});

test('a signature line that stands many times is verified once, and one signature of each key is kept', () => {
  const { suite: counting, verified } = countingSuite(suite);
  const [, line = ''] = noteOver(7).split('\n\n');
  const body = plainRequest(0, [], noteOver(7) + line.repeat(63));
  const logOf = () => ({ keys: [keyIn(key.vkey)], seen: undefined });
  const judged = judgeCheckpoint(counting, body, logOf);
  assert.equal(judged.status === 200 && judged.note, noteOver(7));
  assert.equal(verified(), 1);
});

test('a body of equals signs costs no more to refuse than another of its length', () => {
  const before = performance.now();
  assert.equal(judge(`old 0\n${'='.repeat(130_000)}x\n\n${noteOver(7)}`).status, 400);
  const took = performance.now() - before;
  assert.ok(took < 2000, `${took} ms`);
});

test('a rotated key counts from when the witness is told of it, beside the former one', () => {
  const next = plainKey(ORIGIN, 1, new Uint8Array(32).fill(3));
  const body = plainRequest(7, plainConsistency(7, leaves(12)), noteOver(12, next));
  assert.equal(judge(body, seen(7)).status, 403);
  assert.equal(judge(body, seen(7), [keyIn(key.vkey), keyIn(next.vkey)]).status, 200);
  assert.equal(judge(body, seen(7), [keyIn(next.vkey)]).status, 200);
});

// The checkpoint of litewitness's own test, over a tree of which only the root is known.
test('a checkpoint of a Sigsum log, made by another implementation, is taken', () => {
  const origin = 'sigsum.org/v1/tree/985ea163f5af026723561354f51f2ebcdcf2af809ce254ccfb64aa9aadd80f90';
  const publicKey = Buffer.from('52c05edad1bf5feffa81354faae59a655d9a9a1a793ed2f62c39c26c0be2aecd', 'hex');
  const line = '7BKT0gOfNZ1J0So9unY3BZtm2YkPIoNYM/dce0Z2avJDs8dxN6ts9bOSwwrVrbjm6P9K3ZxpK6jJngOG6YvGGzV/lwo=';
  const body = `old 0\n\n${origin}\n1\nKgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— ${origin} ${line}\n`;
  const logOf = () => ({ keys: [{ name: origin, publicKey }], seen: undefined });
  assert.equal(judgeCheckpoint(suite, body, logOf).status, 200);
});

test('the example request of the specification is read as it is written, and written as it is read', () => {
  const body = `old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
`;
  const read = readAddCheckpoint(body);
  assert.ok(typeof read !== 'string', String(read));
  assert.equal(read.oldSize, 20_852_014);
  assert.equal(read.proof.length, 4);
  assert.equal(read.checkpoint.origin, 'example.com/behind-the-sofa');
  assert.equal(read.checkpoint.size, 20_852_163);
  assert.equal(writeAddCheckpoint(read), body);
});

/** A log that may lie: where it forks, how long it says it is, what it says the witness saw, and how it spoils the proof. */
const attempt = fc.record({
  fork: fc.constantFrom(99, 99, 99, 0, 3, 7),
  size: fc.nat(20),
  old: fc.oneof(fc.constant('last' as const), fc.nat(20)),
  spoil: fc.constantFrom('not', 'not', 'not', 'drop', 'swap', 'add'),
});

test('no sequence of requests, honest or forged, gets two roots for one size, or a size that does not extend', () => {
  const native = nativeSuite();
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 30 }), (attempts) => {
      let last: Checkpoint | undefined;
      const trees: Buffer[][] = [[]];
      const roots = new Map<number, string>();
      for (const { fork, size, old, spoil } of attempts) {
        const entries = leaves(size, fork, 5);
        const oldSize = old === 'last' ? (last?.size ?? 0) : old;
        let proof = oldSize <= size ? plainConsistency(oldSize, entries) : [];
        if (spoil === 'drop') proof = proof.slice(1);
        if (spoil === 'swap') proof = proof.toReversed();
        if (spoil === 'add') proof = [...proof, plainRoot(entries)];
        const body = plainRequest(oldSize, proof, plainNote(key, plainCheckpoint(ORIGIN, entries)));
        const judged = judgeCheckpoint(native, body, () => ({ keys: [keyIn(key.vkey)], seen: last }));
        if (judged.status !== 200) continue;
        assert.ok(judged.checkpoint.size >= (last?.size ?? 0), 'it never goes back');
        const root = Buffer.from(judged.checkpoint.root).toString('hex');
        assert.equal(roots.get(size) ?? root, root, 'one root for one size');
        const before = trees.at(-1) ?? [];
        assert.deepEqual(entries.slice(0, before.length), before, 'the entries before are still the first ones');
        roots.set(size, root);
        trees.push(entries);
        last = judged.checkpoint;
      }
    }),
    { numRuns: 300 },
  );
});
