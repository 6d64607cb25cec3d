/** The public keys of a node: who verifies by its key set verifies what may still hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { keyId } from '../../protocol/credential/did.ts';
import { secureAsJwt } from '../../protocol/credential/vcJwt.ts';
import { signRotation } from '../../protocol/evidence/rotation.ts';
import { accessTokens } from '../../src/access/accessToken.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { keySetOf } from '../../src/node/nodeFacts.ts';

const AT = Date.UTC(2026, 5, 1, 12);
const DAY_MS = 24 * 3600 * 1000;
const suite = nativeSuite();
const seed = (byte: number) => new Uint8Array(32).fill(byte);
const [first, stolen, present] = [1, 2, 3].map((byte) => suite.signer(seed(byte))) as [Signer, Signer, Signer];
type Signer = ReturnType<typeof suite.signer>;

const rotations = [
  signRotation(suite, first, { to: stolen.did, at: AT }),
  signRotation(suite, stolen, { to: present.did, at: AT, compromised: true }),
];
const published = (now: number) =>
  keySetOf({ accessTokens: accessTokens(present, seed(3), 'http://localhost'), rotations, receiptKeys: [] }, now);

test('a mandate of a former key verifies by the key set', async () => {
  const document = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: 'urn:uuid:pm_1',
    type: ['VerifiableCredential', 'PaymentMandate'],
    issuer: first.did,
    validFrom: new Date(AT - DAY_MS).toISOString(),
    credentialSubject: {},
  };
  const keys = createLocalJWKSet(published(AT + DAY_MS));
  const { payload } = await jwtVerify(secureAsJwt(first, document, undefined), keys, { typ: 'vc+jwt' });
  assert.equal(payload.iss, first.did);
});

test('a key that was stolen is in it no more, nor one whose last mandate has ended', () => {
  const kids = (now: number) => published(now).keys.map(({ kid }) => kid);
  assert.deepEqual(kids(AT + DAY_MS), [keyId(present.did), keyId(first.did)]);
  assert.deepEqual(kids(AT + 7 * DAY_MS), [keyId(present.did)]);
});
