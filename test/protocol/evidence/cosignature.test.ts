/** Cosignatures: published ones hold, those made here hold elsewhere, and a reader is told whose is missing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { signCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { cosign, cosignedBy, readCosignatures, withCosignatures } from '../../../protocol/evidence/log/cosignature.ts';
import {
  LOG_KEY,
  type NoteKey,
  openNote,
  readVerifierKey,
  verifierKey,
  WITNESS_KEY,
} from '../../../protocol/evidence/log/note.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { isSignedPlainly, plainCosignature, plainKey, plainNote } from '../../support/plainNotes.ts';

/** A checkpoint of a public log of certificates, as it was served with the cosignatures of public witnesses. */
const PUBLISHED = `arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
— witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
— witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
`;
const REMORA = 'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2';

const seed = (byte: number) => new Uint8Array(32).fill(byte);
const issuer = suite.signer(seed(1));
const text = 'countersign/evidence/tnt_1\n5\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const signed = signCheckpoint(suite, issuer, {
  origin: 'countersign/evidence/tnt_1',
  size: 5,
  root: Buffer.from('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=', 'base64'),
});
const AT = 1_679_315_147_000;

function keyIn(vkey: string, type: typeof LOG_KEY | typeof WITNESS_KEY = WITNESS_KEY): NoteKey {
  const key = readVerifierKey(suite, vkey, type);
  return typeof key === 'string' ? assert.fail(key) : key;
}

test('the cosignature that a public witness made of a public log holds, by both suites, with its time', () => {
  for (const each of [suite, nativeSuite()]) {
    const read = readCosignatures(each, PUBLISHED, [keyIn(REMORA)]);
    assert.ok(read.ok);
    assert.deepEqual(
      read.cosignatures.map(({ witness, time }) => [witness.name, new Date(time * 1000).toISOString()]),
      [['remora.n621.de', '2026-05-23T21:50:24.000Z']],
    );
    const other = readCosignatures(each, PUBLISHED.replace('\n1432088532\n', '\n1432088533\n'), [keyIn(REMORA)]);
    assert.equal(other.ok, false);
  }
  assert.ok(isSignedPlainly(PUBLISHED, REMORA), 'the plain implementation agrees');
});

test('the verifier key and the note that the specification gives as examples are read as it says', () => {
  const vkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
  const note =
    'This is an example message.\n\n' +
    '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
  const key = keyIn(vkey, LOG_KEY);
  assert.ok(openNote(suite, note, key).ok);
  assert.equal(verifierKey(suite, key), vkey);
  assert.ok(isSignedPlainly(note, vkey));
});

test('what is cosigned here holds for an implementation of node:crypto alone, and the other way round', () => {
  const witness = suite.signer(seed(2));
  const plain = plainKey('w.example/1', 4, seed(2));
  const line = cosign(suite, witness, 'w.example/1', text, AT + 999);
  assert.equal(line, plainCosignature(plain, text, AT / 1000), 'Ed25519 has one signature for each message');
  assert.equal(verifierKey(suite, { name: 'w.example/1', publicKey: witness.publicKey }, WITNESS_KEY), plain.vkey);
  assert.ok(isSignedPlainly(withCosignatures(signed, [line]), plain.vkey));
  assert.equal(signed, plainNote(plainKey(issuer.did, 1, seed(1)), text), 'checkpoints too');
  const read = readCosignatures(suite, withCosignatures(signed, [line]), [keyIn(plain.vkey)]);
  assert.ok(read.ok);
  assert.equal(read.cosignatures[0]?.time, AT / 1000);
});

test('a note keeps its order: the log first, then each cosignature once; and the issuer’s signature still opens it', () => {
  const lines = [2, 3].map((byte) => cosign(suite, suite.signer(seed(byte)), `w.example/${byte}`, text, AT));
  const note = withCosignatures(withCosignatures(signed, lines), lines);
  assert.equal(note, signed + lines.join(''));
  assert.ok(openNote(suite, note, { name: issuer.did, publicKey: issuer.publicKey }).ok);
});

test('a note is never made longer than a reader takes, and keeps the newest cosignatures', () => {
  const key = suite.signer(seed(2));
  const lines = Array.from({ length: 80 }, (_, at) => cosign(suite, key, `w.example/${at}`, text, AT));
  const note = withCosignatures(signed, lines);
  assert.equal(note, signed + lines.slice(-63).join(''));
  const last = { name: 'w.example/79', publicKey: key.publicKey };
  const read = readCosignatures(suite, note, [last]);
  assert.equal(read.ok && read.cosignatures.length, 1);
});

test('a reader is told whose cosignature is missing, and one that does not hold voids the note', () => {
  const keys = [2, 3, 4].map((byte) => keyIn(plainKey(`w.example/${byte}`, 4, seed(byte)).vkey));
  const lines = [2, 3].map((byte) => cosign(suite, suite.signer(seed(byte)), `w.example/${byte}`, text, AT));
  const note = withCosignatures(signed, lines);
  const ask = (given: string, quorum: number) => cosignedBy(suite, { witnesses: keys, quorum })(given);
  assert.equal(ask(note, 2), undefined);
  assert.match(ask(note, 3) ?? '', /cosigned by 2 of the 3 .* of w\.example\/4 is missing/);
  assert.match(ask(signed, 3) ?? '', /w\.example\/2, w\.example\/3, w\.example\/4/);
  const moved = cosign(suite, suite.signer(seed(2)), 'w.example/2', text.replace('\n5\n', '\n6\n'), AT);
  assert.match(ask(signed + moved, 1) ?? '', /the cosignature of w\.example\/2 does not match/);
  const twice = signed + lines[0] + cosign(suite, suite.signer(seed(2)), 'w.example/2', text, AT + 60_000);
  assert.match(ask(twice, 2) ?? '', /cosigned by 1 of the 2/, 'one witness counts once');
  const stranger = cosign(suite, suite.signer(seed(9)), 'w.example/2', text, AT);
  assert.match(ask(signed + stranger, 1) ?? '', /cosigned by 0/, 'a key of the same name is another key');
  const signedAsLog = plainNote(plainKey('w.example/2', 1, seed(2)), text).split('\n\n')[1];
  assert.match(ask(signed + signedAsLog, 1) ?? '', /cosigned by 0/, 'a signature of a log is no cosignature');
  const timeless = plainCosignature(plainKey('w.example/2', 4, seed(2)), text, 0);
  assert.match(
    ask(signed + timeless, 1) ?? '',
    /w\.example\/2 is dated 0, which is no time/,
    'a checkpoint’s cosignature has a time',
  );
});

test('a cosignature at a time that no Date holds voids the note, and one far ahead holds with its time', () => {
  const plain = plainKey('w.example/2', 4, seed(2));
  const key = keyIn(plain.vkey);
  const at = (time: number) => signed + plainCosignature(plain, text, time);
  for (const time of [8_640_000_000_001, 1.7e15, Number.MAX_SAFE_INTEGER]) {
    const read = readCosignatures(suite, at(time), [key]);
    assert.match(read.ok ? '' : read.reason, new RegExp(`of w\\.example/2 is dated ${time}, .*seconds`));
  }
  const beyond = Buffer.alloc(76, 0xff);
  beyond.set(Buffer.from(plain.vkey.split('+')[1] ?? '', 'hex'));
  const read = readCosignatures(suite, `${signed}— w.example/2 ${beyond.toString('base64')}\n`, [key]);
  assert.equal(read.ok, false, 'the largest time of eight bytes');
  const last = readCosignatures(suite, at(8_640_000_000_000), [key]);
  assert.ok(last.ok);
  assert.equal(new Date((last.cosignatures[0]?.time ?? 0) * 1000).toISOString(), '+275760-09-13T00:00:00.000Z');
});

test('a verifier key says what is wrong with it', () => {
  const { vkey } = plainKey('w.example/1', 4, seed(2));
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /name\+hash\+key/],
    ['w example+00000000+AAAA', /name\+hash\+key/],
    [vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+'), /must have the hash of its name and key/],
    [vkey.replace('w.example/1', 'w.example/2'), /must have the hash/],
    [plainKey('w.example/1', 1, seed(2)).vkey, /must be a key of type 4, and is one of type 1/],
    [`w+00000000+${Buffer.concat([Buffer.of(4), Buffer.alloc(32)]).toString('base64')}`, /must hold an Ed25519 key/],
    [`w+00000000+${Buffer.concat([Buffer.of(4), Buffer.alloc(31)]).toString('base64')}`, /must hold an Ed25519 key/],
  ];
  for (const [text, reason] of cases) {
    const read = readVerifierKey(suite, text, WITNESS_KEY);
    assert.match(typeof read === 'string' ? read : 'a key', reason, text);
  }
});
