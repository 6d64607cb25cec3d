/** Merchants: one form for each domain, and what the allow and deny lists cover. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { MerchantDomain, normalizeDomain } from '../../../../protocol/policy/values/domain.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { codesOf } from '../judge.ts';

const CYRILLIC_A = '\u0430';

test('a domain has one form, whatever it was written like', () => {
  const cases = {
    'example.com': 'example.com',
    'EXAMPLE.Com': 'example.com',
    'example.com.': 'example.com',
    'example\u3002com': 'example.com',
    '\uff45xample.com': 'example.com',
    'exam\u00adple.com': 'example.com',
    'b\u00fccher.example': 'xn--bcher-kva.example',
    'BU\u0308CHER.example': 'xn--bcher-kva.example',
    'xn--bcher-kva.example': 'xn--bcher-kva.example',
    [`${CYRILLIC_A}mazon.com`]: 'xn--mazon-3ve.com',
    'a.b-c.1.example.co.uk': 'a.b-c.1.example.co.uk',
  };
  for (const [text, domain] of Object.entries(cases)) assert.equal(normalizeDomain(text), domain, text);
});

test('what is not a plain host name of two labels or more is refused', () => {
  const wrong = [
    '',
    '.',
    'com',
    'localhost',
    'https://example.com',
    'example.com/',
    'example.com/x',
    'example.com:443',
    'user@example.com',
    'example.com?x',
    'example.com#x',
    'example.com\\x',
    ' example.com',
    'example.com\n',
    'exam\tple.com',
    'exa mple.com',
    'exam%70le.com',
    '127.0.0.1',
    '0x7f.1',
    '1.2.3',
    '\uff11\uff12\uff17.0.0.1',
    '[::1]',
    '::1',
    'example..com',
    '.example.com',
    'example.com..',
    '-example.com',
    'example-.com',
    'ex_ample.com',
    '*.example.com',
    'example.1',
    'xn--a.com',
    `${'a'.repeat(64)}.com`,
    `${'abc.'.repeat(63)}ab`,
    `${'a'.repeat(100_000)}.com`,
  ];
  for (const text of wrong) {
    assert.throws(
      () => normalizeDomain(text),
      (error) => error instanceof Fault && error.code === 'BAD_REQUEST',
      text.slice(0, 80),
    );
    assert.equal(MerchantDomain.safeParse(text).success, false, text.slice(0, 80));
  }
});

test('labels of 63 and names of 253 characters are the longest', () => {
  const longLabel = `${'a'.repeat(63)}.com`;
  const longName = `${'abc.'.repeat(63)}a`;
  assert.equal(longName.length, 253);
  assert.equal(normalizeDomain(longLabel), longLabel);
  assert.equal(normalizeDomain(`${longName}.`), longName);
});

test('the normal form of a normal form is itself, and any other text is a fault and nothing else', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.string({ unit: 'grapheme' }), fc.webAuthority()), (text) => {
      let domain: string;
      try {
        domain = normalizeDomain(text);
      } catch (error) {
        assert.ok(error instanceof Fault);
        return;
      }
      assert.equal(normalizeDomain(domain), domain);
      assert.match(domain, /^[a-z0-9.-]+$/);
    }),
  );
});

describe('the allow list', () => {
  const cases: [string, string[], string, boolean][] = [
    ['names a domain exactly', ['example.com'], 'example.com', true],
    ['does not mean subdomains', ['example.com'], 'www.example.com', false],
    ['is normalised', ['EXAMPLE.com.'], 'Example.COM', true],
    ['means subdomains by a wildcard', ['*.example.com'], 'shop.example.com', true],
    ['means subdomains at any depth by a wildcard', ['*.example.com'], 'a.b.example.com', true],
    ['does not mean the domain itself by a wildcard', ['*.example.com'], 'example.com', false],
    ['does not mean names that only end alike', ['*.example.com'], 'notexample.com', false],
    ['does not mean a longer name', ['example.com'], 'example.com.evil.example', false],
    ['takes Unicode and A-labels for the same', ['b\u00fccher.example'], 'xn--bcher-kva.example', true],
    ['is not fooled by look-alikes', ['amazon.com'], `${CYRILLIC_A}mazon.com`, false],
    ['of nothing allows everyone', [], 'example.com', true],
  ];
  for (const [name, allow_list, merchant, allowed] of cases) {
    test(name, () => {
      const codes = codesOf({ merchant: { allow_list } }, { merchantDomain: MerchantDomain.parse(merchant) });
      assert.deepEqual(codes, allowed ? [] : ['MERCHANT_NOT_ALLOWED']);
    });
  }

  test('lets a request pass that names no merchant yet', () => {
    assert.deepEqual(codesOf({ merchant: { allow_list: ['example.com'] } }), []);
  });
});

describe('the deny list', () => {
  const cases: [string, string[], string, boolean][] = [
    ['names a domain', ['bad.example'], 'bad.example', true],
    ['covers its subdomains', ['bad.example'], 'www.a.bad.example', true],
    ['does not cover names that only end alike', ['bad.example'], 'notbad.example', false],
    ['does not cover the parent', ['shop.bad.example'], 'bad.example', false],
    ['covers only subdomains by a wildcard', ['*.bad.example'], 'bad.example', false],
    ['covers subdomains by a wildcard', ['*.bad.example'], 'www.bad.example', true],
    ['is normalised', ['BAD.example.'], 'bad.EXAMPLE', true],
  ];
  for (const [name, deny_list, merchant, denied] of cases) {
    test(name, () => {
      const codes = codesOf({ merchant: { deny_list } }, { merchantDomain: MerchantDomain.parse(merchant) });
      assert.deepEqual(codes, denied ? ['MERCHANT_DENIED'] : []);
    });
  }

  test('holds beside the allow list', () => {
    const merchant = { allow_list: ['*.example.com'], deny_list: ['bad.example.com', 'other.example'] };
    assert.deepEqual(codesOf({ merchant }, { merchantDomain: 'bad.example.com' }), ['MERCHANT_DENIED']);
    assert.deepEqual(codesOf({ merchant }, { merchantDomain: 'other.example' }), [
      'MERCHANT_NOT_ALLOWED',
      'MERCHANT_DENIED',
    ]);
  });
});
