/** The node's profile as a platform of UCP: open to all, and of the form that UCP's own schemas ask for. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { everyEngine } from '../support/engines.ts';
import { ucpBusiness } from '../support/ucpBusiness.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

/** `source/schemas` of Universal-Commerce-Protocol/ucp, which is not copied into this project. */
const SCHEMAS = process.env['UCP_SCHEMAS'] ?? '';
const skip = existsSync(SCHEMAS) ? false : 'UCP_SCHEMAS names no folder of schemas of UCP';

function validator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  for (const name of readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.json')) ajv.addSchema(JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8')));
  }
  return ajv;
}

describe('the profile of the platform', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(() => world.close());

  const ask = (headers: Record<string, string> = {}) => world.rest('GET', '/.well-known/ucp', undefined, headers);

  test('is open to every page and may be kept, and comes again only where it has changed', async () => {
    const reply = await ask();
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('access-control-allow-origin'), '*');
    assert.match(String(reply.headers.get('cache-control')), /^public, max-age=\d{2,}$/);
    const again = await ask({ 'If-None-Match': String(reply.headers.get('etag')) });
    assert.equal(again.status, 304);
    assert.match(String(again.headers.get('cache-control')), /^public/);
  });

  test('has the keys of the key set that sign by ES256, and the one by which requests are signed', async () => {
    const { keys } = (await world.rest('GET', '/.well-known/jwks.json', undefined, {})).body;
    const profile = (await ask()).body;
    const signing = keys.filter(({ alg }: Loose) => alg === 'ES256');
    const directory = (await world.rest('GET', '/.well-known/http-message-signatures-directory', undefined, {})).body;
    assert.deepEqual(
      profile.keys.map(({ kid }: Loose) => kid),
      [...signing, ...directory.keys].map(({ kid }: Loose) => kid),
    );
    assert.equal(profile.keys[0].kid, world.node.deps.keys.receiptSigner.jwk.kid);
    assert.deepEqual(profile.signing_keys, signing);
    assert.deepEqual(Object.keys(profile.ucp.capabilities), [
      'dev.ucp.shopping.checkout',
      'dev.ucp.shopping.ap2_mandate',
    ]);
  });

  test('is one by UCP’s own schema', { skip }, async () => {
    const ajv = validator();
    const valid = ajv.compile({ $ref: 'https://ucp.dev/schemas/profile.json#/$defs/platform_schema' });
    const profile = (await ask()).body;
    assert.ok(valid(profile), JSON.stringify(valid.errors));
    const { services: _services, ...rest } = (profile as Loose).ucp;
    assert.equal(valid({ ...(profile as Loose), ucp: rest }), false);
  });

  test('goes with checkouts that UCP’s schema takes, and with mandates that its pattern does not', {
    skip,
  }, async () => {
    const ajv = validator();
    const isCheckout = ajv.compile({
      $ref: 'https://ucp.dev/schemas/shopping/ap2_mandate.json#/$defs/dev.ucp.shopping.checkout',
    });
    const shop = await ucpBusiness('shop.example');
    const checkout = await shop.checkout();
    assert.ok(isCheckout(checkout), JSON.stringify(isCheckout.errors));
    const bound = await world.rest('POST', '/ap2/admin/merchants', { domain: 'shop.example', jwk: shop.jwk });
    assert.equal(bound.status, 201);
    const intent = await world.rest('POST', '/ap2/intents', world.intentBody(100));
    const { mandateId: intentId } = intent.body.intentVc.credentialSubject;
    const offered = { intentId, merchantDomain: 'shop.example', checkout };
    const { approvalToken } = (await world.rest('POST', '/ap2/carts/validate/ucp', offered)).body;
    const { ucp } = (await world.rest('POST', '/ap2/payments/mandate', { approvalToken })).body;
    const isMandate = ajv.compile({
      $ref: 'https://ucp.dev/schemas/shopping/ap2_mandate.json#/$defs/checkout_mandate',
    });
    // An SD-JWT ends with a tilde (RFC 9901 section 4), and a chain of AP2 is joined by two.
    assert.equal(isMandate(ucp.checkoutMandate), false);
    assert.equal(isMandate('a.b.c~d'), true);
  });
});
