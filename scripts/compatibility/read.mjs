// Reads what a node makes with libraries of others, and says of each what it made of it. Ends with 1 where that has changed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { checkStatus } from '@4sure-tech/vc-bitstring-status-lists';
import { JwtPayload, W3cV2JwtVerifiableCredential } from '@credo-ts/core';
import { SDJwtInstance } from '@sd-jwt/core';
import { verifyJWT } from 'did-jwt';
import { verifyCredential } from 'did-jwt-vc';
import { compactVerify, importJWK, jwtVerify } from 'jose';

// Node does not find what its form for import names (findings/ucp-js-import.sh).
const { CheckoutResponseSchema } = createRequire(import.meta.url)('@ucp-js/sdk');

const made = JSON.parse(readFileSync('made.json', 'utf8'));
const { jwk, tokens, mandate } = made;
const methodOf = (did, publicKey) => {
  const id = `${did}#${did.slice('did:key:'.length)}`;
  const method = { id, controller: did, ...publicKey };
  return { id: did, verificationMethod: [method], assertionMethod: [id], authentication: [id] };
};
const resolver = {
  resolve: async (did) => {
    const key = did === made.did ? { type: 'JsonWebKey2020', publicKeyJwk: jwk } : multikey(did);
    const didDocument = { '@context': ['https://www.w3.org/ns/did/v1'], ...methodOf(did, key) };
    return { didDocument, didDocumentMetadata: {}, didResolutionMetadata: {} };
  },
};
const multikey = (did) => ({ type: 'Multikey', publicKeyMultibase: did.slice('did:key:'.length) });
const said = async (act) =>
  act().then(
    (told) => told ?? 'holds',
    (error) => `refused: ${String(error.message).replaceAll(/\s+/g, ' ').slice(0, 110)}`,
  );
const none = (promise) => promise.then(() => undefined);

const key = await importJWK(jwk, 'EdDSA');
const issuerKey = await importJWK(made.issuerJwk, 'EdDSA');
const jose = (token) => said(() => none(jwtVerify(token, key)));
const didJwt = (token) => said(() => none(verifyJWT(token, { resolver })));
const hasher = (data, alg) => new Uint8Array(createHash(alg.replace('-', '')).update(Buffer.from(data)).digest());
const sdJwtOf = (verifier) => {
  const settings = { signer: async () => 'AA', signAlg: 'ES256', hashAlg: 'sha-256', saltGenerator: () => 'salt' };
  const instance = new SDJwtInstance({ ...settings, verifier, hasher });
  instance.type = 'dc+sd-jwt';
  return instance;
};
const sdJwt = (aheadSeconds) =>
  said(async () => {
    const instance = sdJwtOf(async () => true);
    const content = { iat: Math.floor(Date.now() / 1000) + aheadSeconds };
    await none(instance.verify(await instance.issue(content, {})));
  });

/** Each hop of a chain by itself, by the key that signs it: the library knows no `~~`. */
async function hopsOf(chain) {
  let by = made.platformJwk;
  const names = [];
  const hops = chain.split('~~');
  for (const [at, hop] of hops.entries()) {
    const publicKey = await importJWK(by, 'ES256');
    const verifier = (data, signature) => compactVerify(`${data}.${signature}`, publicKey).then(() => true);
    const { payload } = await sdJwtOf(verifier).verify(at === hops.length - 1 ? hop : `${hop}~`);
    const [content] = payload.delegate_payload;
    names.push(content.vct);
    by = content.cnf?.jwk;
  }
  return `holds, hop by hop: ${names.join(', ')}`;
}

const status = (subject) =>
  said(async () => {
    const list = { ...made.statusList, credentialSubject: { ...made.statusList.credentialSubject, ...subject } };
    const result = await checkStatus({ credential: made.document, getStatusListCredential: async () => list });
    return result.verified ? 'holds' : `refused: ${result.error?.message}`;
  });
const credo = (token) => said(async () => W3cV2JwtVerifiableCredential.fromCompact(token).jwt.payload.validate());
const credoDates = (aheadSeconds) =>
  said(async () => JwtPayload.fromJson({ nbf: Math.floor(Date.now() / 1000) + aheadSeconds }).validate());
/** What becomes of the members that are signed, and of the signature. */
const parsed = (checkout) =>
  said(async () => {
    const { ap2, expires_at: ends } = CheckoutResponseSchema.parse(checkout);
    return `reads it, ${ap2 === undefined ? 'without' : 'with'} ap2, expires_at as ${JSON.stringify(ends)}`;
  });
/** What, what came of it, and what did when docs/reference/compatibility.md was written. */
const rows = [
  ['jose, a mandate', await said(() => none(jwtVerify(mandate, issuerKey))), /^holds$/],
  ['jose, a token of now', await jose(tokens.now), /^holds$/],
  ['jose, a minute ahead', await jose(tokens.minute), /^refused: "nbf" claim/],
  ['did-jwt, a mandate', await didJwt(mandate), /^holds$/],
  ['did-jwt, a minute ahead', await didJwt(tokens.minute), /^holds$/],
  ['did-jwt, ten minutes ahead', await didJwt(tokens.tenMinutes), /^refused: .* before nbf/],
  ['did-jwt-vc, a mandate', await said(() => none(verifyCredential(mandate, resolver))), /^refused: .*credentials\/v1/],
  ['credo, a mandate', await credo(tokens.now), /^refused: .*'sub' claim.* match any credentialSubject/],
  ['credo, dates twenty seconds ahead', await credoDates(20), /^holds$/],
  ['credo, dates a minute ahead', await credoDates(60), /^refused: JWT not valid before/],
  ['@sd-jwt/core, iat five seconds back', await sdJwt(-5), /^holds$/],
  ['@sd-jwt/core, iat three seconds ahead', await sdJwt(3), /^refused: .*not yet valid/],
  ['@sd-jwt/core, the checkout mandate of UCP', await said(() => hopsOf(made.chains[0])), /checkout\.1$/],
  ['@sd-jwt/core, the payment mandate of UCP', await said(() => hopsOf(made.chains[1])), /payment\.1$/],
  ['@sd-jwt/core, a whole chain', await said(() => none(sdJwtOf(async () => true).verify(made.chains[0]))), /^refused/],
  ['@4sure-tech, a status list', await status({}), /^refused: StatusSize/],
  ['@4sure-tech, the list with statusSize', await status({ statusSize: 1 }), /^holds$/],
  ['@ucp-js/sdk, a checkout of 2026-08-25', await parsed(made.checkouts[0]), /^refused: .*capabilities/],
  ['@ucp-js/sdk, a checkout of 2026-01-11', await parsed(made.checkouts[1]), /without ap2, .*00\.000Z"$/],
];
for (const [what, result, expected] of rows) {
  const isNew = !expected.test(result);
  console.log(`${what}: ${result}${isNew ? '   <- this has changed' : ''}`);
  if (isNew) process.exitCode = 1;
}
