/** Where private addresses are not allowed: what may be subscribed, and what is never connected to. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConfigError, readConfig } from '../../src/node/config/config.ts';
import { everyEngine } from '../support/engines.ts';
import { HOOKS, subscribe } from '../support/hooks.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeWorld, type World } from '../support/world.ts';

describe('the addresses of webhooks', () => {
  let world: World;
  let receiver: Receiver;
  before(async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    world = await makeWorld(engine, { WEBHOOK_ALLOW_PRIVATE: 'false' });
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver.close();
    await world.close();
  });

  test('must be https and public when they are given', async () => {
    const webhook = await subscribe(world, 'https://backend.shop.example/hook', ['agent.created']);
    for (const url of [
      receiver.url,
      'http://backend.shop.example/',
      'https://127.1/',
      'https://[::1]/',
      'https://localhost/',
    ]) {
      const made = await world.rest('POST', HOOKS, { url, events: ['agent.created'] });
      assert.equal(made.status, 400, url);
      assert.equal(made.body.error.details[0].path, 'url');
      assert.equal((await world.rest('PUT', `${HOOKS}/${webhook.id}`, { url })).status, 400, url);
    }
    await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
  });

  test('are looked at once more when something is posted there', async () => {
    const webhook = await subscribe(world, 'https://backend.shop.example/hook', ['agent.created']);
    await world.node.deps.store.write(world.node.tenantId, function* () {
      yield { sql: 'UPDATE webhooks SET url = ? WHERE id = ?', args: [`${receiver.url}/hook`, webhook.id] };
    });
    const tried = await world.rest('POST', `${HOOKS}/${webhook.id}/test`);
    assert.deepEqual([tried.body.status, tried.body.error, tried.body.outcome], [0, 'blocked', 'failed']);
    assert.equal(receiver.connections(), 0);
    await world.rest('DELETE', `${HOOKS}/${webhook.id}`);
  });

  test('are private ones by default in the sandbox, and never in production', () => {
    assert.equal(readConfig({}).webhookAllowPrivate, true);
    assert.equal(readConfig({ AP2_ENV: 'production' }).webhookAllowPrivate, false);
    assert.equal(readConfig({ AP2_ENV: 'production', WEBHOOK_ALLOW_PRIVATE: 'true' }).webhookAllowPrivate, true);
    assert.deepEqual(readConfig({}).webhookRetrySeconds, [0, 60, 300, 1800, 7200, 86_400]);
    assert.deepEqual(readConfig({ WEBHOOK_RETRY_SECONDS: '0,1,2,3,4,5' }).webhookRetrySeconds, [0, 1, 2, 3, 4, 5]);
    for (const env of [{ WEBHOOK_RETRY_SECONDS: '0,1,2' }, { WEBHOOK_ALLOW_PRIVATE: 'yes' }]) {
      assert.throws(
        () => readConfig(env),
        (error) => error instanceof ConfigError && /WEBHOOK_/.test(error.message),
      );
    }
  });
});
