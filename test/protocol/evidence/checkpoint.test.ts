/** Signed notes and checkpoints: the published example, and what makes one void. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { fromBase64, toBase64 } from '../../../protocol/credential/encodings.ts';
import { openCheckpoint, originOf, signCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { isKeyName, keyNamed, openNote, signNote, verifierKey } from '../../../protocol/evidence/log/note.ts';
import { countingSuite } from '../../support/countingSuite.ts';

const signer = suite.signer(new Uint8Array(32).fill(7));
const other = suite.signer(new Uint8Array(32).fill(8));
const checkpoint = { origin: originOf('tnt_1'), size: 12, root: new Uint8Array(32).fill(9) };

test('a checkpoint reads back as it was signed, and has the form of the specification', () => {
  const note = signCheckpoint(suite, signer, checkpoint);
  const lines = note.split('\n');
  assert.equal(lines[0], 'countersign/evidence/tnt_1');
  assert.equal(lines[1], '12');
  assert.equal(lines[2], Buffer.alloc(32, 9).toString('base64'));
  assert.equal(lines[3], '');
  assert.match(lines[4] ?? '', /^— did:key:z6Mk\w+ [A-Za-z0-9+/]+=*$/);
  const opened = openCheckpoint(suite, note, [signer.did]);
  assert.ok(opened.ok);
  assert.deepEqual(opened.checkpoint, checkpoint);
});

test('the example of the signed-note specification holds, and its key is written as there', () => {
  const key = {
    name: 'PeterNeumann',
    publicKey: Buffer.from('GlzZBxQ8OExB6DDFvOEqqIF+xWSaqr8sMTiLNbLXRNY=', 'base64'),
  };
  const note =
    'If you think cryptography is the answer to your problem,\n' +
    "then you don't know what your problem is.\n" +
    '\n' +
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
  assert.equal(verifierKey(suite, key), 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
  assert.ok(openNote(suite, note, key).ok);
});

test('a note with another signature beside it still holds, one without the issuer’s does not', () => {
  const text = 'hello\n';
  const both = signNote(suite, signer, text) + (signNote(suite, other, text).split('\n\n')[1] ?? '');
  assert.ok(openNote(suite, both, keyNamed(signer.did)).ok);
  assert.ok(openNote(suite, both, keyNamed(other.did)).ok);
  const refused = openNote(suite, signNote(suite, other, text), keyNamed(signer.did));
  assert.match(refused.ok ? '' : refused.reason, /has not signed it/);
});

test('a signature by a key of the same name is ignored, and one by the issuer’s key that does not match voids the note', () => {
  const text = 'hello\n';
  const own = signNote(suite, signer, text);
  const lineOf = (note: string) => note.split('\n\n')[1] ?? '';
  const namesake = lineOf(signNote(suite, { ...other, did: signer.did }, text));
  assert.ok(openNote(suite, own + namesake, keyNamed(signer.did)).ok);
  const alone = openNote(suite, `${text}\n${namesake}`, keyNamed(signer.did));
  assert.match(alone.ok ? '' : alone.reason, /has not signed it/);
  const wrong = openNote(suite, own + lineOf(signNote(suite, signer, 'other\n')), keyNamed(signer.did));
  assert.match(wrong.ok ? '' : wrong.reason, /does not match its text/);
});

test('a signature in the name of a former issuer by another key does not hide the one of the issuer', () => {
  const own = signCheckpoint(suite, signer, checkpoint);
  const stranger = suite.signer(new Uint8Array(32).fill(9));
  const namesake = signNote(suite, { ...stranger, did: other.did }, `${own.split('\n\n')[0]}\n`).split('\n\n')[1];
  const opened = openCheckpoint(suite, own + namesake, [other.did, signer.did]);
  assert.equal(opened.ok && opened.signer, signer.did);
});

test('a note that the specification forbids is not read, and well-formed signatures of strangers are ignored', () => {
  const own = signNote(suite, signer, 'hello\n');
  const stranger = (name: string, bytes: Uint8Array) => `— ${name} ${toBase64(bytes)}\n`;
  const value = new Uint8Array(72).fill(5);
  const cases: readonly (readonly [string, string, RegExp | undefined])[] = [
    ['another key', own + stranger('w.example/1', value), undefined],
    ['a comma in its name', own + stranger('a,b', value), undefined],
    ['no letter of ASCII in its name', own + stranger('свидетель', value), undefined],
    ['a signature of one byte', own + stranger('w', value.slice(0, 5)), undefined],
    ['a signature as long as those after quantum computers', own + stranger('w', new Uint8Array(5000)), undefined],
    ['a plus sign in its name', own + stranger('a+b', value), /malformed/],
    ['a space that is not ASCII in its name', own + stranger('a\u00a0b', value), /malformed/],
    ['another one', own + stranger('a\u3000', value), /malformed/],
    ['the newline of mainframes', own + stranger('a\u0085b', value), /malformed/],
    ['a key’s id and no signature', own + stranger('w', value.slice(0, 4)), /malformed/],
    ['no name', own + stranger('', value), /malformed/],
    ['a control character in its name', own + stranger('a\u0007b', value), /control character/],
    ['no signature line', 'hello\n\n', /no signature/],
  ];
  for (const [what, note, reason] of cases) {
    const opened = openNote(suite, note, keyNamed(signer.did));
    if (reason === undefined) assert.ok(opened.ok, what);
    else assert.match(opened.ok ? 'it was read' : opened.reason, reason, what);
  }
});

test('a note has 64 signatures at most, and the same line counts each time and is verified once', () => {
  const { suite: counting, verified } = countingSuite(suite);
  const own = signNote(suite, signer, 'hello\n');
  const [, line = ''] = own.split('\n\n');
  assert.ok(openNote(counting, own + line.repeat(63), keyNamed(signer.did)).ok);
  assert.equal(verified(), 1);
  const opened = openNote(counting, own + line.repeat(64), keyNamed(signer.did));
  assert.match(opened.ok ? '' : opened.reason, /more than 64 signatures/);
});

test('the name of a key that is made here has nothing that a note or the setting of a node cannot hold', () => {
  for (const name of ['w.example/1', 'a-b_c', 'свидетель']) assert.ok(isKeyName(name), name);
  for (const name of ['', 'a b', 'a+b', 'a,b', 'a\u00a0b', 'a\u0085b', 'a\nb', 'a'.repeat(256)]) {
    assert.equal(isKeyName(name), false, JSON.stringify(name));
  }
});

test('a checkpoint with any byte changed does not hold', () => {
  const note = Buffer.from(signCheckpoint(suite, signer, checkpoint));
  for (let at = 0; at < note.length; at++) {
    const changed = Buffer.from(note);
    changed[at] = (changed[at] as number) ^ 1;
    assert.ok(!openCheckpoint(suite, changed.toString('utf8'), [signer.did]).ok, `byte ${at}`);
  }
});

test('base64 has one spelling', () => {
  assert.deepEqual(fromBase64(toBase64(Uint8Array.of(1, 2, 3, 255))), Uint8Array.of(1, 2, 3, 255));
  for (const text of ['AQ', 'AQ=', 'AR==', 'A-8=', 'AQ==\n', 'AQ===']) assert.equal(fromBase64(text), undefined, text);
});
