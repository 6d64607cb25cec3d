/** The public keys of a node: who verifies by its key set verifies what may still hold. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { keyId } from '../../protocol/credential/did.ts';
import { secureAsJwt } from '../../protocol/credential/vcJwt.ts';
import { signRotation } from '../../protocol/evidence/rotation.ts';
import { accessTokens } from '../../src/access/accessToken.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { makeGate } from '../../src/node/gate/openGate.ts';
import { keysAt, publishedKeys } from '../../src/node/nodeFacts.ts';
import type { Loose } from '../support/world.ts';

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
const tokens = accessTokens(present, seed(3), 'http://localhost');
const keys = publishedKeys({ access: { tokens }, evidence: { rotations }, receiptKeys: [] });
const published = (now: number) => keysAt(keys, now);

test('a mandate of a former key verifies by the key set', async () => {
  const document = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: 'urn:uuid:pm_1',
    type: ['VerifiableCredential', 'PaymentMandate'],
    issuer: first.did,
    validFrom: new Date(AT - DAY_MS).toISOString(),
    credentialSubject: {},
  };
  const known = createLocalJWKSet(published(AT + DAY_MS));
  const { payload } = await jwtVerify(secureAsJwt(first, document, undefined), known, { typ: 'vc+jwt' });
  assert.equal(payload.iss, first.did);
});

test('a key that was stolen is in it no more, nor one whose last mandate has ended', () => {
  const kids = (now: number) => published(now).keys.map(({ kid }) => kid);
  assert.deepEqual(kids(AT + DAY_MS), [keyId(present.did), keyId(first.did)]);
  assert.deepEqual(kids(AT + 7 * DAY_MS), [keyId(present.did)]);
});

test('a gate that runs on ends the key of a former issuer in its time', () => {
  mock.timers.enable({ apis: ['Date'], now: AT + DAY_MS });
  try {
    const facts = { ...keys, baseUrl: 'http://localhost', extensions: [] } as Loose;
    const { settings } = makeGate(readConfig({}), { facts } as Loose);
    const kids = () => settings.keySet.keys.map(({ kid }) => kid);
    assert.deepEqual(kids(), [keyId(present.did), keyId(first.did)]);
    mock.timers.setTime(AT + 7 * DAY_MS);
    assert.deepEqual(kids(), [keyId(present.did)]);
  } finally {
    mock.timers.reset();
  }
});
