/** Each token that others check was made a few seconds before, so that a reader whose clock is a little behind takes it. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { createVerifyCryptosuite } from '@digitalbazaar/eddsa-jcs-2022-cryptosuite';
import { verifyCredential } from '@digitalbazaar/vc';
import { createLocalJWKSet, decodeJwt, importJWK, type JWK, type JWTPayload, jwtVerify } from 'jose';
import { jwkOfDid } from '../../protocol/jwk/jwk.ts';
import { loadDidKey } from '../support/didKeyLoader.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import { ucpBusiness } from '../support/ucpBusiness.ts';
import type { Loose } from '../support/world.ts';

const BACK_SECONDS = 5;
const SHOP = 'shop.example';

describe('a reader whose clock is five seconds behind', () => {
  let node: MemoryNode;
  let agentDid: string;
  before(async () => {
    node = await memoryNode();
    // On a full second, the last at which a reader of whole seconds is not in its favour.
    node.clock.now = Math.floor(Date.now() / 1000) * 1000;
    agentDid = (await node.agent()).did;
  });
  const intentOf = (more: object = {}, merchantDomain = SHOP): Promise<Loose> =>
    node.run('issueIntent', {
      agentDid,
      principalDid: agentDid,
      request: { maxAmount: 100, currency: 'USD', vendorHints: { domain: merchantDomain } },
      ...more,
    });

  /** Nothing of it lies ahead of that clock, and it ends when it did before. */
  function isPast(payload: JWTPayload | Loose): void {
    const { iat, nbf } = payload as JWTPayload;
    const theirs = node.clock.now / 1000 - BACK_SECONDS;
    assert.ok(typeof iat === 'number', 'it has an iat');
    assert.ok(iat <= theirs, `iat ${iat} lies ahead of ${theirs}`);
    assert.ok(nbf === undefined || nbf <= theirs, `nbf ${nbf} lies ahead of ${theirs}`);
  }
  const behind = () => ({ currentDate: new Date(node.clock.now - BACK_SECONDS * 1000), maxTokenAge: '1h' });

  test('takes a verdict, by jose with no tolerance', async () => {
    const { verdict } = await intentOf({ credentialFormats: ['verdict'] });
    const key = await importJWK(node.deps.keys.receiptSigner.jwk, 'ES256');
    const { payload } = await jwtVerify(String(verdict), key, behind());
    isPast(payload);
  });

  test('takes an access token, by jose with no tolerance', async () => {
    const claims = { jti: 'j', sid: 's', tenantId: 't', role: 'OWNER' as const, did: agentDid, email: null };
    const { clock, deps } = node;
    const { accessToken, expiresAt } = await deps.access.tokens.issue(
      { ...claims, sub: 'user' },
      clock.now,
      clock.now + 3_600_000,
    );
    const { payload } = await jwtVerify(accessToken, createLocalJWKSet(deps.access.tokens.keySet), behind());
    isPast(payload);
    assert.equal(expiresAt, clock.now + 900_000);
  });

  test('takes intent and payment as tokens, by jose, and as documents, by @digitalbazaar/vc, with no tolerance', async () => {
    const credentialFormats = ['vc', 'vc+jwt'];
    const intent = await intentOf({ credentialFormats });
    const offer = { payerDid: agentDid, domain: SHOP, amount: 10, currency: 'USD' };
    const { cartVc } = await node.run('demoCart', offer);
    const { approvalToken } = await node.run('validateCart', { intentVc: intent.intentVc, cartVc });
    const payment = await node.run('mandatePayment', { approvalToken, credentialFormats });
    for (const { credentials } of [intent, payment]) {
      const { currentDate } = behind();
      const key = await importJWK(jwkOfDid(credentials.vc.issuer) as JWK, 'EdDSA');
      await jwtVerify(credentials['vc+jwt'], key, { currentDate, typ: 'vc+jwt' });
      const suite = new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() });
      const checkStatus = async () => ({ verified: true });
      // With none at all this library refuses the very moment at which a credential begins.
      const about = { suite, documentLoader: loadDidKey, checkStatus, now: currentDate, maxClockSkew: 0.001 };
      const result = await verifyCredential({ credential: credentials.vc, ...about });
      assert.equal(result.verified, true, String(result.error));
    }
  });

  test('takes both mandates of UCP, in each hop and each mandate in it', async () => {
    const shop = await ucpBusiness(SHOP);
    await node.run('bindMerchant', { domain: SHOP, jwk: shop.jwk });
    const { intentVc } = await intentOf();
    const checkout = await shop.checkout();
    const intentId = intentVc.credentialSubject.mandateId;
    const { approvalToken } = await node.run('validateUcpCheckout', { intentId, merchantDomain: SHOP, checkout });
    const { ucp } = await node.run('mandatePayment', { approvalToken });
    let mandates = 0;
    for (const chain of [ucp.checkoutMandate, ucp.paymentMandate]) {
      for (const hop of chain.split('~~')) {
        const [jwt, ...disclosures] = hop.split('~').filter((each: string) => each !== '');
        const { iat } = decodeJwt(jwt);
        if (iat !== undefined) isPast({ iat });
        for (const each of disclosures) {
          const said = JSON.parse(Buffer.from(each, 'base64url').toString()).at(-1);
          if (said.vct === undefined) continue;
          mandates += 1;
          isPast(said);
        }
      }
    }
    assert.equal(mandates, 4);
  });

  test('takes the authorization of the sandbox’s AP2 cart', async () => {
    const { cartMandate } = await node.run('demoAp2Cart', { domain: SHOP, amount: 10, currency: 'USD' });
    isPast(decodeJwt(cartMandate.merchant_authorization));
  });
});
