/** The issuer's key is rotated between two lives of a node: nothing signed or sealed before is lost. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { base64url, createLocalJWKSet, flattenedVerify } from 'jose';
import { canonical } from '../../protocol/credential/canonical.ts';
import { keyId } from '../../protocol/credential/did.ts';
import { signDocument } from '../../protocol/credential/proof.ts';
import { eventLeaf, originOf, signCheckpoint } from '../../protocol/evidence/log/checkpoint.ts';
import { rootOf, subtreeOf } from '../../protocol/evidence/log/merkle.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { verifyExport } from '../../protocol/evidence/verifyExport.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { startNode } from '../../src/node/startNode.ts';
import { runHere } from '../cli/runHere.ts';
import { everyEngine } from '../support/engines.ts';
import { type Lives, makeLives } from '../support/lives.ts';
import { type JsonObject, makeCartOfOne, makePeer } from '../support/peer.ts';
import { type Loose, SHOP } from '../support/world.ts';

const execute = promisify(execFile);
const suite = nativeSuite();

function seedIn(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.split('\n')[0] as string, 'base64url'));
}

for (const engine of everyEngine()) {
  describe(`key rotate-issuer on ${engine.name}`, () => {
    let lives: Lives;
    const [agent, merchant] = [makePeer(), makePeer()];
    before(async () => {
      lives = await makeLives(engine, { EXTENSIONS: '' });
    });
    after(() => lives.close());

    const ask = async (method: string, path: string, body?: unknown): Promise<Loose> => {
      const { status, text } = await lives.ask(method, path, body);
      assert.ok(status < 300, `${path}: ${text}`);
      return { text, ...JSON.parse(text) };
    };
    const cartOf = (amount: number) => makeCartOfOne(merchant, SHOP, amount);
    const buy = async (intentVc: JsonObject, amount: number, key = {}) => {
      const request = { intentVc, cartVc: cartOf(amount), ...key };
      const cart = await ask('POST', '/ap2/carts/validate', request);
      return { request, cart, paid: await ask('POST', '/ap2/payments/mandate', { approvalToken: cart.approvalToken }) };
    };
    const askIntent = (amount: number) =>
      ask('POST', '/ap2/intents', {
        agentDid: agent.did,
        principalDid: agent.did,
        request: { maxAmount: amount, currency: 'USD', vendorHints: { domain: SHOP } },
      });
    const bundleOf = async (mandateId: string) => {
      const { transactionId } = await ask('GET', `/ap2/payments/${mandateId}`);
      return (await ask('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`)).text as string;
    };
    const cardIsSignedBy = async (did: string) => {
      const { text: _, signatures, ...card } = await ask('GET', '/.well-known/agent-card.json?A2A-Version=1.0');
      const { text: __, ...keys } = await ask('GET', '/.well-known/jwks.json');
      const payload = base64url.encode(canonical(card));
      const { protectedHeader } = await flattenedVerify(
        { payload, ...signatures[0] },
        createLocalJWKSet(keys as never),
      );
      assert.equal(protectedHeader?.kid, keyId(did));
    };
    const rotate = () =>
      execute(process.execPath, ['bin/countersign.js', 'key', 'rotate-issuer', '--json'], {
        env: { ...lives.env, PATH: process.env.PATH },
      });

    test('a running node is not rotated', async () => {
      await assert.rejects(rotate(), /A node is running on this database/);
    });

    test('what the old key signed and sealed still holds, and both DIDs vouch for the evidence', async () => {
      await ask('POST', '/ap2/agents', { name: 'a', publicKey: agent.publicKey });
      await ask('POST', '/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
      const oldIssuer = lives.node().deps.issuer.did;
      const open = await askIntent(30);
      const first = await buy((await askIntent(20)).intentVc, 20, { idempotencyKey: 'the-cart' });
      const oldBundle = await bundleOf(first.paid.pmVc.credentialSubject.mandateId);

      await lives.stop();
      await copyFile(join(lives.folder, 'issuer.key'), join(lives.folder, 'old.key'));
      await chmod(join(lives.folder, 'old.key'), 0o600);
      const rotated = JSON.parse((await rotate()).stdout);
      assert.equal(rotated.from, oldIssuer);
      await lives.start();
      assert.equal(lives.node().deps.issuer.did, rotated.to);
      assert.equal((await ask('GET', '/.well-known/agent-card.json')).did, rotated.to);
      await cardIsSignedBy(rotated.to);

      const again = await ask('POST', '/ap2/carts/validate', first.request);
      assert.equal(again.text, first.cart.text, 'an answer sealed before is opened');
      const { paid } = await buy(open.intentVc, 30);
      assert.equal(paid.pmVc.issuer, rotated.to);

      assert.equal((await ask('GET', '/ap2/evidence/verify')).valid, true);
      const newBundle = await bundleOf(paid.pmVc.credentialSubject.mandateId);
      for (const issuer of [oldIssuer, rotated.to]) {
        const check = verifyBundle(suite, newBundle, issuer);
        assert.ok(check.ok, check.ok ? '' : check.reason);
        assert.deepEqual(check.issuers, [oldIssuer, rotated.to]);
        const exported = await ask('GET', '/ap2/evidence/export');
        const { text: _text, ...whole } = exported;
        assert.ok(verifyExport(suite, whole, issuer).ok);
      }
      assert.ok(verifyBundle(suite, oldBundle, oldIssuer).ok);
      // What the retired key dates later is refused, also by a stranger.
      const former = suite.signer(seedIn(await readFile(join(lives.folder, 'old.key'), 'utf8')));
      const late = JSON.parse(newBundle);
      const { proof: _proof, ...rest } = late.credentials.payment;
      const created = new Date(Date.parse(late.rotations[0].proof.created) + 1).toISOString();
      const dated = { ...rest, issuer: former.did, issuanceDate: created };
      late.credentials.payment = signDocument(suite, former, dated, {
        created,
        proofPurpose: 'assertionMethod',
      }).document;
      const lateCheck = verifyBundle(suite, canonical(late), oldIssuer);
      assert.match(lateCheck.ok ? '' : lateCheck.reason, /payment credential does not hold: it is dated after/);

      const forged = JSON.parse(newBundle);
      forged.rotations[0].from = agent.did;
      assert.ok(!verifyBundle(suite, JSON.stringify(forged), agent.did).ok);
    });

    test('a checkpoint that the retired key signs over later events is refused', async () => {
      const exported = await ask('GET', '/ap2/evidence/export');
      const { text, ...whole } = exported;
      const file = join(lives.folder, 'export.json');
      await writeFile(file, text);
      const former = suite.signer(seedIn(await readFile(join(lives.folder, 'old.key'), 'utf8')));
      const rotated = whole.events.find((event: Loose) => event.eventType === 'ISSUER_ROTATED').seq;
      const verdict = async (size: number) => {
        const leaves = whole.events.map((event: Loose) => eventLeaf(suite, event.hashCurr));
        const root = rootOf(
          suite,
          size,
          subtreeOf(suite, (from, to) => (to - from === 1 ? leaves[from] : undefined)),
        );
        const note = join(lives.folder, `${size}.note`);
        await writeFile(note, signCheckpoint(suite, former, { origin: originOf(whole.tenantId), size, root }));
        return runHere(['evidence', 'verify', file, '--issuer', former.did, '--checkpoint', note]);
      };
      assert.equal((await verdict(rotated - 1)).code, 0);
      const late = await verdict(rotated);
      assert.equal(late.code, 1);
      assert.match(late.stdout, /was retired by event/);
    });

    test('a node that still has the old key is refused with what to do', async () => {
      const stale = { ...lives.env, ISSUER_KEY_FILE: join(lives.folder, 'old.key') };
      await assert.rejects(startNode(readConfig(stale)), /Set ISSUER_KEY_FILE to the key file/);
    });
  });
}
