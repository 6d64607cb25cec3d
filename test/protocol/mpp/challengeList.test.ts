/** Challenges as servers send them: the published vectors, lines of several schemes, and what cannot be used and why. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { CHALLENGE_BOUNDS, encodedObject, readChallenges } from '../../../protocol/mpp/challengeList.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import base64url from './vectors/base64url.json' with { type: 'json' };
import wwwAuthenticate from './vectors/wwwAuthenticate.json' with { type: 'json' };

const REQUIRED = { id: 'ch_1', realm: 'shop.example', method: 'stripe', intent: 'charge', request: 'e30' };

function lineOf(parameters: Readonly<Record<string, string>>, scheme = 'Payment'): string {
  const quoted = ([name, value]: [string, string]) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`;
  return `${scheme} ${Object.entries(parameters).map(quoted).join(', ')}`;
}

function reasonOf(received: string | object): string | undefined {
  const { usable, unusable } = readChallenges([received]);
  assert.equal(usable.length + unusable.length, 1);
  return unusable[0]?.reason;
}

describe('published vectors of WWW-Authenticate', () => {
  for (const { name, wire, object, tests, adapters } of wwwAuthenticate.scenarios) {
    if (wire === undefined || !('parse' in tests)) continue;
    const line = typeof wire === 'string' ? wire : wire.prefix + wire.repeat.repeat(wire.count);
    test(name, () => {
      const { usable } = readChallenges([line]);
      // The one row for a single adapter takes a header that was cut off; this node does not know what the end would have said.
      if (tests.parse !== true || adapters !== undefined) return assert.deepEqual(usable, []);
      const { received, request } = usable[0] ?? assert.fail('not usable');
      const { request: _request, ...named } = received;
      const { request: expected, ...texts } = object ?? assert.fail('no object');
      const known = Object.fromEntries(Object.entries(named).filter(([each]) => !['foo', 'baz'].includes(each)));
      assert.deepEqual({ ...known, request }, { ...texts, request: expected });
    });
  }
});

describe('published vectors of base64url', () => {
  for (const { name, decoded, encoded } of base64url.scenarios) {
    test(name, () => {
      const wrapped = (text: string) => toBase64url(new TextEncoder().encode(JSON.stringify({ text })));
      if (decoded === undefined) return assert.equal(encodedObject(encoded), undefined);
      assert.deepEqual(encodedObject(wrapped(decoded)), { text: decoded });
      assert.equal(toBase64url(new TextEncoder().encode(decoded)), encoded);
    });
  }
});

test('schemes are told apart outside quotes, and those that are not Payment are no error', () => {
  const line = `Bearer realm="a, Payment id=\\"no\\"", ${lineOf(REQUIRED)}, Basic realm="x", Negotiate abc==, pAyMeNt id=two,realm=r,method=tempo,intent=charge,request=e30`;
  const { usable, unusable, offered, otherSchemes } = readChallenges([line, 'Digest nonce="1"']);
  assert.deepEqual(
    usable.map(({ id }) => id),
    ['ch_1', 'two'],
  );
  assert.deepEqual(unusable, []);
  assert.deepEqual(offered, ['stripe/charge', 'tempo/charge']);
  assert.deepEqual(otherSchemes, ['Bearer', 'Basic', 'Negotiate', 'Digest']);
  assert.deepEqual(readChallenges(['Bearer']).offered, []);
});

test('a challenge is echoed as it was received, with what is not known, and read beside', () => {
  const request = toBase64url(new TextEncoder().encode('{ "amount": "5" }'));
  const parameters = {
    ...REQUIRED,
    request: `${request}==`.slice(0, Math.ceil(request.length / 4) * 4),
    opaque: 'e30',
    new: 'x',
    description: 'Ünicode \\ "quoted"',
    expires: '2026-11-28T10:00:00.5+01:00',
    header: 'payment-authorization',
  };
  const [challenge] = readChallenges([lineOf(parameters)]).usable;
  assert.deepEqual(challenge?.received, parameters);
  assert.deepEqual(challenge?.request, { amount: '5' });
  assert.equal(challenge?.expiresAt, Date.UTC(2026, 10, 28, 9, 0, 0, 500));
  assert.equal(challenge?.headerName, 'Payment-Authorization');
  const [escaped] = readChallenges([`${lineOf(REQUIRED)}, description="caf\\u00e9 \\ud83d\\ude00 \\un"`]).usable;
  assert.equal(escaped?.description, 'café 😀 un');
});

test('a challenge as an object keeps its request as it is', () => {
  const object = { ...REQUIRED, request: { amount: 5 }, more: [1] };
  const [challenge] = readChallenges([object]).usable;
  assert.equal(challenge?.received, object);
  assert.deepEqual(challenge?.request, { amount: 5 });
  assert.equal(challenge?.headerName, 'Authorization');
});

describe('a challenge cannot be used', () => {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(REQUIRED).filter(([each]) => each !== name)) as Record<string, string>;
  for (const name of Object.keys(REQUIRED)) {
    test(`without ${name}`, () => {
      assert.equal(reasonOf(lineOf(without(name))), `has no ${name}`);
      assert.equal(reasonOf(lineOf({ ...REQUIRED, [name]: '' })), `has no ${name}`);
      assert.equal(reasonOf(without(name)), `has no ${name}`);
    });
  }
  const encoded = (text: string) => toBase64url(new TextEncoder().encode(text));
  const cases: Readonly<Record<string, readonly [received: string | object, reason: RegExp]>> = {
    'with a name twice': [`${lineOf(REQUIRED)}, ID=b`, /id twice/],
    'with quotes that do not end': [`${lineOf(REQUIRED)}, expires="2026`, /quotes that do not end/],
    'with a line break': [`${lineOf(REQUIRED)},\r\n x=y`, /control character/],
    'with half a character': [`${lineOf(REQUIRED)}, x="\\ud800"`, /half a character/],
    'that names no scheme': ['id="x"', /no scheme/],
    'that is a text in quotes': ['"x"', /no scheme/],
    'with quotes inside quotes, and a comma': [`${lineOf(REQUIRED)}, x="for "Gold, new" users"`, /no parameter/],
    'that is a list': [['x'], /no object/],
    'with a method in capitals': [lineOf({ ...REQUIRED, method: 'Stripe' }), /lower case/],
    'with a long id': [lineOf({ ...REQUIRED, id: 'x'.repeat(256) }), /255/],
    'with a request that is a list': [lineOf({ ...REQUIRED, request: encoded('[]') }), /no JSON object/],
    'with a request that names a member twice': [
      lineOf({ ...REQUIRED, request: encoded('{"a":1,"a":2}') }),
      /no JSON object/,
    ],
    'with a request in base64': [lineOf({ ...REQUIRED, request: 'eyJhIjoiPz8/In0+' }), /no JSON object/],
    'with a long request': [
      lineOf({ ...REQUIRED, request: encoded(JSON.stringify({ a: 'x'.repeat(12_300) })) }),
      /16384/,
    ],
    'with a number for a text': [{ ...REQUIRED, expires: 1 }, /no text/],
    'that expires on a date': [lineOf({ ...REQUIRED, expires: '2026-11-28' }), /zone/],
    'that expires without a zone': [lineOf({ ...REQUIRED, expires: '2026-11-28T10:00:00' }), /zone/],
    'that expires by an epoch': [lineOf({ ...REQUIRED, expires: '1795860000' }), /zone/],
    'that expires in month 13': [lineOf({ ...REQUIRED, expires: '2026-13-28T10:00:00Z' }), /zone/],
    'that wants another header': [lineOf({ ...REQUIRED, header: 'Cookie' }), /other than Authorization/],
  };
  for (const [name, [received, reason]] of Object.entries(cases)) {
    test(name, () => assert.match(reasonOf(received) ?? 'usable', reason));
  }
});

test('all that is received has 32 KiB at most', () => {
  const line = lineOf({ ...REQUIRED, description: 'x'.repeat(CHALLENGE_BOUNDS.bytes / 2) });
  assert.equal(readChallenges([line]).usable.length, 1);
  assert.throws(() => readChallenges([line, line]), Fault);
  assert.throws(() => readChallenges([{ ...REQUIRED, x: '€'.repeat(11_000) }]), Fault);
});

describe('however lines are split and merged', () => {
  const name = fc.stringMatching(/^x[a-z0-9-]{0,5}$/);
  const value = fc.string({
    unit: fc.constantFrom('a', 'Z', ' ', ',', '"', '\\', '=', ';', 'Payment x', 'é', '/', '\u2028'),
  });
  const parameters = fc.dictionary(name, value, { maxKeys: 4 }).map((more) => ({ ...REQUIRED, ...more }));
  const other = fc.constantFrom(
    'Bearer',
    'Basic realm="a, b"',
    'Negotiate YWJj==',
    'DPoP algs="x", error="Payment id=1"',
  );
  const space = fc.constantFrom(',', ', ', ' ,\t', ', ,');

  test('the same challenges are read', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(parameters, fc.option(other), space, fc.boolean()), { maxLength: 5 }), (rows) => {
        const lines: string[] = [];
        for (const [each, beside, separator, isMerged] of rows) {
          const text = [beside ?? undefined, lineOf(each)].filter((part) => part !== undefined).join(separator);
          const last = isMerged ? lines.pop() : undefined;
          lines.push(last === undefined ? text : last + separator + text);
        }
        const { usable, unusable } = readChallenges(lines);
        assert.deepEqual(unusable, []);
        assert.deepEqual(
          usable.map(({ received }) => received),
          rows.map(([each]) => each),
        );
      }),
    );
  });

  test('no text breaks the parser', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'Payment ="\\,\tid1é') }), (line) => {
        const { usable } = readChallenges([line]);
        assert.deepEqual(usable, []);
      }),
    );
  });
});
