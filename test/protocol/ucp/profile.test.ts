/** Which keys of a profile of UCP are read, and what a platform says of itself. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { platformProfile, profileOf, publishedKeys } from '../../../protocol/ucp/profile.ts';

const [ONE, OTHER] = [{ kid: 'one' }, { kid: 'other' }];

describe('the keys of a profile', () => {
  const cases: Readonly<Record<string, readonly [document: object, keys: readonly object[]]>> = {
    'are those of a JWK Set': [{ keys: [ONE] }, [ONE]],
    'are in keys, also where signing_keys says otherwise': [
      { ucp: { version: '2026-04-08' }, keys: [ONE], signing_keys: [OTHER] },
      [ONE],
    ],
    'are in signing_keys of the last version that had it': [
      { ucp: { version: '2026-04-08' }, signing_keys: [OTHER] },
      [OTHER],
    ],
    'are in signing_keys of an earlier version': [{ ucp: { version: '2026-01-11' }, signing_keys: [OTHER] }, [OTHER]],
    'are not in signing_keys of a later version': [{ ucp: { version: '2026-08-25' }, signing_keys: [OTHER] }, []],
    'are not in signing_keys of no version': [{ signing_keys: [OTHER] }, []],
    'are none where an empty list says so': [{ ucp: { version: '2026-04-08' }, keys: [], signing_keys: [OTHER] }, []],
  };
  for (const [name, [document, keys]] of Object.entries(cases)) {
    test(name, () => assert.deepEqual(publishedKeys(document), keys));
  }

  test('are refused in a document of another form', () => {
    for (const wrong of [null, [], 'keys', { keys: {} }, { keys: Array(101).fill(ONE) }]) {
      assert.throws(() => publishedKeys(wrong));
    }
  });
});

test('a platform publishes its P-256 keys under both names, and those that sign requests under the present one', () => {
  const p256 = { kty: 'EC', crv: 'P-256', kid: 'k', x: 'x', y: 'y', alg: 'ES256', use: 'sig' };
  const issuer = { kty: 'OKP', crv: 'Ed25519', kid: 'e', x: 'x' };
  const ofRequests = { kty: 'OKP', crv: 'Ed25519', kid: 'r', x: 'x', use: 'sig' };
  const { keys, signing_keys: former } = platformProfile({ keys: [issuer, p256] }, [ofRequests]);
  assert.deepEqual([keys, former], [[p256, ofRequests], [p256]]);
});

test('a business has its profile at its domain', () => {
  assert.equal(profileOf('shop.example'), 'https://shop.example/.well-known/ucp');
});
