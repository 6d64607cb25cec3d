/** Access tokens: what this node issued holds for a quarter of an hour, and nothing else does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeJwt, SignJWT } from 'jose';
import type { Fault } from '../../protocol/wire/fault.ts';
import { type AccessTokens, accessTokens, type Claims } from '../../src/access/accessToken.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';

const BASE = 'https://node.example';
const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
const suite = nativeSuite();

function tokensOf(fill: number, baseUrl = BASE): AccessTokens {
  const seed = new Uint8Array(32).fill(fill);
  return accessTokens(suite.signer(seed), seed, baseUrl);
}

const own = tokensOf(1);
const claims: Claims = {
  sub: 'usr_1',
  jti: 'at_1',
  sid: 'login_1',
  tenantId: 'tnt_1',
  role: 'OWNER',
  did: 'did:key:z6MkExample',
  email: null,
};
const refusedAs = (code: string) => (error: unknown) => (error as Fault).code === code;

test('a token gives its claims back until it expires, then TOKEN_EXPIRED', async () => {
  const { accessToken, expiresAt } = await own.issue(claims, NOW, NOW + DAY);
  assert.equal(expiresAt, NOW + 900_000);
  assert.deepEqual(await own.verify(accessToken, NOW), claims);
  assert.deepEqual(await own.verify(accessToken, expiresAt - 1000), claims);
  await assert.rejects(own.verify(accessToken, expiresAt), refusedAs('TOKEN_EXPIRED'));
});

test('a token does not outlive its login', async () => {
  const { expiresAt } = await own.issue(claims, NOW, NOW + 60_000);
  assert.equal(expiresAt, NOW + 60_000);
});

test('a token of another key, or for another address, is refused, expired or not', async () => {
  for (const other of [tokensOf(2), tokensOf(1, 'https://elsewhere.example')]) {
    const { accessToken } = await other.issue(claims, NOW, NOW + DAY);
    await assert.rejects(own.verify(accessToken, NOW), refusedAs('UNAUTHORIZED'));
  }
  const { accessToken } = await tokensOf(2).issue(claims, NOW, NOW + DAY);
  await assert.rejects(own.verify(accessToken, NOW + DAY), refusedAs('UNAUTHORIZED'));
});

test('the public key is no secret to sign with, and no signature is no signature', async () => {
  const { accessToken } = await own.issue(claims, NOW, NOW + DAY);
  const all = decodeJwt(accessToken);
  const x = Buffer.from(String(own.keySet.keys[0]?.x), 'base64url');
  const confused = await new SignJWT(all).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(x);
  const head = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  const bare = `${head}.${accessToken.split('.')[1]}.`;
  for (const forged of [confused, bare]) await assert.rejects(own.verify(forged, NOW), refusedAs('UNAUTHORIZED'));
});

test('another kind of JWT signed with the same key is no access token', async () => {
  const { accessToken } = await own.issue(claims, NOW, NOW + DAY);
  const { d: _, ...key } = { ...own.keySet.keys[0], d: '' };
  const seed = Buffer.alloc(32, 1).toString('base64url');
  for (const typ of ['JWT', 'did-proof+jwt', undefined]) {
    const header = { alg: 'EdDSA', ...(typ === undefined ? {} : { typ }) };
    const other = await new SignJWT(decodeJwt(accessToken))
      .setProtectedHeader(header)
      .sign({ ...key, kty: 'OKP', d: seed });
    await assert.rejects(own.verify(other, NOW), refusedAs('UNAUTHORIZED'), String(typ));
  }
});

test('a token with any one character changed is refused', async () => {
  const { accessToken } = await own.issue(claims, NOW, NOW + DAY);
  // Some bits of a last base64url character stand for nothing; the one before has none of those.
  const place = fc.integer({ min: 0, max: accessToken.length - 2 });
  await fc.assert(
    fc.asyncProperty(place, fc.constantFrom(...'AZaz09-_.'), async (at, character) => {
      fc.pre(accessToken[at] !== character);
      const changed = accessToken.slice(0, at) + character + accessToken.slice(at + 1);
      await assert.rejects(own.verify(changed, NOW), refusedAs('UNAUTHORIZED'));
    }),
    { numRuns: 200 },
  );
});

test('the published key carries no private part', () => {
  assert.deepEqual(Object.keys(own.keySet.keys[0] ?? {}).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});
