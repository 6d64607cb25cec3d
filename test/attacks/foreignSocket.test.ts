/** A socket is not opened for the page of another site, and not kept open for a peer that only fails. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { everyEngine } from '../support/engines.ts';
import { makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a socket on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine, { CORS_ORIGINS: 'https://shop.example' });
    });
    after(() => world.close());

    /** @returns the status of a refusal, or the open socket */
    const upgrade = (origin?: string) =>
      new Promise<number | WebSocket>((resolve) => {
        const url = `${world.node.address.replace('http', 'ws')}/a2a/gateway`;
        const socket = new WebSocket(url, origin === undefined ? {} : { origin });
        socket.once('open', () => resolve(socket));
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
        socket.on('error', () => {});
      });

    test('is refused to a page of another site, and opened to the node’s own pages and to named origins', async () => {
      assert.equal(await upgrade('https://evil.example'), 403);
      assert.equal(await upgrade('null'), 403);
      for (const origin of [undefined, new URL(world.node.baseUrl).origin, 'https://shop.example']) {
        const socket = await upgrade(origin);
        assert.ok(socket instanceof WebSocket, String(origin));
        socket.close();
      }
    });

    test('is closed with 1008 after 20 frames that failed, a batch that failed wholly among them', async () => {
      const socket = (await upgrade()) as WebSocket;
      const closed = new Promise<number>((resolve) => socket.once('close', resolve));
      let answers = 0;
      socket.on('message', () => {
        answers += 1;
      });
      const failing = { jsonrpc: '2.0', id: 1, method: 'a2a/message', params: {} };
      socket.send(JSON.stringify([failing, failing]));
      for (let i = 0; i < 30; i++) socket.send(JSON.stringify(failing));
      assert.equal(await closed, 1008);
      assert.ok(answers >= 20 && answers <= 30, String(answers));
    });
  });
}
