/** `countersign checkout`: a business's checkout from a file, judged at a running node and on its data folder. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sessionOf } from '../../extensions/acp/acpShop.ts';
import { everyEngine } from '../../support/engines.ts';
import { ucpBusiness } from '../../support/ucpBusiness.ts';
import { ADMIN_KEY, makeWorld, SHOP, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('countersign checkout validate', () => {
  let world: World;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-checkouts-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], { DATA_DIR: folder });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('prints the token of what is allowed, and ends with 1 and the reasons of what is refused', async () => {
    const shop = await ucpBusiness(SHOP);
    const bound = await world.rest('POST', '/ap2/admin/merchants', { domain: SHOP, jwk: shop.jwk });
    assert.equal(bound.status, 201, bound.text);
    const intent = await world.rest('POST', '/ap2/intents', world.intentBody(100));
    const { mandateId } = intent.body.intentVc.credentialSubject;
    const checkout = await shop.checkout();
    const [file, jwt, altered] = ['checkout.json', 'checkout.jwt', 'altered.json'].map((name) => join(folder, name));
    await writeFile(String(file), JSON.stringify(checkout));
    await writeFile(String(jwt), await shop.jwtOf(checkout));
    await writeFile(String(altered), JSON.stringify({ ...checkout, note: 'added' }));
    const options = ['--intent', mandateId, '--merchant', SHOP];
    const atNode = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
    const allowed = await runHere(['checkout', 'validate', String(file), ...options, '--jwt', String(jwt)], atNode);
    assert.equal(allowed.code, 0, allowed.stderr);
    assert.match(allowed.stdout, /^Token +apt_\S+\nUntil +\d.*\nRail +CARD_RAIL\nCart +sha256:[0-9a-f]{64}\n$/);
    const refused = await runHere(['checkout', 'validate', String(altered), ...options], { DATA_DIR: folder });
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /^MERCHANT_UNVERIFIED {2}The business's signature cannot be trusted\. /);
    const told = await runHere(['checkout', 'validate', String(altered), ...options, '--json'], atNode);
    assert.equal(told.json().details.MERCHANT_UNVERIFIED.ucp, 'merchant_authorization_invalid');
  });
});

describe('countersign checkout acp', () => {
  test('prints what /complete takes, and ends with 1 and the reason of what is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-sessions-'));
    const world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    try {
      const atNode = { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY };
      const run = async (session: object, ...more: string[]) => {
        const file = join(folder, 'session.json');
        await writeFile(file, JSON.stringify(session));
        const options = ['--agent', world.agent.did, '--merchant', 'tea.example', ...more];
        return runHere(['checkout', 'acp', file, ...options], atNode);
      };
      const paid = await run(sessionOf('cs_1'));
      assert.equal(paid.code, 0, paid.stderr);
      assert.match(JSON.parse(paid.stdout).payment_data.instrument.credential.token, /^spt_/);
      const told = await run(sessionOf('cs_1'), '--json');
      assert.match(told.json().mandateId, /^pm_/);
      const refused = await run(sessionOf('cs_2', { status: 'completed' }));
      assert.equal(refused.code, 1);
      assert.match(refused.stdout, /^CART_USED {2}The session is completed/);
    } finally {
      await world.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
