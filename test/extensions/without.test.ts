/** A node without extensions: it has no rail and none of their routes, says so at their addresses, and everything else is there. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, readConfig } from '../../src/node/config/config.ts';
import { type Engine, engines } from '../support/engines.ts';
import { makeWorld } from '../support/world.ts';

const [ENGINE] = engines() as [Engine];

describe('the setting EXTENSIONS', () => {
  test('is all of them unless it is set', () => {
    assert.deepEqual(readConfig({}).extensions, [
      'stripe',
      'sandbox-rail',
      'telemetry',
      'standard-a2a',
      'mcp',
      'mandates',
      'mpp',
      'x402',
      'playground',
    ]);
    assert.deepEqual(Object.keys(readConfig({}).extensionSettings), [
      'sandbox-rail',
      'standard-a2a',
      'mcp',
      'mandates',
      'mpp',
      'x402',
      'playground',
    ]);
    assert.deepEqual(Object.keys(readConfig({ AP2_ENV: 'production' }).extensionSettings), [
      'standard-a2a',
      'mcp',
      'mandates',
      'mpp',
      'x402',
      'playground',
    ]);
  });

  test('keeps the order of the list, and takes none of them by that word', () => {
    assert.deepEqual(readConfig({ EXTENSIONS: 'sandbox-rail, stripe' }).extensions, ['stripe', 'sandbox-rail']);
    assert.deepEqual(readConfig({ EXTENSIONS: 'none' }).extensions, []);
  });

  test('names what there is where it is wrong', () => {
    assert.throws(
      () => readConfig({ EXTENSIONS: 'stripe,paypal' }),
      (error) =>
        error instanceof ConfigError &&
        /^EXTENSIONS=.*none.*stripe, sandbox-rail, telemetry, standard-a2a, mcp, mandates, mpp, x402, playground/.test(
          error.message,
        ),
    );
  });
});

describe('a node without extensions', () => {
  test('refuses carts, and answers 404 where an extension would be', async () => {
    const world = await makeWorld(ENGINE, { EXTENSIONS: 'none' });
    try {
      for (const [path, extension] of [
        ['/ap2/rails/stripe/events', 'stripe'],
        ['/admin/spt', 'stripe'],
        ['/mcp', 'mcp'],
        ['/.well-known/oauth-protected-resource/mcp', 'mcp'],
        ['/ap2/carts/validate/ap2', 'mandates'],
        ['/ap2/delegations', 'mandates'],
        ['/.well-known/ucp', 'mandates'],
      ] as const) {
        const absent = await fetch(`${world.node.address}${path}`, { method: 'POST', body: '{}' });
        assert.equal(absent.status, 404, path);
        assert.match(await absent.text(), new RegExp(`This node runs without ${extension}\\.`));
      }
      const found = await (await fetch(`${world.node.address}/llms.txt`)).text();
      assert.doesNotMatch(found, /MCP/);
      const { paths } = (await world.rest('GET', '/openapi.json')).body;
      assert.ok('/ap2/intents' in paths);
      assert.ok(!('/ap2/rails/stripe/events' in paths));
      const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(10))).body;
      const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(10) });
      assert.deepEqual(cart.body.reasonCodes, ['RAIL_UNAVAILABLE']);
      assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
    } finally {
      await world.close();
    }
  });
});
