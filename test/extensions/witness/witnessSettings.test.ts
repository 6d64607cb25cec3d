/** The settings that name witnesses: what is taken, and what is said of each entry that is wrong, all at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedWitnesses } from '../../../src/extensions/witness/asking/witnesses.ts';
import { ConfigError, readConfig } from '../../../src/node/config/config.ts';
import { plainKey } from '../../support/plainNotes.ts';

const keyOf = (byte: number, name = `w${byte}.example`) => plainKey(name, 4, new Uint8Array(32).fill(byte)).vkey;
const namedBy = (env: Record<string, string>) => namedWitnesses(readConfig(env).extensionSettings['witness'] as object);
const [one, two, three] = [keyOf(1), keyOf(2), keyOf(3)];

test('witnesses are named by key and address, and all of them are the quorum unless one is given', () => {
  assert.deepEqual(namedBy({}), { named: [], quorum: 0 });
  const WITNESSES = `${one} https://w1.example/,${two}   http://127.0.0.1:8403/sub/ , ${three} https://w3.example`;
  const { named, quorum } = namedBy({ WITNESSES });
  assert.equal(quorum, 3);
  assert.deepEqual(
    named.map(({ key, url }) => [key.name, url]),
    [
      ['w1.example', 'https://w1.example/add-checkpoint'],
      ['w2.example', 'http://127.0.0.1:8403/sub/add-checkpoint'],
      ['w3.example', 'https://w3.example/add-checkpoint'],
    ],
  );
  assert.equal(namedBy({ WITNESSES, WITNESS_QUORUM: '2' }).quorum, 2);
});

test('what is wrong is said of each entry, and of the settings together', () => {
  const many = Array.from({ length: 16 }, (_, at) => `${keyOf(at + 1)} https://w.example/${at}`).join(',');
  const cases: readonly (readonly [Record<string, string>, ...RegExp[]])[] = [
    [{ WITNESSES: one }, /must be a verifier key and an address with a space between/],
    [{ WITNESSES: `${one} https://a.example b` }, /with a space between/],
    [
      { WITNESSES: `w+1+x https://a.example, ${one} nowhere` },
      /w\+1\+x must be a verifier key/,
      /nowhere must be an address/,
    ],
    [{ WITNESSES: `${plainKey('w', 1, new Uint8Array(32).fill(1)).vkey} https://a.example` }, /key of type 4/],
    [{ WITNESSES: `${one} https://a.example/?x=1` }, /no query/],
    [{ WITNESSES: `${one} ftp://a.example` }, /the address must begin with https/],
    [{ WITNESSES: `${one} https://me:it@a.example` }, /must not carry a user name/],
    [{ WITNESSES: `${one} http://a.example`, AP2_ENV: 'production' }, /the address must begin with https:\/\//],
    [{ WITNESSES: `${one} https://10.0.0.1`, AP2_ENV: 'production' }, /must not lead to a private/],
    [{ WITNESSES: `${one} https://a.example,${keyOf(1, 'other')} https://b.example` }, /has the key of another entry/],
    [{ WITNESSES: many }, /at most 15 witnesses/],
    [{ WITNESSES: `${one} https://a.example`, WITNESS_QUORUM: '2' }, /must be at most the number of witnesses, 1/],
    [{ WITNESS_QUORUM: '1' }, /does nothing without WITNESSES/],
    [{ WITNESSES: `${one} https://a.example`, WITNESS_QUORUM: '0' }, /must be at least 1/],
    [{ WITNESSES: one, PORT: 'x' }, /^WITNESSES=/m, /^PORT=/m],
  ];
  for (const [env, ...reasons] of cases) {
    assert.throws(
      () => readConfig(env),
      (error) => {
        assert.ok(error instanceof ConfigError);
        for (const reason of reasons) assert.match(error.message, reason, JSON.stringify(env));
        return true;
      },
    );
  }
  const allowed = { AP2_ENV: 'production', WEBHOOK_ALLOW_PRIVATE: 'true', WITNESSES: `${one} http://10.0.0.1:8403` };
  assert.equal(namedBy(allowed).named.length, 1);
});
