/** The gateway over WebSocket: a thousand in flight, one proof for a socket, and every limit with its close code. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { everyEngine } from '../support/engines.ts';
import { type JsonObject, makeDidProof, makeMessage, type Peer } from '../support/peer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a socket on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' } };
      await world.rest('POST', '/ap2/admin/policies', { name: 'open', rules });
    });
    after(() => world.close());

    const url = () => `${world.node.address.replace('http', 'ws')}/a2a/gateway`;
    const open = (headers: Record<string, string> = {}) =>
      new Promise<WebSocket>((resolve, reject) => {
        const socket = new WebSocket(url(), { headers });
        socket.once('open', () => resolve(socket));
        socket.once('error', reject);
      });
    const proofFor = (peer: Peer) =>
      makeDidProof(peer, { baseUrl: world.node.baseUrl, method: 'GET', path: '/a2a/gateway', body: '' });
    const closing = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));
    const intent = (id: string, sign: boolean): JsonObject => {
      const body = world.intentBody(1);
      const content = { type: 'IntentMandate', to: world.node.deps.issuer.did, body, id };
      const { proof, ...rest } = makeMessage(world.agent, content);
      const message: JsonObject = sign ? { ...rest, proof: proof as JsonObject } : rest;
      return { jsonrpc: '2.0', id, method: 'a2a/message', params: { message } };
    };
    const answers = (socket: WebSocket, count: number) =>
      new Promise<Loose[]>((resolve) => {
        const seen: Loose[] = [];
        socket.on('message', (data) => {
          seen.push(JSON.parse(data.toString()));
          if (seen.length === count) resolve(seen);
        });
      });

    test('answers 1,000 messages in flight, each under its id', async () => {
      const socket = await open();
      const all = answers(socket, 1000);
      const ids = Array.from({ length: 1000 }, (_, i) => `flight-${i}`);
      for (const id of ids) socket.send(JSON.stringify(intent(id, true)));
      const seen = await all;
      assert.deepEqual(new Set(seen.map((answer) => answer.id)), new Set(ids));
      for (const answer of seen) assert.equal(answer.result?.message.inReplyTo, answer.id, JSON.stringify(answer));
      socket.close();
    });

    test('takes unsigned messages and session methods when the upgrade carried a proof, which serves once', async () => {
      const headers = { 'X-DID-Proof': proofFor(world.agent) };
      const socket = await open(headers);
      const two = answers(socket, 2);
      socket.send(JSON.stringify(intent('unsigned', false)));
      const params = { contextId: `ws-${engine.name}`, agentDid: world.agent.did, userDid: world.principal.did };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 's', method: 'a2a/session.create', params }));
      for (const answer of await two) assert.ok(answer.result, JSON.stringify(answer));
      await assert.rejects(open(headers), /401/);
      socket.close();
      const bare = await open();
      const one = answers(bare, 1);
      bare.send(JSON.stringify(intent('unvouched', false)));
      assert.equal((await one)[0].error.code, -32001);
      bare.close();
    });

    test('closes 1003 on a binary frame, 1009 on one too long, and answers what is no JSON', async () => {
      const binary = await open();
      binary.send(Buffer.from('{}'));
      assert.equal(await closing(binary), 1003);
      const long = await open();
      long.on('error', () => {});
      long.send('x'.repeat(300_000));
      assert.equal(await closing(long), 1009);
      const broken = await open();
      const one = answers(broken, 1);
      broken.send('{');
      assert.equal((await one)[0].error.code, -32700);
      broken.close();
    });

    test('lets a DID hold 32 sockets and no more, and no other path be upgraded', async () => {
      const peer = await world.newAgent();
      const sockets = await Promise.all(Array.from({ length: 32 }, () => open({ 'X-DID-Proof': proofFor(peer) })));
      await assert.rejects(open({ 'X-DID-Proof': proofFor(peer) }), /429/);
      for (const socket of sockets) socket.close();
      const elsewhere = new WebSocket(`${world.node.address.replace('http', 'ws')}/elsewhere`);
      await assert.rejects(new Promise((_, reject) => elsewhere.once('error', reject)), /404/);
    });
  });
}

test('a node that stops answers what is in flight and closes 1001', async () => {
  const world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  const socket = new WebSocket(`${world.node.address.replace('http', 'ws')}/a2a/gateway`);
  await new Promise((resolve) => socket.once('open', resolve));
  const answered = new Promise<string>((resolve) => socket.once('message', (data) => resolve(data.toString())));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const content = { type: 'IntentMandate', to: world.node.deps.issuer.did, body: world.intentBody(1) };
  const message = makeMessage(world.agent, content);
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a2a/message', params: { message } }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await world.close();
  assert.ok(JSON.parse(await answered).result);
  assert.equal(await closed, 1001);
});
