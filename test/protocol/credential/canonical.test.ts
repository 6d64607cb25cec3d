/** RFC 8785: its own vectors, its properties, and what has no canonical form. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import {
  canonical,
  canonicalAround,
  canonicalAroundPlainly,
  canonicalPlainly,
  hashOf,
  hashText,
} from '../../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { Fault } from '../../../protocol/wire/fault.ts';

test('the sample of RFC 8785 section 3.2 is written as the RFC has it', () => {
  const input = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  assert.equal(
    canonical(JSON.parse(input)),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('members are sorted by UTF-16 code units, as in RFC 8785 section 3.2.3', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
  const text = canonical(Object.fromEntries(names.map((name) => [name, 0])));
  const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
  assert.deepEqual(
    Object.keys(JSON.parse(text)).filter((name) => name !== '1'),
    sorted.filter((name) => name !== '1'),
  );
  assert.equal(text, `{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
});

/** RFC 8785 appendix B: the bits of a double, and its text. */
const NUMBERS: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

test('numbers are written as in RFC 8785 appendix B', () => {
  for (const [bits, text] of NUMBERS) assert.equal(canonical(Buffer.from(bits, 'hex').readDoubleBE()), text);
});

/** JSON as it can be sent: no lone surrogates, and no name that objects treat in a way of their own. */
const json = fc
  .jsonValue({ stringUnit: 'grapheme', maxDepth: 4 })
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

test('the text is the same whatever the order of the members, and reads back as the same value', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = canonical(value);
      assert.equal(canonical(reversed(value)), text);
      assert.equal(canonical(JSON.parse(text)), text);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('an object is written around one of its members as the library writes it without that member, and with another value', () => {
  const name = fc.oneof(fc.constantFrom('proof', 'a', '', 'é'), fc.string({ unit: 'grapheme', maxLength: 3 }));
  const names = name.filter((each) => each !== '__proto__');
  const objects = fc.dictionary(names, json, { maxKeys: 30, noNullPrototype: true });
  fc.assert(
    fc.property(objects, names, json, (object, around, value) => {
      const written = canonicalAround(object, around);
      const plain = canonicalAroundPlainly(object, around);
      assert.equal(written.without, plain.without);
      assert.equal(written.with(value), plain.with(value));
    }),
  );
});

test('what has no canonical JSON has none around a member either, unless it is that member', () => {
  for (const odd of ['\ud800', Number.NaN, () => 1, 1n]) {
    assert.throws(() => canonicalAround({ odd }, 'proof').without, Fault);
    assert.equal(canonicalAround({ odd, a: 1 }, 'odd').without, '{"a":1}');
  }
  assert.throws(() => canonicalAround({ '\ud800': 1 }, 'proof').without, Fault);
  const dated = { toJSON: () => ({ a: 1 }) };
  assert.equal(canonicalAround({ dated }, 'proof').without, '{"dated":{"a":1}}');
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

test('what is not JSON is refused', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  let deep: unknown = 0;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  const wrong = [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    { a: [Number.NEGATIVE_INFINITY] },
    '\ud800',
    { '\udc00': 1 },
    undefined,
    () => 1,
    { a: () => 1 },
    Symbol('s'),
    1n,
    cycle,
    deep,
  ];
  for (const value of wrong) {
    assert.throws(
      () => canonical(value),
      (error) => error instanceof Fault && error.code === 'BAD_REQUEST',
    );
  }
});

test('the word undefined is a text like any other', () => {
  assert.equal(canonical({ a: 'undefined', undefined: 'x:undefined' }), '{"a":"undefined","undefined":"x:undefined"}');
});

test('members without a value are left out', () => {
  assert.equal(canonical({ b: undefined, a: 1 }), '{"a":1}');
});

test('hashes are SHA-256 over the canonical text, in hexadecimal', () => {
  const expected = `sha256:${createHash('sha256').update('{"a":"é","b":2}').digest('hex')}`;
  assert.equal(hashOf(nobleSuite, { b: 2, a: 'é' }), expected);
  assert.equal(hashText(nobleSuite, '{"a":"é","b":2}'), expected);
});

test('any value is written, or refused, as the reference library does it', () => {
  const strange = fc.oneof(
    fc.constantFrom('__proto__', '1', '01', '', 'ö', '\ud800', '\udc00a', 'x'.repeat(65), '\ud800'.repeat(65)),
    fc.string({ unit: 'binary' }),
  );
  const leaf = fc.oneof(strange, fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(null, undefined));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(strange, tie('value'))),
  }));
  fc.assert(
    fc.property(value, (each) => {
      let expected: string | undefined;
      try {
        expected = canonicalize(each);
      } catch {
        expected = undefined;
      }
      if (expected === undefined) assert.throws(() => canonical(each), Fault);
      else assert.equal(canonical(each), expected);
    }),
    { numRuns: 2000 },
  );
});

test('a known text stands for its document wherever that is embedded, and for no copy of it', () => {
  const document = { b: 1, a: 2 };
  const parts = [
    { document: {}, text: '{}' },
    { document, text: '{"a":2,"b":1}' },
  ];
  assert.equal(canonical({ list: [document] }, parts), '{"list":[{"a":2,"b":1}]}');
  assert.equal(canonical({ ...document, a: 3 }, parts), '{"a":3,"b":1}');
  fc.assert(
    fc.property(json, fc.dictionary(fc.string(), json), (value, part) => {
      const known = [{ document: part, text: canonicalPlainly(part) }];
      assert.equal(canonical([value, { part }], known), canonicalPlainly([value, { part }]));
    }),
  );
});
