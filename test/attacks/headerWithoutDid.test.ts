/** An X-Agent-DID that is no DID is refused and charged like any wrong proof, and ends no process. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { makeWorld, type World } from '../support/world.ts';

const ODD = ['garbage', 'did:key:zzz', '%00', 'did:web:shop.example', 'x'.repeat(4000)];

for (const engine of everyEngine()) {
  describe(`a header that names no DID on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine, { SANDBOX_RATE_PER_MINUTE: '6', SANDBOX_BURST: '30' });
    });
    after(() => world.close());

    const post = (named: string, body: object) =>
      fetch(`${world.node.address}/a2a/gateway`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Agent-DID': named },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      });
    const message = { id: 'm1', type: 'IntentMandate', created: new Date().toISOString(), body: {} };
    const sayTo = (to: string) => {
      const { did: from } = makePeer();
      return { jsonrpc: '2.0', id: 1, method: 'a2a/message', params: { message: { ...message, from, to } } };
    };

    test('is told so at the gateway, and its address is charged', async () => {
      const left: number[] = [];
      for (const named of ODD) {
        const response = await post(named, sayTo(world.node.deps.issuer.did));
        const { error } = (await response.json()) as { readonly error: { code: number; message: string } };
        assert.deepEqual([response.status, error.code], [200, -32001], `${named.slice(0, 30)}: ${error.message}`);
        assert.match(error.message, /^X-Agent-DID must be the DID/);
        left.push(Number(response.headers.get('x-ratelimit-remaining')));
      }
      assert.ok((left.at(-1) as number) < (left[0] as number), `charged: ${left}`);
    });

    test('is told so before a socket opens, and its address is charged', async () => {
      const statuses: number[] = [];
      for (let tries = 0; tries < 60 && statuses.at(-1) !== 429; tries++) {
        const url = `${world.node.address.replace('http', 'ws')}/a2a/gateway`;
        const socket = new WebSocket(url, { headers: { 'X-Agent-DID': 'garbage' } });
        socket.on('error', () => {});
        statuses.push(
          await new Promise<number>((resolve) => {
            socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode ?? 0));
            socket.once('open', () => resolve(101));
          }),
        );
      }
      assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
    });

    test('leaves the node as it was', async () => {
      const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(5));
      assert.equal(body.allowed, true);
    });
  });
}
