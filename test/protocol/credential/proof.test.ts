/** Proofs: what is signed, who must have signed, and that nothing of a signed document can change. */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import bs58 from 'bs58';
import { canonical, canonicalPlainly } from '../../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { checkProof, signDocument } from '../../../protocol/credential/proof.ts';
import { everyMutation } from '../../support/mutate.ts';

const signer = nobleSuite.signer(new Uint8Array(32).fill(4));
const other = nobleSuite.signer(new Uint8Array(32).fill(5));
const CREATED = '2026-03-01T12:00:00.000Z';
const DOCUMENT = {
  id: 'urn:uuid:1',
  amount: 150.25,
  allowed: true,
  nothing: null,
  tags: ['a', 'b', 3],
  empty: {},
  none: [],
  nested: { deep: { name: 'Kaffee €', '': 'no name' } },
};
const OPTIONS = { created: CREATED, proofPurpose: 'assertionMethod' } as const;
const EXPECTED = { proofPurpose: 'assertionMethod', did: signer.did } as const;
const { document: signed, text } = signDocument(nobleSuite, signer, DOCUMENT, OPTIONS);

function refusal(document: Record<string, unknown>, expected: Parameters<typeof checkProof>[2] = EXPECTED): string {
  const check = checkProof(nobleSuite, document, expected);
  assert.equal(check.ok, false, JSON.stringify(document));
  return check.ok ? '' : check.reason;
}

const withProof = (change: Record<string, unknown>) => ({ ...signed, proof: { ...signed.proof, ...change } });

test('a signed document checks, whatever the order of its members', () => {
  const reordered = Object.fromEntries(Object.entries(structuredClone(signed)).reverse());
  assert.equal(checkProof(nobleSuite, signed, EXPECTED).ok, true);
  assert.equal(checkProof(nobleSuite, reordered, EXPECTED).ok, true);
});

test('the text of a signed document is its canonical JSON, and may stand for it inside another', () => {
  assert.equal(text, canonicalPlainly(signed));
  const outer = { type: 'outer', list: [{ signed }] };
  const options = { ...OPTIONS, parts: [{ document: signed, text }] };
  const plain = signDocument(nobleSuite, other, outer, OPTIONS);
  assert.deepEqual(signDocument(nobleSuite, other, outer, options), plain);
  assert.equal(plain.text, canonicalPlainly(plain.document));
});

test('the signature is a detached JWS over both hashes, as another library verifies it', () => {
  const { jws, ...unsigned } = signed.proof;
  const [header, payload, signature, ...more] = jws.split('.');
  assert.equal(Buffer.from(header!, 'base64url').toString(), '{"alg":"EdDSA","b64":false,"crit":["b64"]}');
  assert.deepEqual([payload, more], ['', []]);
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  const digest = Buffer.concat([sha256(canonical(unsigned)), sha256(canonical(DOCUMENT))]);
  const x = Buffer.from(signer.publicKey).toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  const input = Buffer.concat([Buffer.from(`${header}.`), digest]);
  assert.ok(verify(null, input, key, Buffer.from(signature!, 'base64url')));
  const check = checkProof(nobleSuite, signed, EXPECTED);
  assert.deepEqual(check.ok && Buffer.from(check.digest), digest);
});

test('every change of one member, of the document or of its proof, is refused', () => {
  const mutations = everyMutation(signed);
  assert.ok(mutations.length > 70, `only ${mutations.length} mutations`);
  for (const { name, document } of mutations) {
    assert.equal(checkProof(nobleSuite, document, EXPECTED).ok, false, name);
  }
});

test('every character of the jws matters', () => {
  const { jws } = signed.proof;
  for (let at = 0; at < jws.length; at += 1) {
    const changed = jws.slice(0, at) + (jws[at] === 'A' ? 'B' : 'A') + jws.slice(at + 1);
    refusal(withProof({ jws: changed }));
  }
});

test('a jws with a payload, padding, another header or another length is refused by name', () => {
  const [header = '', , signature = ''] = signed.proof.jws.split('.');
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const same = { crit: ['b64'], b64: false, alg: 'EdDSA' };
  for (const wrong of [same, { ...same, alg: 'none' }, { alg: 'EdDSA' }, { ...same, b64: true }]) {
    assert.match(refusal(withProof({ jws: `${encode(wrong)}..${signature}` })), /header/);
  }
  assert.match(refusal(withProof({ jws: `${header}.e30.${signature}` })), /header/);
  for (const wrong of [`${signature}==`, `${signature}A`, signature.slice(0, -2), '', `${signature}.`]) {
    assert.match(refusal(withProof({ jws: `${header}..${wrong}` })), /64 bytes/);
  }
});

test('the verification method may spell the signer’s DID either way', () => {
  const bare = bs58.encode(signer.publicKey);
  const multibase = signer.did.slice('did:key:'.length);
  for (const subject of [bare, multibase]) {
    for (const fragment of [bare, multibase]) {
      const verificationMethod = `did:key:${subject}#${fragment}`;
      // Signed by hand, since signDocument only ever writes the canonical spelling.
      const { jws: _jws, ...unsigned } = { ...signed.proof, verificationMethod };
      const digest = Buffer.concat([nobleSuite.sha256(canonical(unsigned)), nobleSuite.sha256(canonical(DOCUMENT))]);
      const [header] = signed.proof.jws.split('.');
      const signature = signer.sign(Buffer.concat([Buffer.from(`${header}.`), digest]));
      const jws = `${header}..${Buffer.from(signature).toString('base64url')}`;
      const check = checkProof(nobleSuite, { ...DOCUMENT, proof: { ...unsigned, jws } }, EXPECTED);
      assert.deepEqual(check, { ok: true, digest: Uint8Array.from(digest) });
    }
  }
});

test('a verification method that is not the signer’s key is refused by name', () => {
  const [subject, fragment] = [signer.did, signer.did.slice('did:key:'.length)];
  const otherFragment = other.did.slice('did:key:'.length);
  const wrong = [
    subject,
    `${subject}#`,
    `#${fragment}`,
    `${subject}#${otherFragment}`,
    `${other.did}#${fragment}`,
    `${other.did}#${otherFragment}`,
    `${subject}#${fragment}#${fragment}`,
    `${subject}#key-1`,
    'did:web:example.com#key-1',
  ];
  for (const verificationMethod of wrong) {
    assert.match(refusal(withProof({ verificationMethod })), /verificationMethod/, verificationMethod);
  }
});

test('another signer’s proof is refused, even where it names the expected key', () => {
  const { document: theirs } = signDocument(nobleSuite, other, DOCUMENT, OPTIONS);
  assert.match(refusal(theirs), /verificationMethod/);
  const { verificationMethod } = signed.proof;
  assert.match(refusal({ ...theirs, proof: { ...theirs.proof, verificationMethod } }), /does not match/);
});

test('a proof made for one purpose does not serve another', () => {
  assert.match(refusal(signed, { ...EXPECTED, proofPurpose: 'authentication' }), /purpose/);
});

test('a missing, incomplete or overloaded proof is refused by name', () => {
  const { created: _created, ...incomplete } = signed.proof;
  assert.match(refusal(DOCUMENT), /no proof/);
  assert.match(refusal({ ...DOCUMENT, proof: incomplete }), /proof\.created/);
  assert.match(refusal({ ...DOCUMENT, proof: [signed.proof] }), /malformed/);
  assert.match(refusal({ ...DOCUMENT, proof: null }), /malformed/);
  assert.match(refusal(withProof({ challenge: 'x' })), /malformed/);
  assert.match(refusal(withProof({ created: 'yesterday' })), /proof\.created/);
  assert.match(refusal(withProof({ type: 'DataIntegrityProof' })), /proof\.type/);
});

test('signing a signed document again replaces its proof', () => {
  const { document: again } = signDocument(nobleSuite, other, signed, OPTIONS);
  assert.equal(checkProof(nobleSuite, again, { ...EXPECTED, did: other.did }).ok, true);
});

test('what has no canonical form is refused and not thrown', () => {
  assert.match(refusal({ ...signed, amount: Number.NaN }), /canonical/);
  assert.match(refusal({ ...signed, id: '\ud800' }), /canonical/);
  assert.match(refusal(signed, { ...EXPECTED, did: 'did:web:example.com' }), /verificationMethod/);
});

test('the key of a controller may be named by the controller’s DID', () => {
  const controller = 'did:web:shop.example.com';
  const expected = { ...EXPECTED, controller };
  assert.equal(checkProof(nobleSuite, signed, expected).ok, true);
  for (const verificationMethod of [
    `${controller}#`,
    controller,
    'did:web:shop.example.co#key-1',
    `${controller}#a#b`,
  ]) {
    assert.match(refusal(withProof({ verificationMethod }), expected), /verificationMethod/);
  }
  assert.match(refusal(withProof({ verificationMethod: `${controller}#key-1` }), expected), /does not match/);
});
