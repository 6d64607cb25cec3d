/** A node without extensions: it has no rail and none of their routes, says so at their addresses, and everything else is there. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { extensions } from '../../src/extensions/list.ts';
import { ConfigError, readConfig } from '../../src/node/config/config.ts';
import { type Engine, engines } from '../support/engines.ts';
import { makeWorld } from '../support/world.ts';

const [ENGINE] = engines() as [Engine];
const NAMES: readonly string[] = extensions.map(({ name }) => name);

describe('the setting EXTENSIONS', () => {
  test('is all of them unless it is set, and those start that are configured', () => {
    assert.deepEqual(readConfig({}).extensions, NAMES);
    const without = (...absent: readonly string[]) => NAMES.filter((name) => !absent.includes(name));
    assert.deepEqual(Object.keys(readConfig({}).extensionSettings), without('stripe', 'telemetry'));
    const production = Object.keys(readConfig({ AP2_ENV: 'production' }).extensionSettings);
    assert.deepEqual(production, without('stripe', 'sandbox-rail', 'telemetry', 'external'));
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
        /^EXTENSIONS=.*none/.test(error.message) &&
        error.message.includes(NAMES.join(', ')),
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
        ['/ap2/http-signatures', 'http-signatures'],
        ['/.well-known/http-message-signatures-directory', 'http-signatures'],
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
