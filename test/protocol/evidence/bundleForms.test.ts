/** A form in a bundle says what its credential says; its beginning is some seconds before, as it is handed out, or the same, as it once was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf } from '../../../protocol/credential/canonical.ts';
import { secureDocument } from '../../../protocol/credential/dataIntegrity.ts';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { mandateDocument } from '../../../protocol/credential/mandateDocument.ts';
import { credentialStatus } from '../../../protocol/credential/statusList.ts';
import { issueCredential } from '../../../protocol/credential/vc.ts';
import type { PortableBundle } from '../../../protocol/evidence/bundle.ts';
import { verifyForms } from '../../../protocol/evidence/bundleForms.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const NODE = 'https://node.example';
const issuer = suite.signer(new Uint8Array(32).fill(7));

/** What is wrong with the form of an intent that begins then. */
function judged(validFrom: string) {
  const subject = { mandateId: 'intent_1' };
  const content = { id: 'urn:uuid:1', type: 'IntentMandate', subject, issuedAt: NOW } as const;
  const intent = issueCredential(suite, issuer, content).document;
  const document = mandateDocument(intent, issuer.did, NODE, credentialStatus(NODE, 1, 5));
  const vc = secureDocument(suite, issuer, { ...document, validFrom }, validFrom);
  const data = { formats: { vc: hashOf(suite, vc) }, status: { list: 1, idx: 5 } };
  const events = [{ eventType: 'INTENT_ISSUED', data }];
  const bundle = { credentials: { intent }, forms: { intent: { vc } }, events } as unknown as PortableBundle;
  return verifyForms(suite, bundle, [issuer.did])?.reason;
}

test('a form that is dated five seconds back or not at all holds, and one with another beginning does not', () => {
  assert.equal(judged('2026-11-26T11:59:55.000Z'), undefined);
  assert.equal(judged('2026-11-26T12:00:00.000Z'), undefined);
  for (const other of ['2026-11-26T11:59:54.000Z', '2026-11-26T12:00:01.000Z'])
    assert.equal(judged(other), 'The intent as vc says something else than the credential.');
});
