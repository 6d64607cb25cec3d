/** Mandates as documents and tokens that other libraries verify: the worked examples, and every alteration of them refused. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { checkForms } from '../../../protocol/credential/checkForms.ts';
import { secureDocument } from '../../../protocol/credential/dataIntegrity.ts';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { fromHex } from '../../../protocol/credential/encodings.ts';
import { MANDATES_CONTEXT } from '../../../protocol/credential/mandateDocument.ts';
import { secureAsJwt } from '../../../protocol/credential/vcJwt.ts';
import type { Loose } from '../../support/world.ts';

const vectors: Loose = JSON.parse(readFileSync('test/protocol/credential/mandateForms.json', 'utf8'));
const NOW = Date.parse('2026-11-26T12:00:00Z');
const issuer = suite.signer(fromHex(vectors.key.seed) as Uint8Array);

const isTaken = (credential: unknown, now: number) => {
  const check = checkForms(suite, credential, { type: 'PaymentMandate', now });
  return check.ok && !check.expired && check.issuer === vectors.key.did;
};

describe('a mandate as a document', () => {
  test('is secured byte for byte as the example', () => {
    const { document, secured } = vectors.workedExample;
    assert.deepEqual(secureDocument(suite, issuer, document, document.validFrom), secured);
  });
  for (const { name, expect, credential, at } of vectors.dataIntegrity) {
    test(`${name}: ${expect}`, () => {
      assert.equal(isTaken(credential, at === undefined ? NOW : Date.parse(at)), expect === 'valid');
    });
  }
});

describe('a mandate as a token', () => {
  test('is secured byte for byte as the example', () => {
    const { document } = vectors.workedExample;
    assert.equal(secureAsJwt(issuer, document, document.credentialSubject.agentDid), vectors.jwt[0].jwt);
  });
  for (const { name, expect, jwt } of vectors.jwt) {
    test(`${name}: ${expect}`, () => assert.equal(isTaken(jwt, NOW), expect === 'valid'));
  }

  test('says in its claims what its document says, or is refused', () => {
    const { document } = vectors.workedExample;
    const { agentDid } = document.credentialSubject;
    const token = (changed: object, subject = agentDid) => secureAsJwt(issuer, { ...document, ...changed }, subject);
    assert.ok(isTaken(token({}), NOW));
    assert.ok(!isTaken(token({}, vectors.key.did), NOW), 'another subject');
    assert.ok(
      !isTaken(token({ iss: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' }), NOW),
      'another issuer',
    );
    assert.ok(!isTaken(token({ exp: 1 }), NOW), 'another end');
    assert.ok(!isTaken(token({ jti: 'urn:uuid:pm_other' }), NOW), 'another id');
    assert.ok(!isTaken(token({ type: ['VerifiableCredential', 'IntentMandate'] }), NOW), 'another type');
  });
});

test('the context names each member once and for all', () => {
  assert.deepEqual(MANDATES_CONTEXT, vectors.context.document);
});
