/** A path in other letters, or one that needs no credential to fail, is no way around the limit of an address. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { everyEngine } from '../support/engines.ts';
import { makeWorld, type World } from '../support/world.ts';

const BURST = 8;

for (const engine of everyEngine()) {
  describe(`an address on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      const limits = { SANDBOX_RATE_PER_MINUTE: '1', SANDBOX_BURST: String(BURST) };
      world = await makeWorld(engine, { ...limits, TRUSTED_PROXIES: '127.0.0.0/8,::1/128' });
    });
    after(() => world.close());

    /** The statuses of as many calls as an address has, and of two more. */
    async function spend(call: () => Promise<number>): Promise<number[]> {
      const statuses: number[] = [];
      for (let i = 0; i < BURST + 2; i++) statuses.push(await call());
      return statuses;
    }
    const limited = (status: number) => [...new Array<number>(BURST).fill(status), 429, 429];
    const get = async (address: string, path: string, headers = {}) =>
      (await fetch(world.node.address + path, { headers: { ...headers, 'X-Forwarded-For': address } })).status;
    const upgrade = (address: string, path: string, origin?: string) =>
      new Promise<number>((resolve) => {
        const url = world.node.address.replace('http', 'ws') + path;
        const headers = { 'X-Forwarded-For': address };
        const socket = new WebSocket(url, origin === undefined ? { headers } : { headers, origin });
        socket.once('open', () => {
          socket.close();
          resolve(101);
        });
        socket.once('unexpected-response', (request, response) => {
          resolve(response.statusCode ?? 0);
          request.destroy();
        });
        socket.on('error', () => {});
      });

    test('is served no path in other letters, and is charged for each', async () => {
      const paths = [
        '/AP2/agents',
        '/Ap2/policies/current',
        '/ADMIN/spt',
        '/a2A/sessions',
        '/A2A/GATEWAY',
        '/APPROVE/apr_x',
      ];
      for (const [at, path] of paths.entries()) {
        const address = `198.51.100.${at + 1}`;
        assert.deepEqual(await spend(() => get(address, path)), limited(404), path);
      }
    });

    test('cannot try keys at /metrics', async () => {
      const key = { Authorization: `Bearer ak_test_${'x'.repeat(32)}` };
      assert.deepEqual(await spend(() => get('198.51.100.101', '/metrics', key)), limited(401));
    });

    test('is charged for upgrades that no socket is opened for', async () => {
      assert.deepEqual(await spend(() => upgrade('198.51.100.102', '/elsewhere')), limited(404));
      const origin = 'https://evil.example';
      assert.deepEqual(await spend(() => upgrade('198.51.100.103', '/a2a/gateway', origin)), limited(403));
    });
  });
}
