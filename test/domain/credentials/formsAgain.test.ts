/** The forms of a mandate are handed out again as the evidence has them, also those of the time before they were dated back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf, hashText } from '../../../protocol/credential/canonical.ts';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { validFromOf } from '../../../protocol/credential/mandateDocument.ts';
import { issueCredential } from '../../../protocol/credential/vc.ts';
import { formsAgain, securedAs } from '../../../src/domain/credentials/handOut.ts';

const issuer = suite.signer(new Uint8Array(32).fill(7));
const deps = { suite, issuer, settings: { baseUrl: 'https://node.example' } } as Parameters<typeof formsAgain>[0];
const content = {
  id: 'urn:uuid:1',
  type: 'IntentMandate',
  subject: { mandateId: 'intent_1', agentDid: 'did:a' },
} as const;
const credential = issueCredential(suite, issuer, { ...content, issuedAt: Date.UTC(2026, 10, 26, 12) }).document;
const status = { list: 1, idx: 5 };

for (const [when, validFrom] of [
  ['five seconds before the credential', validFromOf(credential)],
  ['with the credential', credential.issuanceDate],
] as const) {
  test(`forms that begin ${when} come back with the hashes that were recorded`, () => {
    const made = (as: 'vc' | 'vc+jwt') => securedAs(deps, credential, status, as, 0, validFrom);
    const [vc, token] = [made('vc'), made('vc+jwt')];
    const formats = { vc: hashOf(suite, vc as object), 'vc+jwt': hashText(suite, token as string) };
    assert.deepEqual(formsAgain(deps, credential, { formats, status }), { vc, 'vc+jwt': token });
    assert.equal(formsAgain(deps, credential, { formats: { vc: formats['vc+jwt'] }, status }), undefined);
  });
}
