/** The JSON reader: it reads what JSON.stringify writes, and nothing that two readers could read differently. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fault } from '../../../protocol/wire/fault.ts';
import { decodeUtf8, JsonSyntaxFault, MAX_JSON_BYTES, parseJson } from '../../../protocol/wire/json.ts';

function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error;
  }
  return assert.fail('nothing was refused');
}

const faultIn = (text: string) => faultOf(() => parseJson(text));
const json = fc
  .jsonValue({ stringUnit: 'grapheme', maxDepth: 5 })
  .filter((value) => !JSON.stringify(value).includes('"__proto__":'));

test('it reads everything that JSON.stringify writes', () => {
  fc.assert(
    fc.property(json, fc.constantFrom('', ' ', '\n\t'), (value, space) => {
      const text = space + JSON.stringify(value, null, space) + space;
      assert.deepEqual(parseJson(text), JSON.parse(text));
    }),
    { numRuns: 1000 },
  );
});

test('a text that is not JSON is a syntax fault exactly where JSON.parse fails', () => {
  const texts = fc.tuple(
    json,
    fc.nat(),
    fc.constantFrom('', '"', ',', ':', '}', ']', '1', '\\', '\u0000', 'e', '-', '0'),
  );
  fc.assert(
    fc.property(texts, ([value, place, insert]) => {
      const whole = JSON.stringify(value);
      const at = place % (whole.length + 1);
      const text = whole.slice(0, at) + insert + whole.slice(at + (place % 2));
      const native = attempt(() => JSON.parse(text));
      const ours = attempt(() => parseJson(text));
      if (native instanceof Error) assert.ok(ours instanceof JsonSyntaxFault, text);
      else if (ours instanceof Error) assert.ok(ours instanceof Fault && !(ours instanceof JsonSyntaxFault), text);
      else assert.deepEqual(ours, native);
    }),
    { numRuns: 3000 },
  );
});

function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

test('texts that are no JSON are syntax faults', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '{]',
    "{'a':1}",
    '{"a":1,}',
    '[1,]',
    'NaN',
    'Infinity',
    '01',
    '+1',
    '"\t"',
    '\ufeff{}',
    '{} {}',
    'undefined',
    '"\\x"',
  ]) {
    const fault = faultIn(text);
    assert.ok(fault instanceof JsonSyntaxFault, text);
    assert.equal(fault.mapping.http, 400);
  }
});

/** A name in one of its spellings: as it is, or with its first character escaped. */
const spelled = (name: string, escaped: boolean) =>
  escaped ? `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"` : JSON.stringify(name);

test('a member named twice is refused, however it is spelled and however deep it lies', () => {
  const members = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'cd', 'e:f'), fc.boolean(), json), { maxLength: 4 });
  fc.assert(
    fc.property(members, fc.nat(3), (entries, depth) => {
      const inner = `{${entries.map(([name, escaped, value]) => `${spelled(name, escaped)} : ${JSON.stringify(value)}`).join(',')}}`;
      const text = '[{"x":'.repeat(depth) + inner + '}]'.repeat(depth);
      const twice = new Set(entries.map(([name]) => name)).size < entries.length;
      const result = attempt(() => parseJson(text));
      if (twice) assert.match(String(result), /is there twice/, text);
      else assert.deepEqual(result, JSON.parse(text));
    }),
    { numRuns: 2000 },
  );
});

test('the fault names the member that is there twice', () => {
  const cases = {
    '{"a":1,"a":1}': 'a',
    '{"a":{"a":1},"b":[0,{"c":[],"c":2}]}': 'b.1.c',
    '{"\\u0061":1,"a":2}': 'a',
    '{"a\\"":1,"b":"a\\":","a\\"":2}': 'a"',
    '[[],{"a":{"b":1,"c":"}","b":2}}]': '1.a.b',
  };
  for (const [text, path] of Object.entries(cases)) {
    const fault = faultIn(text);
    assert.deepEqual(fault.details, [{ path, message: 'is there twice' }], text);
    assert.equal(fault.code, 'BAD_REQUEST');
  }
});

test('strings full of colons, braces and quotes are not taken for members', () => {
  const value = { 'a:"b"': '{"a":1,"a":2}', '\\': '\\"', '\\\\"': ':', ':': ['"', ':', '\\:'] };
  assert.deepEqual(parseJson(JSON.stringify(value)), value);
});

test('a member named __proto__ is refused, escaped or not', () => {
  for (const text of [
    '{"__proto__":1}',
    '{"a":[{"__proto__":{}}]}',
    '{"\\u005f_proto__":1}',
    '{"__prot\\u006F__":1}',
  ]) {
    assert.match(faultIn(text).message, /__proto__" is not a name/);
  }
  assert.deepEqual(parseJson('{"a":"__proto__","proto":1,"constructor":2}'), {
    a: '__proto__',
    proto: 1,
    constructor: 2,
  });
});

test('a number beyond a double is refused with its place', () => {
  for (const number of ['1e400', '-1e400', `1${'0'.repeat(400)}`]) {
    assert.match(faultIn(`{"a":{"b":[1,${number}]}}`).message, /"a\.b\.1" is too large a number/);
  }
  assert.equal(parseJson('1e308'), 1e308);
  assert.equal(parseJson('1e-400'), 0);
});

test('half a surrogate pair is refused in texts and names, escaped or raw', () => {
  for (const text of [
    '"\\ud800"',
    '"\\uDC00x"',
    '"\ud800"',
    '{"a":"\\ud83d\\u0020"}',
    '{"\\ud800":1}',
    '{"\udfff":1}',
  ]) {
    assert.match(faultIn(text).message, /half a surrogate pair/);
  }
  assert.equal(parseJson('"\\ud83d\\ude00"'), '😀');
  assert.equal(parseJson('"😀"'), '😀');
});

test('nesting is read down to 32 levels and no deeper', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  for (const make of [nested, objects]) {
    assert.doesNotThrow(() => parseJson(make(32)));
    assert.match(faultIn(make(33)).message, /deeper than 32 levels/);
  }
  assert.match(faultIn(nested(100_000)).message, /deeper than 32/);
  assert.match(faultOf(() => parseJson('[[1]]', { maxDepth: 1 })).message, /deeper than 1 levels/);
});

test('size is counted in UTF-8 bytes, and the limit itself is allowed', () => {
  const ascii = `"${'a'.repeat(MAX_JSON_BYTES - 2)}"`;
  assert.equal(parseJson(ascii), 'a'.repeat(MAX_JSON_BYTES - 2));
  assert.equal(faultIn(`${ascii} `).code, 'PAYLOAD_TOO_LARGE');
  assert.equal(parseJson('"€"', { maxBytes: 5 }), '€');
  assert.equal(faultOf(() => parseJson('"€"', { maxBytes: 4 })).code, 'PAYLOAD_TOO_LARGE');
  assert.equal(faultOf(() => parseJson('"😀"', { maxBytes: 5 })).code, 'PAYLOAD_TOO_LARGE');
});

test('a hostile text of the full size is judged in no time', () => {
  const size = MAX_JSON_BYTES - 10;
  const texts = [
    `"${'\\\\'.repeat(size / 2 - 2)}"`,
    `"${'\\"'.repeat(size / 2 - 2)}"`,
    `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join(',')},"k7":1}`,
    '['.repeat(size),
  ];
  for (const text of texts) {
    const start = performance.now();
    attempt(() => parseJson(text));
    assert.ok(performance.now() - start < 1000);
  }
});

test('bytes are read as UTF-8 strictly, a byte order mark being no JSON', () => {
  assert.equal(decodeUtf8(new TextEncoder().encode('€ 😀')), '€ 😀');
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
    assert.ok(faultOf(() => decodeUtf8(Uint8Array.from(bytes))) instanceof JsonSyntaxFault);
  }
  const marked = Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d);
  assert.ok(faultOf(() => parseJson(decodeUtf8(marked))) instanceof JsonSyntaxFault);
});
