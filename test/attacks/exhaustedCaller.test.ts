/** A caller that has used up its calls is told when there are more, at the gates of the standards too; none uses up another's. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof, makePeer, type Peer } from '../support/peer.ts';
import { callStandard, signedMessage, taskMessage } from '../support/standardPeer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const BURST = 8;

for (const engine of everyEngine()) {
  describe(`a caller without calls left on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      const limits = { SANDBOX_RATE_PER_MINUTE: '1', SANDBOX_BURST: String(BURST) };
      world = await makeWorld(engine, { ...limits, TRUSTED_PROXIES: '127.0.0.0/8,::1/128' });
    });
    after(() => world.close());

    const from = (address: string, more: Record<string, string> = {}) => ({ 'X-Forwarded-For': address, ...more });
    const signedBy = (agent: Peer): Loose =>
      signedMessage(world, agent, taskMessage({ 'countersign.intent': { request: world.intentBody(1).request } }));
    const send = async (message: Loose, headers: Record<string, string>) => {
      const answer = await callStandard(world, 'SendMessage', { message }, headers);
      return { ...answer, told: `${answer.status} ${answer.body.error?.code ?? 'ok'}` };
    };
    const visit = async (headers: Record<string, string>, by?: Peer) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
      const proof = by && makeDidProof(by, { baseUrl: world.node.baseUrl, method: 'POST', path: '/mcp', body });
      return fetch(`${world.node.address}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
          ...(proof === undefined ? {} : { 'X-DID-Proof': proof }),
        },
        body,
      });
    };
    const waits = (headers: Headers) => {
      const seconds = Number(headers.get('retry-after'));
      assert.ok(seconds >= 1 && seconds <= 60, `Retry-After: ${headers.get('retry-after')}`);
      assert.equal(headers.get('x-ratelimit-remaining'), '0');
    };

    test('is an address, too, that sends nothing but bodies that are too long, at whichever gate', async () => {
      for (const [at, path] of ['/a2a/v1', '/a2a/gateway', '/mcp', '/ap2/intents'].entries()) {
        const statuses: number[] = [];
        for (let call = 0; call <= BURST; call += 1) {
          const headers = from(`198.51.100.${100 + at}`, {
            'Content-Type': 'application/json',
            Authorization: 'Bearer x',
          });
          const body = 'x'.repeat(300_000);
          statuses.push((await fetch(world.node.address + path, { method: 'POST', headers, body })).status);
        }
        assert.deepEqual([statuses[0], statuses.at(-1)], [413, 429], `${path}: ${statuses}`);
      }
    });

    test('is refused with 429 and when to come back, over one gate as over the other, and others are not', async () => {
      const agent = await world.newAgent();
      const here = from('198.51.100.1');
      const first = signedBy(agent);
      const begun = await send(first, here);
      assert.equal(begun.told, '200 ok');
      for (let call = 1; call < BURST; call += 1) assert.equal((await send(signedBy(agent), here)).told, '200 ok');
      const refused = await send(signedBy(agent), here);
      assert.equal(refused.told, '429 -32092');
      waits(refused.headers);
      const overMcp = await visit(here, agent);
      assert.equal(overMcp.status, 429);
      waits(overMcp.headers);
      const again = await send(first, here);
      assert.deepEqual(again.body.result, begun.body.result, 'what was done before is told all the same');
      assert.equal((await send(signedBy(world.agent), here)).told, '200 ok');
    });

    test('is not made by replaying its messages; a replayer uses up the calls of its own address', async () => {
      const agent = await world.newAgent();
      const message = signedBy(agent);
      assert.equal((await send(message, from('203.0.113.10'))).told, '200 ok');
      for (let replay = 0; replay < BURST; replay += 1) {
        assert.equal((await send(message, from('203.0.113.9'))).told, '200 ok');
      }
      for (let replay = 0; replay < BURST; replay += 1) {
        assert.equal((await send(message, from('203.0.113.9'))).told, '429 -32092');
      }
      for (let call = 1; call < BURST; call += 1) {
        assert.equal((await send(signedBy(agent), from('203.0.113.10'))).told, '200 ok', `call ${call}`);
      }
    });

    test('is an address whose callers are unknown or forge, and who is known calls from it all the same', async () => {
      const agent = await world.newAgent();
      const key = { Authorization: `Bearer ak_test_${'x'.repeat(32)}` };
      const forged = { ...signedBy(agent), messageId: 'altered' };
      const stranger = signedBy(makePeer());
      const attempts: readonly (readonly [string, (headers: Record<string, string>) => Promise<string>])[] = [
        ['an unknown key', async (headers) => (await send(taskMessage({}), { ...headers, ...key })).told],
        ['no credential', async (headers) => (await send(taskMessage({}), headers)).told],
        ['a forged message', async (headers) => (await send(forged, headers)).told],
        ['the message of an unknown agent', async (headers) => (await send(stranger, headers)).told],
        ['a malformed message', async (headers) => (await send({ role: 'stranger' }, headers)).told],
        ['an unknown key over MCP', async (headers) => String((await visit({ ...headers, ...key })).status)],
        ['no credential over MCP', async (headers) => String((await visit(headers)).status)],
      ];
      for (const [at, [what, attempt]] of attempts.entries()) {
        const here = from(`192.0.2.${at + 1}`);
        for (let call = 0; call < BURST; call += 1) assert.match(await attempt(here), /^(401|200 -32602)/, what);
        assert.match(await attempt(here), /^429( -32092)?$/, what);
        assert.match(String((await visit(here)).status), /^429$/, `${what}, and then over MCP`);
      }
      assert.equal((await send(signedBy(agent), from('192.0.2.1'))).told, '200 ok');
    });
  });
}
