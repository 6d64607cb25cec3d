/** Published chains of AP2 v0.2, each with its verdict, by the verification of the node and by the one of the browser. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import type { PublicJwk } from '../../../protocol/jwk/jwk.ts';
import { isSignedByJwk } from '../../../protocol/jwk/jwkSignature.ts';
import { verifyAp2Chain } from '../../../protocol/sdjwt/ap2.ts';
import type { SignatureCheck } from '../../../protocol/sdjwt/hop.ts';
import { sdHash } from '../../../protocol/sdjwt/sdHash.ts';
import { parseChain } from '../../../protocol/sdjwt/sdJwt.ts';
import { isSignedNatively } from './chains.ts';
import checkoutChain from './vectors/checkoutChain.json' with { type: 'json' };
import nested from './vectors/nestedCheckouts.json' with { type: 'json' };
import ownChains from './vectors/ownChains.json' with { type: 'json' };

const CHECKS: Readonly<Record<string, SignatureCheck>> = {
  'node:crypto': isSignedNatively,
  'plain JavaScript': (jwk, content, signature) => isSignedByJwk(nobleSuite, jwk, content, signature),
};

for (const [name, isSigned] of Object.entries(CHECKS)) {
  describe(`chains of payment mandates, with signatures by ${name}`, () => {
    for (const row of ownChains) {
      test(`${row.name}: ${row.valid ? 'holds' : 'is refused'}`, () => {
        const { wire, trustedJwk, aud, nonce, at, openCheckoutHash, checkoutJwtHash } = row;
        const result = verifyAp2Chain(wire, {
          rootKey: () => trustedJwk as PublicJwk,
          isSigned,
          aud: [aud],
          nonce,
          at,
          openCheckoutHash,
          checkoutJwtHash,
        });
        assert.equal(result.valid, row.valid, result.reason);
        assert.deepEqual([...new Set(result.violations.map(({ code }) => code))], row.reasonCodes ?? []);
      });
    }
  });
}

describe('chains of checkout mandates with what the merchant signed', () => {
  const verdicts: Readonly<Record<string, readonly string[]>> = {
    valid: [],
    hash_mismatch: ['CHECKOUT_MISMATCH'],
    tampered_terms: ['MERCHANT_UNVERIFIED'],
    missing_mauth: ['MERCHANT_UNVERIFIED'],
  };
  for (const row of nested.rows) {
    test(`${row.name}: ${verdicts[row.name]?.[0] ?? 'holds'}`, () => {
      const result = verifyAp2Chain(row.wire, {
        rootKey: () => row.user_public_jwk as PublicJwk,
        isSigned: isSignedNatively,
        aud: ['merchant'],
        nonce: 'merchant-nonce',
        at: 1_784_257_658,
        merchantKey: nested.merchantJwk as PublicJwk,
      });
      assert.deepEqual(
        result.violations.map(({ code }) => code),
        verdicts[row.name],
        result.reason,
      );
    });
  }

  test('a chain whose checkout_hash is the word "hash" holds hop by hop, and is for no checkout', () => {
    const result = verifyAp2Chain(checkoutChain.wire, {
      rootKey: () => checkoutChain.user_public_jwk as PublicJwk,
      isSigned: isSignedNatively,
      aud: [checkoutChain.aud],
      nonce: checkoutChain.nonce,
      at: 1_784_246_463,
    });
    assert.ok(result.hops.every(({ checks }) => checks.every(({ holds }) => holds)));
    assert.equal(result.chain?.content['checkout_jwt'], checkoutChain.checkout_jwt);
    assert.deepEqual(
      result.violations.map(({ code }) => code),
      ['CHECKOUT_MISMATCH'],
    );
  });
});

/** The tokens that the standard prints are not ours to copy. */
const PRINTED = '../shared/vectors/ap2-v0.2/spec_examples.json';

test('the tokens that the text of AP2 v0.2 prints: digests and sd_hash are those that are computed here', {
  skip: existsSync(PRINTED) ? false : `${PRINTED} is not there`,
}, () => {
  const printed = JSON.parse(readFileSync(PRINTED, 'utf8')) as unknown;
  const texts = textsIn(printed).filter((text) => text.includes('~'));
  const chains = texts.filter((text) => text.includes('~~'));
  assert.ok(texts.length >= 3 && chains.length >= 1, `${texts.length} tokens, ${chains.length} chains`);
  for (const chain of chains) {
    const [first, second] = parseChain(chain);
    assert.equal(second?.payload['sd_hash'], sdHash('sha-256', first?.text ?? ''));
  }
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
