/** One DID proof in ten thousand hands at once: the node believes it once. */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof } from '../support/peer.ts';
import { makeWorld, type World } from '../support/world.ts';

const REPLAYS = 10_000;
const CONNECTIONS = 256;

for (const engine of everyEngine()) {
  describe(`replays on ${engine.name}`, () => {
    let world: World;
    const connections = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    before(async () => {
      world = await makeWorld(engine);
    });
    after(async () => {
      connections.destroy();
      await world.close();
    });

    /** @returns the status, and for a refusal the code */
    function send(proof: string): Promise<string> {
      return new Promise((resolve, reject) => {
        const call = request(`${world.node.address}/ap2/auth/me`, {
          agent: connections,
          headers: { 'X-DID-Proof': proof },
        });
        call.on('error', reject);
        call.on('response', (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => {
            const { error } = JSON.parse(text);
            resolve(error === undefined ? String(response.statusCode) : `${response.statusCode} ${error.code}`);
          });
        });
        call.end();
      });
    }

    test(`of ${REPLAYS} concurrent replays of one proof exactly one is accepted`, async (context) => {
      const { baseUrl } = world.node;
      const proof = makeDidProof(world.agent, { baseUrl, method: 'GET', path: '/ap2/auth/me', body: '' });
      const began = performance.now();
      const answers = await Promise.all(Array.from({ length: REPLAYS }, () => send(proof)));
      const counts = new Map<string, number>();
      for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
      assert.deepEqual([...counts].sort(), [
        ['200', 1],
        ['401 UNAUTHORIZED', REPLAYS - 1],
      ]);
      context.diagnostic(
        `${REPLAYS} replays in ${((performance.now() - began) / 1000).toFixed(1)} s on ${engine.name}`,
      );
    });
  });
}
