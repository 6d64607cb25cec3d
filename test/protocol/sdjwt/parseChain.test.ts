/** What is no chain is told apart from a chain that does not hold, and what is too large is refused before it is decoded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyAp2Chain } from '../../../protocol/sdjwt/ap2.ts';
import { CHAIN_BOUNDS, parseChain } from '../../../protocol/sdjwt/sdJwt.ts';
import { paymentChain, VERIFIER } from './chains.ts';

test('a chain has its hops, each with the text that is hashed', () => {
  const chain = paymentChain();
  const tokens = parseChain(chain);
  assert.equal(tokens.length, 2);
  assert.equal(tokens.map(({ text }) => text).join('~'), chain);
  assert.equal(tokens[0]?.disclosures.length, 2);
});

const NO_CHAINS: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a JWT without a tilde': 'e30.e30.AAAA',
  'a text without a JWT': '~',
  'three tildes between hops': paymentChain().replace('~~', '~~~'),
  'a chain that lost its last tilde': paymentChain().slice(0, -1),
  'a header that is no object': 'W10.e30.AAAA~',
  'a payload in base64 with padding': 'e30.e30=.AAAA~',
  'a member named twice': `${Buffer.from('{"alg":"ES256","alg":"none"}').toString('base64url')}.e30.AAAA~`,
  'a signature that is not base64url': 'e30.e30.AA AA~',
  'a JWT of four parts': 'e30.e30.AAAA.AAAA~',
};

for (const [name, text] of Object.entries(NO_CHAINS)) {
  test(`${name} is no chain`, () => {
    assert.throws(() => parseChain(text), { code: 'BAD_REQUEST', message: /^The mandate is no chain of SD-JWTs: / });
  });
}

const { characters, hops, disclosures } = CHAIN_BOUNDS;
const TOO_MUCH: Readonly<Record<string, string>> = {
  'one character more than a chain may have': 'e'.repeat(characters + 1),
  'ten million characters': 'e30.e30.AAAA~'.repeat(770_000),
  'one hop more than a chain may have': `${Array.from({ length: hops + 1 }, () => 'e30.e30.AAAA').join('~~')}~`,
  'one disclosure more than a chain may have': `e30.e30.AAAA~${'e~'.repeat(disclosures)}`,
  'ten thousand disclosures': `e30.e30.AAAA~${'WyJzIl0~'.repeat(8000)}~`.padEnd(60_000, '~'),
};

for (const [name, text] of Object.entries(TOO_MUCH)) {
  test(`${name} is refused in less than 50 ms`, () => {
    const times: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      const start = process.cpuUsage();
      assert.throws(() => verifyAp2Chain(text, VERIFIER), { code: 'BAD_REQUEST', message: /it may have at most/ });
      const { user, system } = process.cpuUsage(start);
      times.push(user + system);
    }
    assert.ok(Math.min(...times) < 50_000, times.join(' µs, '));
  });
}
