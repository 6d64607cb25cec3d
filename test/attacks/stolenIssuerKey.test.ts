/** A thief of the signing key makes no person present, buys with no agent's intent, and opens no secret. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { signDocument } from '../../protocol/credential/proof.ts';
import { issueCredential } from '../../protocol/credential/vc.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { sealer } from '../../src/crypto/seal.ts';
import { secretContext } from '../../src/domain/webhooks/changeWebhook.ts';
import { lockWebhook } from '../../src/store/statements/webhooks/subscriptions.ts';
import { runHere } from '../cli/runHere.ts';
import { everyEngine } from '../support/engines.ts';
import { type Lives, makeLives } from '../support/lives.ts';
import { makeCartOfOne, makePeer } from '../support/peer.ts';
import { type Loose, SHOP } from '../support/world.ts';

const suite = nativeSuite();

for (const engine of everyEngine()) {
  describe(`a stolen issuer's key on ${engine.name}`, () => {
    let lives: Lives;
    const [agent, other, merchant] = [makePeer(), makePeer(), makePeer()];
    before(async () => {
      lives = await makeLives(engine);
      for (const { publicKey } of [agent, other]) await ask('POST', '/ap2/agents', { name: 'a', publicKey });
      await ask('POST', '/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
    });
    after(() => lives.close());

    const ask = async (method: string, path: string, body?: unknown): Promise<Loose> => {
      const { status, text } = await lives.ask(method, path, body);
      return { status, ...(text === '' ? {} : JSON.parse(text)) };
    };
    const stolenSeed = () =>
      new Uint8Array(
        Buffer.from(readFileSync(join(lives.folder, 'issuer.key'), 'utf8').split('\n')[0] as string, 'base64url'),
      );
    const askIntent = async (agentDid = agent.did): Promise<Loose> => {
      const request = { maxAmount: 150, currency: 'USD', vendorHints: { domain: SHOP } };
      return (await ask('POST', '/ap2/intents', { agentDid, principalDid: agentDid, request })).intentVc;
    };
    const cartOf = (amount: number) => makeCartOfOne(merchant, SHOP, amount);
    const forgePresence = (seed: Uint8Array, at = Date.now()) => {
      const thief = suite.signer(seed);
      const verifiedAt = new Date(at).toISOString();
      const statement = {
        type: 'HumanPresenceProof',
        id: 'hp_0123456789abcdefghjkmnpqrs',
        issuer: thief.did,
        agentDid: agent.did,
        credentialId: 'forged',
        verifiedAt,
        expiresAt: new Date(at + 300_000).toISOString(),
      };
      return signDocument(suite, thief, statement, { created: verifiedAt, proofPurpose: 'assertionMethod' }).document;
    };
    const forgeIntent = (seed: Uint8Array, intentVc: Loose, change: object, at: number) =>
      issueCredential(suite, suite.signer(seed), {
        type: 'IntentMandate',
        subject: { ...intentVc.credentialSubject, ...change },
        issuedAt: at,
        expiresAt: at + 3_600_000,
      }).document;
    const rotate = async (...options: string[]) => {
      await lives.stop();
      const ended = await runHere(['key', 'rotate-issuer', '--json', ...options], lives.env);
      assert.equal(ended.code, 0, ended.stderr);
      await lives.start();
      return ended.json();
    };

    test('signs a proof that a person was present, which is refused since the node never issued it', async () => {
      const hpProof = forgePresence(stolenSeed());
      const answer = await ask('POST', '/ap2/carts/validate', {
        intentVc: await askIntent(),
        cartVc: cartOf(150),
        hpProof,
      });
      assert.equal(answer.allowed, false);
      assert.deepEqual(answer.reasonCodes, ['HP_INVALID']);
      assert.match(answer.details.HP_INVALID.message, /not issued by this node/);
    });

    test('dates an intent after the retirement of the key, which is refused, while one from before holds', async () => {
      const seed = stolenSeed();
      const before = await askIntent();
      const { from, retiredAt } = await rotate();
      assert.equal(from, suite.signer(seed).did);
      const late = Date.parse(retiredAt) + 1;
      const intentVc = forgeIntent(seed, before, {}, late);
      const refused = await ask('POST', '/ap2/carts/validate', { intentVc, cartVc: cartOf(20) });
      assert.equal(refused.status, 400);
      assert.match(refused.error.message, /dated after .* when the key of .* was retired/);
      const held = await ask('POST', '/ap2/carts/validate', { intentVc: before, cartVc: cartOf(20) });
      assert.equal(held.allowed, true);
      const answer = await ask('POST', '/ap2/carts/validate', {
        intentVc: before,
        cartVc: cartOf(150),
        hpProof: forgePresence(seed, Date.parse(retiredAt) - 1),
      });
      assert.deepEqual(answer.reasonCodes, ['HP_INVALID'], 'a proof dated before the retirement is forged as well');
    });

    test('changes an intent that it dates before the retirement, or names another agent in it, which is refused', async () => {
      const seed = stolenSeed();
      const before = await askIntent(other.did);
      const at = Date.parse(before.issuanceDate);
      await rotate('--compromised');
      for (const change of [{ agentDid: agent.did }, { request: { maxAmount: 9999, currency: 'USD' } }]) {
        const intentVc = forgeIntent(seed, before, change, at);
        const answer = await ask('POST', '/ap2/carts/validate', { intentVc, cartVc: cartOf(20) });
        assert.equal(answer.status, 400);
        assert.match(answer.error.message, /this node never issued it/);
      }
      assert.equal((await ask('POST', '/ap2/carts/validate', { intentVc: before, cartVc: cartOf(20) })).allowed, true);
    });

    test('is not what secrets are sealed with, and no former seed stays in the file', async () => {
      const seed = stolenSeed();
      await rotate();
      const { id } = await ask('POST', '/ap2/admin/webhooks', {
        url: 'http://127.0.0.1:9/',
        events: ['payment.captured'],
      });
      const { store, sealer: own } = lives.node().deps;
      const row = await store.read(() => lockWebhook('sqlite', id));
      assert.ok(row);
      assert.match(own.open(row.secret, secretContext(id)), /^whsec_/);
      assert.throws(() => sealer(seed).open(row.secret, secretContext(id)), /cannot be opened/);
      assert.throws(() => sealer(stolenSeed()).open(row.secret, secretContext(id)), /cannot be opened/);
      assert.ok(
        !readFileSync(join(lives.folder, 'issuer.key'), 'utf8').includes(Buffer.from(seed).toString('base64url')),
      );
    });
  });
}
