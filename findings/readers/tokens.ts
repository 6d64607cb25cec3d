/** Prints a token of a credential as a node makes it, which has been valid since a moment, for readers of others. */
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { secureAsJwt } from '../../protocol/credential/vcJwt.ts';

const signer = nobleSuite.signer(new Uint8Array(32).fill(7));
const tokenFrom = (ahead: number) => {
  const validFrom = new Date((Math.floor(Date.now() / 1000) + ahead) * 1000).toISOString();
  const document = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: 'urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33',
    type: ['VerifiableCredential', 'PaymentMandate'],
    issuer: signer.did,
    validFrom,
    credentialSubject: { agentDid: signer.did },
  };
  return secureAsJwt(signer, document, signer.did);
};
const x = Buffer.from(signer.publicKey).toString('base64url');
const tokens = { now: tokenFrom(0), minute: tokenFrom(60), tenMinutes: tokenFrom(600) };
process.stdout.write(JSON.stringify({ did: signer.did, jwk: { kty: 'OKP', crv: 'Ed25519', x }, ...tokens }));
