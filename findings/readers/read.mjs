// Guess before the run: jose and @sd-jwt tolerate nothing ahead of their clock, did-jwt five minutes; did-jwt reads a token of a node,
// and did-jwt-vc does not, as it knows VCDM 1.1 alone and looks for the claim vc.
import { readFileSync } from 'node:fs';
import { SDJwtInstance } from '@sd-jwt/core';
import { verifyJWT } from 'did-jwt';
import { verifyCredential } from 'did-jwt-vc';
import { importJWK, jwtVerify } from 'jose';

const { did, jwk, now, minute, tenMinutes } = JSON.parse(readFileSync('tokens.json', 'utf8'));
const id = `${did}#${did.slice('did:key:'.length)}`;
const didDocument = {
  '@context': ['https://www.w3.org/ns/did/v1'],
  id: did,
  verificationMethod: [{ id, type: 'JsonWebKey2020', controller: did, publicKeyJwk: jwk }],
  assertionMethod: [id],
  authentication: [id],
};
const resolver = { resolve: async () => ({ didDocument, didDocumentMetadata: {}, didResolutionMetadata: {} }) };
const said = async (act) =>
  act().then(
    () => 'holds',
    (error) => `refused: ${String(error.message).slice(0, 90)}`,
  );
const key = await importJWK(jwk, 'EdDSA');
const jose = (token) => said(() => jwtVerify(token, key));
const didJwt = (token) => said(() => verifyJWT(token, { resolver }));
const sdJwt = (ahead) =>
  said(async () => {
    const content = { iat: Math.floor(Date.now() / 1000) + ahead };
    const made = new SDJwtInstance({
      signer: async () => 'AA',
      signAlg: 'ES256',
      verifier: async () => true,
      hasher: async (data) => new Uint8Array(await crypto.subtle.digest('SHA-256', Buffer.from(data))),
      hashAlg: 'sha-256',
      saltGenerator: () => 'salt',
    });
    made.type = 'dc+sd-jwt';
    await made.verify(await made.issue(content, {}));
  });

const seen = {
  'jose, a token of now': await jose(now),
  'jose, a minute ahead': await jose(minute),
  'did-jwt, a token of now': await didJwt(now),
  'did-jwt, a minute ahead': await didJwt(minute),
  'did-jwt, ten minutes ahead': await didJwt(tenMinutes),
  'did-jwt-vc, a token of now': await said(() => verifyCredential(now, resolver)),
  '@sd-jwt/core, iat five seconds back': await sdJwt(-5),
  '@sd-jwt/core, iat three seconds ahead': await sdJwt(3),
};
for (const [what, result] of Object.entries(seen)) console.log(`${what}: ${result}`);
