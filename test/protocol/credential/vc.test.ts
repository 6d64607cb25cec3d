/** Credentials: issued, checked, expired, forged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import bs58 from 'bs58';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { signDocument } from '../../../protocol/credential/proof.ts';
import { Credential, checkCredential, issueCredential } from '../../../protocol/credential/vc.ts';
import { everyMutation } from '../../support/mutate.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const signer = nobleSuite.signer(new Uint8Array(32).fill(6));
const other = nobleSuite.signer(new Uint8Array(32).fill(7));
const SUBJECT = { mandateId: 'intent_1', amount: 150, currency: 'USD' };
const { document: issued, text } = issueCredential(nobleSuite, signer, {
  id: 'urn:uuid:0b1d0d9e-0000-4000-8000-000000000001',
  type: 'IntentMandate',
  subject: SUBJECT,
  issuedAt: NOW,
  expiresAt: NOW + 3_600_000,
});
const OPTIONS = { type: 'IntentMandate', now: NOW };

function refusal(vc: unknown, options: Parameters<typeof checkCredential>[2] = OPTIONS): string {
  const check = checkCredential(nobleSuite, vc, options);
  assert.equal(check.ok, false, JSON.stringify(vc));
  return check.ok ? '' : check.reason;
}

/** The credential with members changed and signed anew, so that only the change can be what is refused. */
function resigned(change: Record<string, unknown>): Record<string, unknown> {
  const created = '2026-03-01T12:00:00.000Z';
  return signDocument(nobleSuite, signer, { ...issued, ...change }, { created, proofPurpose: 'assertionMethod' })
    .document;
}

test('a credential is issued in the form of the data model 1.1', () => {
  const { proof, ...content } = issued;
  assert.deepEqual(content, {
    '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
    id: 'urn:uuid:0b1d0d9e-0000-4000-8000-000000000001',
    type: ['VerifiableCredential', 'IntentMandate'],
    issuer: signer.did,
    issuanceDate: '2026-03-01T12:00:00.000Z',
    expirationDate: '2026-03-01T13:00:00.000Z',
    credentialSubject: SUBJECT,
  });
  assert.equal(proof.proofPurpose, 'assertionMethod');
  assert.deepEqual(Credential.parse(issued), issued);
  assert.equal(text, canonical(issued));
});

test('id and expirationDate are left out when not given', () => {
  const { document: vc } = issueCredential(nobleSuite, signer, { type: 'CartMandate', subject: {}, issuedAt: NOW });
  assert.ok(!('id' in vc) && !('expirationDate' in vc));
  assert.equal(checkCredential(nobleSuite, vc, { type: 'CartMandate', now: NOW + 1e12 }).ok, true);
});

test('an issued credential checks and names its issuer', () => {
  const check = checkCredential(nobleSuite, issued, OPTIONS);
  const { proof: _proof, ...unsigned } = issued;
  const documentHash = nobleSuite.sha256(canonical(unsigned));
  assert.deepEqual(check, { ok: true, issuer: signer.did, credential: issued, documentHash, expired: false });
});

test('a credential is expired from the millisecond of its expirationDate on', () => {
  const expired = (now: number) => {
    const check = checkCredential(nobleSuite, issued, { ...OPTIONS, now });
    return check.ok && check.expired;
  };
  assert.equal(expired(NOW + 3_599_999), false);
  assert.equal(expired(NOW + 3_600_000), true);
});

test('a credential from the future is refused beyond the allowed skew', () => {
  assert.equal(checkCredential(nobleSuite, issued, { ...OPTIONS, now: NOW - 60_000 }).ok, true);
  assert.match(refusal(issued, { ...OPTIONS, now: NOW - 60_001 }), /future/);
  assert.match(refusal(issued, { ...OPTIONS, now: NOW - 1, skewSeconds: 0 }), /future/);
});

test('every change of one member is refused', () => {
  for (const { name, document } of everyMutation(issued)) {
    assert.equal(checkCredential(nobleSuite, document, OPTIONS).ok, false, name);
  }
});

test('members of the issuer’s own are kept and covered by the proof', () => {
  const vc = resigned({ refreshService: { id: 'https://example.com' } });
  const check = checkCredential(nobleSuite, vc, OPTIONS);
  assert.equal(check.ok && check.credential, vc);
  refusal({ ...vc, refreshService: { id: 'https://evil.example' } });
});

test('what is not a credential is refused with the member at fault', () => {
  for (const vc of [undefined, null, 'vc', 3, [], {}]) refusal(vc);
  assert.match(refusal(resigned({ '@context': ['https://w3id.org/security/suites/ed25519-2020/v1'] })), /@context/);
  assert.match(refusal(resigned({ type: ['IntentMandate'] })), /"type"/);
  assert.match(refusal(resigned({ issuanceDate: '2026-03-01' })), /issuanceDate/);
  assert.match(refusal(resigned({ issuanceDate: '2026-02-30T00:00:00Z' })), /issuanceDate/);
  assert.match(refusal(resigned({ expirationDate: 'never' })), /expirationDate/);
  assert.match(refusal(resigned({ credentialSubject: 'agent' })), /credentialSubject/);
  assert.match(refusal(resigned({ issuer: 'https://example.com' })), /issuer/);
  assert.match(refusal(resigned({ issuer: { id: signer.did } })), /issuer/);
});

test('a credential of another type is refused', () => {
  assert.match(refusal(issued, { ...OPTIONS, type: 'PaymentMandate' }), /PaymentMandate/);
});

test('a credential is believed only by its issuer’s own key', () => {
  assert.match(refusal({ ...issued, issuer: other.did }), /verificationMethod/);
  assert.match(refusal(resigned({ issuer: other.did })), /verificationMethod/);
  assert.match(refusal(resigned({ issuer: 'did:key:z6Mk' })), /issuer cannot be read/);
});

test('an issuer in the bare spelling is reported in the canonical one, its document untouched', () => {
  const vc = resigned({ issuer: `did:key:${bs58.encode(signer.publicKey)}` });
  const check = checkCredential(nobleSuite, vc, OPTIONS);
  assert.ok(check.ok);
  assert.equal(check.issuer, signer.did);
  assert.equal(check.credential, vc);
});

test('a did:web issuer is checked by the key it resolves to', () => {
  const issuer = 'did:web:shop.example.com';
  const vc = resigned({ issuer });
  const asked: string[] = [];
  const resolveTo = (did: string | undefined) => (name: string) => {
    asked.push(name);
    return did;
  };
  const check = checkCredential(nobleSuite, vc, { ...OPTIONS, resolveKey: resolveTo(signer.did) });
  assert.equal(check.ok && check.issuer, issuer);
  assert.deepEqual(asked, [issuer]);
  assert.match(refusal(vc, { ...OPTIONS, resolveKey: resolveTo(other.did) }), /verificationMethod/);
  assert.match(refusal(vc, { ...OPTIONS, resolveKey: resolveTo(undefined) }), /not known/);
  assert.match(refusal(vc), /not known/);
});

test('the resolver is not asked about a did:key issuer', () => {
  const resolveKey = () => assert.fail('a did:key carries its key');
  assert.equal(checkCredential(nobleSuite, issued, { ...OPTIONS, resolveKey }).ok, true);
});
