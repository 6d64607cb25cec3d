/** Verdicts: what a node decided, signed so that others verify it with its key set, and what its answer and its evidence say. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errors, importJWK, jwtVerify } from 'jose';
import { chance } from '../../simulation/machine/chance.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const SHOP = 'shop.example';

async function stage() {
  const node = await memoryNode();
  const rules = {
    version: '2.0',
    spend: { amount_cap: 200, presence_cap: 1000, currency: 'USD' },
    merchant: { deny_list: ['bad.example'] },
  };
  await node.run('createPolicy', { name: 'Strict', rules });
  const { did } = await node.agent();
  const intent = (amount: number, more: object = {}, domain = SHOP): Promise<Loose> =>
    node.run('issueIntent', {
      agentDid: did,
      principalDid: did,
      request: { maxAmount: amount, currency: 'USD', vendorHints: { domain } },
      ...more,
    });
  const cart = async (intentVc: Loose, amount: number, more: object = {}): Promise<Loose> => {
    const { cartVc } = await node.run('demoCart', { payerDid: did, domain: SHOP, amount, currency: 'USD' });
    return node.run('validateCart', { intentVc, cartVc, ...more });
  };
  return { node, did, intent, cart };
}

const ASKED = { credentialFormats: ['verdict'] };

async function claimsOf({ deps, clock }: MemoryNode, verdict: string, aheadMs = 0): Promise<Loose> {
  const key = await importJWK({ ...deps.keys.receiptSigner.jwk }, 'ES256');
  const currentDate = new Date(clock.now + aheadMs);
  return (await jwtVerify(verdict, key, { typ: 'verdict+jwt', issuer: 'http://localhost', currentDate })).payload;
}

describe('a verdict', () => {
  test('says what the answer says, of 500 decisions', async () => {
    const { node, did, intent, cart } = await stage();
    const dice = chance('verdicts');
    const seen = new Set<string>();
    for (let n = 0; n < 250; n++) {
      const amount = dice.between(1, 1500);
      const answer = await intent(amount, ASKED, dice.permille(150) ? 'bad.example' : SHOP);
      const told = await claimsOf(node, answer.verdict);
      const outcome = answer.allowed ? (answer.hpRequired ? 'presence_required' : 'allow') : 'deny';
      assert.deepEqual(
        [told.outcome, told.sub, told.amount, told.currency, told.reasonCodes],
        [outcome, did, String(amount * 100), 'USD', answer.reasonCodes ?? []],
      );
      seen.add(`intent ${told.outcome}`);
      const whole = answer.allowed ? answer.intentVc : (await intent(10)).intentVc;
      const price = dice.between(1, 300);
      const checked = await cart(whole, price, ASKED);
      const judged = await claimsOf(node, checked.verdict);
      const onlyPerson = checked.reasonCodes?.every((code: string) => code === 'HP_REQUIRED');
      const verdict = checked.allowed ? 'allow' : onlyPerson ? 'presence_required' : 'deny';
      assert.deepEqual(
        [judged.outcome, judged.recipient, judged.amount, judged.reasonCodes],
        [verdict, SHOP, String(price * 100), checked.reasonCodes ?? []],
      );
      seen.add(`cart ${judged.outcome}`);
    }
    assert.deepEqual([...seen].sort(), [
      'cart allow',
      'cart deny',
      'cart presence_required',
      'intent allow',
      'intent deny',
      'intent presence_required',
    ]);
  });

  test('names the event that has its hash, the policy and the cart', async () => {
    const { node, intent, cart } = await stage();
    const { intentVc, attestation } = await intent(50);
    const checked = await cart(intentVc, 50, ASKED);
    const told = await claimsOf(node, checked.verdict);
    const { data } = await node.run('searchEvidence', { limit: 1, eventType: 'CART_VALIDATED' });
    assert.equal(data[0].id, told.jti);
    assert.equal(data[0].data.verdict, `sha256:${node.deps.suite.sha256Hex(checked.verdict)}`);
    const { policyId: id, policyVersion: version, policyHash: hash } = attestation;
    assert.deepEqual([told.policy, told.cartHash], [{ id, version, hash }, checked.cartHash]);
    assert.equal(told.exp, Math.floor(Date.parse(checked.approvalTokenExpiresAt) / 1000));
    assert.doesNotMatch(JSON.stringify(told), /appr_|tok/);
  });

  test('is refused when it was altered, and when its time is over', async () => {
    const { node, intent } = await stage();
    const { verdict } = await intent(2000, ASKED);
    assert.equal((await claimsOf(node, verdict)).outcome, 'deny');
    const [head, body = '', tail] = verdict.split('.');
    const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace('"deny"', '"allow"')).toString(
      'base64url',
    );
    await assert.rejects(claimsOf(node, [head, forged, tail].join('.')), errors.JWSSignatureVerificationFailed);
    await assert.rejects(claimsOf(node, verdict, 301_000), errors.JWTExpired);
  });

  test('is in no answer and no event that was not asked for one, and takes no place in a status list', async () => {
    const { node, intent, cart } = await stage();
    const plain = await intent(50);
    const checked = await cart(plain.intentVc, 50);
    const refused = await intent(2000);
    for (const answer of [plain, checked, refused]) assert.equal('verdict' in answer, false);
    const events = await node.run('searchEvidence', { limit: 50 });
    for (const { data } of events.data) assert.equal('verdict' in data, false);
    const asked = await intent(50, ASKED);
    assert.equal('credentials' in asked, false);
    const { data } = await node.run('searchEvidence', { limit: 1, eventType: 'INTENT_ISSUED' });
    assert.equal('status' in data[0].data, false);
  });
});
