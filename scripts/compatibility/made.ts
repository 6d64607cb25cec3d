/** Prints what a node makes, for libraries of others: credentials, tokens of other moments, a status list, and mandates of UCP with their checkout. */
import { gzipSync } from 'node:zlib';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { bitstringOf, statusListDocument } from '../../protocol/credential/statusList.ts';
import { secureAsJwt } from '../../protocol/credential/vcJwt.ts';
import { jwkOfDid } from '../../protocol/jwk/jwk.ts';
import { memoryNode } from '../../test/support/memoryNode.ts';
import { ucpBusiness } from '../../test/support/ucpBusiness.ts';
import type { Loose } from '../../test/support/world.ts';

const SHOP = 'shop.example';
const signer = nobleSuite.signer(new Uint8Array(32).fill(7));
const x = Buffer.from(signer.publicKey).toString('base64url');

/** A token that is valid from a moment ahead, which a node never makes: it shows what a reader tolerates. */
function tokenFrom(aheadSeconds: number): string {
  const validFrom = new Date((Math.floor(Date.now() / 1000) + aheadSeconds) * 1000).toISOString();
  const document = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: 'urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33',
    type: ['VerifiableCredential', 'PaymentMandate'],
    issuer: signer.did,
    validFrom,
    credentialSubject: { agentDid: signer.did },
  };
  return secureAsJwt(signer, document, signer.did);
}

const node = await memoryNode();
node.clock.now = Date.now();
const { did: agentDid } = await node.agent();
const intentOf = async (more: object): Promise<Loose> => {
  const request = { maxAmount: 100, currency: 'USD' };
  return node.run('issueIntent', { agentDid, principalDid: agentDid, request, ...more });
};
const { credentials } = await intentOf({ credentialFormats: ['vc', 'vc+jwt'] });
const address = credentials.vc.credentialStatus.statusListCredential;
const statusList = statusListDocument(address, credentials.vc.issuer, gzipSync(bitstringOf([])), Date.now());

const shop = await ucpBusiness(SHOP);
await node.run('bindMerchant', { domain: SHOP, jwk: shop.jwk });
const checkout = await shop.checkout({ expires_at: '2046-01-01T00:00:00Z' });
/** As the version that `@ucp-js/sdk` 0.1.1 knows has it. */
const former = await shop.checkout({
  ucp: { version: '2026-01-11', capabilities: [{ name: 'dev.ucp.shopping.checkout', version: '2026-01-11' }] },
  expires_at: '2046-01-01T00:00:00Z',
  payment: { handlers: [] },
});
const intentId = (await intentOf({})).intentVc.credentialSubject.mandateId;
const { approvalToken } = await node.run('validateUcpCheckout', { intentId, merchantDomain: SHOP, checkout });
const { ucp } = await node.run('mandatePayment', { approvalToken });

process.stdout.write(
  JSON.stringify({
    did: signer.did,
    jwk: { kty: 'OKP', crv: 'Ed25519', x },
    issuerJwk: jwkOfDid(credentials.vc.issuer),
    tokens: { now: tokenFrom(0), minute: tokenFrom(60), tenMinutes: tokenFrom(600) },
    mandate: credentials['vc+jwt'],
    document: credentials.vc,
    statusList,
    checkouts: [checkout, former],
    chains: [ucp.checkoutMandate, ucp.paymentMandate],
    platformJwk: node.deps.keys.receiptSigner.jwk,
  }),
);
