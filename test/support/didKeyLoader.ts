/** What a library for credentials loads where it knows did:key alone. */
import assert from 'node:assert/strict';

/** A key of a did:key, or its DID document; anything else fails the test: signatures over JCS load no context. */
export async function loadDidKey(url: string): Promise<{ documentUrl: string; document: object }> {
  const [did = ''] = url.split('#');
  assert.ok(did.startsWith('did:key:'), `${url} is loaded`);
  const id = `${did}#${did.slice('did:key:'.length)}`;
  const publicKeyMultibase = did.slice('did:key:'.length);
  const method = {
    '@context': 'https://w3id.org/security/multikey/v1',
    id,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase,
  };
  const controller = {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: did,
    verificationMethod: [method],
    assertionMethod: [id],
  };
  return { documentUrl: url, document: url.includes('#') ? method : controller };
}
