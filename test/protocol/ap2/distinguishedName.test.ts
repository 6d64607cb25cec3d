/** Subjects of certificates as text: read as RFC 4514 writes them, and compared attribute by attribute. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameName, parseDistinguishedName } from '../../../protocol/ap2/distinguishedName.ts';

const read = (text: string) => {
  const name = parseDistinguishedName(text);
  assert.ok(!('fault' in name), text);
  return name;
};

test('a subject is read with its escapes, its OIDs and several attributes at one place', () => {
  const rows = [
    [
      'CN=Ada Lovelace,O=Bank',
      [
        ['2.5.4.3', 'Ada Lovelace'],
        ['2.5.4.10', 'Bank'],
      ],
    ],
    [
      'cn = Ada , o = Bank',
      [
        ['2.5.4.3', 'Ada'],
        ['2.5.4.10', 'Bank'],
      ],
    ],
    [
      'CN=Ada\\, Countess+UID=7,2.5.4.97=X',
      [
        ['2.5.4.3', 'Ada, Countess'],
        ['0.9.2342.19200300.100.1.1', '7'],
        ['2.5.4.97', 'X'],
      ],
    ],
    ['CN=Lu\\C4\\8Di\\C4\\87', [['2.5.4.3', 'Lučić']]],
  ] as const;
  for (const [text, attributes] of rows) {
    assert.deepEqual(
      read(text),
      attributes.map(([type, value]) => ({ type, value })),
      text,
    );
  }
});

test('what is no subject is refused with the reason', () => {
  for (const text of ['', 'Ada', 'CN=', 'CN=Ada,', 'CN=Ada;O=Bank', 'CN=#0401', 'CN=\\FF', 'NAME=Ada', 'CN="Ada"']) {
    const name = parseDistinguishedName(text);
    assert.ok('fault' in name && name.fault.length > 20, text);
  }
  assert.match(JSON.stringify(parseDistinguishedName('NAME=Ada')), /attribute NAME.*OID/);
  assert.match(JSON.stringify(parseDistinguishedName(Array(21).fill('OU=A').join(','))), /more than 20/);
});

test('two names are the same where they have the same attributes, each as often, in whichever order', () => {
  const same = (one: string, other: string) => isSameName(read(one), read(other));
  assert.ok(same('CN=Ada,O=Bank', 'O=Bank,CN=Ada'));
  for (const other of [
    'CN=Ada',
    'CN=Ada,O=Bank,OU=X',
    'CN=ada,O=Bank',
    'CN=Bank,O=Ada',
    'CN=Ada,CN=Ada,O=Bank',
    'CN=Ada\\,O\\=Bank',
  ]) {
    assert.ok(!same('CN=Ada,O=Bank', other), other);
  }
  assert.ok(!isSameName([], []));
});
