/** A message of standard A2A stands for its signer, and a proof for its request: what is forged, taken along or too old does nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DID_PROOF, normalForm } from '../../protocol/a2a/normalForm.ts';
import { everyEngine } from '../support/engines.ts';
import { type JsonObject, makeDidProof, makePeer, type Peer, prove } from '../support/peer.ts';
import { BY_KEY, callStandard, resultOf, signedMessage, taskMessage } from '../support/standardPeer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a forged message on ${engine.name}`, () => {
    let world: World;
    let agent: Peer;
    let gone: Peer;
    before(async () => {
      world = await makeWorld(engine);
      agent = await world.newAgent('is imitated');
      gone = await world.newAgent('was revoked');
      const revoked = await world.rest('POST', `/ap2/admin/agents/${gone.did}/revoke`, { reason: 'stolen' });
      assert.equal(revoked.status, 200);
    });
    after(() => world.close());

    const messageFor = (buyer: Peer) => taskMessage({ 'countersign.intent': world.intentBody(5, { agent: buyer }) });
    const intents = async (): Promise<number> => (await world.rest('GET', '/ap2/intents?limit=200')).body.data.length;

    /** Sends what must be refused, and must have done nothing. */
    async function refused(
      what: string,
      [status, code]: readonly [number, number],
      message: Loose,
      headers: Record<string, string> = {},
    ): Promise<void> {
      const before = await intents();
      const answer = await callStandard(world, 'SendMessage', { message }, headers);
      assert.deepEqual(
        [answer.status, answer.body.error?.code],
        [status, code],
        `${what}: ${JSON.stringify(answer.body)}`,
      );
      if (status === 401) assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer /, what);
      assert.equal(await intents(), before, what);
    }
    const UNPROVEN = [401, -32090] as const;
    const FOREIGN = [403, -32091] as const;

    /** The message with the extension as a forger makes it. */
    function withExtension(message: Loose, parties: object, signer: Peer): Loose {
      const unsigned = { ...message, metadata: { [DID_PROOF]: parties } };
      const { proof } = prove(signer, normalForm(unsigned) as JsonObject, 'authentication');
      return { ...unsigned, metadata: { [DID_PROOF]: { ...parties, proof } } };
    }

    test('that is altered, cut, or signed by, for or as another agent is refused', async () => {
      const to = world.node.deps.issuer.did;
      const signed = signedMessage(world, agent, messageFor(agent));
      const proof = signed.metadata[DID_PROOF].proof;
      const stranger = makePeer();
      const parts = messageFor(agent).parts;
      const more = [...signed.parts, { text: 'and pay at once' }];
      const forged: Readonly<Record<string, Loose>> = {
        'without a proof': messageFor(agent),
        'with an empty extension': { ...signed, metadata: { [DID_PROOF]: {} } },
        'with half an extension': { ...signed, metadata: { [DID_PROOF]: { from: agent.did, to } } },
        'with a proof that is no object': { ...signed, metadata: { [DID_PROOF]: { from: agent.did, to, proof: 'x' } } },
        'with other parts': { ...signed, parts: [{ data: { 'countersign.intent': world.intentBody(6, { agent }) } }] },
        'with one part more': { ...signed, parts: more },
        'under another id': { ...signed, messageId: 'another' },
        'in another context': { ...signed, contextId: 'another' },
        'for another task': { ...signed, taskId: 'task_another' },
        'with a member that is not signed': { ...signed, referenceTaskIds: ['task_1'] },
        'with a proof outside of the extension': { ...signed, proof },
        'with more in its metadata': { ...signed, metadata: { ...signed.metadata, more: 1 } },
        'for another node': withExtension(messageFor(agent), { from: agent.did, to: stranger.did }, agent),
        'as another agent': withExtension(messageFor(agent), { from: agent.did, to }, stranger),
        'by an agent that is not registered': signedMessage(world, stranger, messageFor(stranger)),
        'by an agent that was revoked': signedMessage(world, gone, messageFor(gone)),
        'five minutes ago': signedMessage(world, agent, messageFor(agent), new Date(Date.now() - 301_000)),
        'two minutes ahead': signedMessage(world, agent, messageFor(agent), new Date(Date.now() + 120_000)),
      };
      assert.deepEqual(parts.length, 1);
      for (const [what, message] of Object.entries(forged)) await refused(what, UNPROVEN, message);
      // A credential of the request does not make good what the message claims.
      for (const what of ['with other parts', 'as another agent', 'for another node', 'five minutes ago']) {
        await refused(`${what}, with a key`, UNPROVEN, forged[what], BY_KEY);
      }
      const { task } = await resultOf(world, 'SendMessage', { message: signed }, {});
      assert.equal(task.status.state, 'TASK_STATE_COMPLETED', 'the genuine one is taken');
    });

    test('that one agent signs and another brings is refused, and so is one for another agent', async () => {
      const other = await world.newAgent('brings it');
      const signed = signedMessage(world, agent, messageFor(agent));
      const proven = provenBy(other, 'SendMessage', { message: signed });
      await refused('with the proof of another agent', FOREIGN, signed, proven);
      const given = { name: 'of the other', permissions: ['read', 'write'], agents: [other.did] };
      const { key } = (await world.rest('POST', '/ap2/admin/api-keys', given)).body;
      await refused('with a key for another agent', FOREIGN, signed, { Authorization: `Bearer ${key}` });
      await refused('for another agent', FOREIGN, signedMessage(world, other, messageFor(agent)));
      const theirs = messageFor(agent);
      await refused(
        'for another, by X-DID-Proof',
        FOREIGN,
        theirs,
        provenBy(other, 'SendMessage', { message: theirs }),
      );
      await refused('with both credentials', [200, -32602], signed, { ...BY_KEY, ...proven });
    });

    const provenBy = (by: Peer, method: string, params: object, overrides: JsonObject = {}, path = '/a2a/v1') => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 'call-1', method, params });
      const request = { baseUrl: world.node.baseUrl, method: 'POST', path, body };
      return { 'X-DID-Proof': makeDidProof(by, request, overrides) };
    };

    test('with a proof for another request, of an unknown agent, or used before is refused', async () => {
      const message = messageFor(agent);
      const params = { message };
      const now = Math.floor(Date.now() / 1000);
      const forged: Readonly<Record<string, Record<string, string>>> = {
        'for another path': provenBy(agent, 'SendMessage', params, {}, '/ap2/intents'),
        'for the own dialect’s path': provenBy(agent, 'SendMessage', params, {}, '/a2a/gateway'),
        'for another body': provenBy(agent, 'SendMessage', { message: messageFor(agent) }),
        'for another method': provenBy(agent, 'SendMessage', params, { htm: 'GET' }),
        'for another node': provenBy(agent, 'SendMessage', params, { aud: 'https://elsewhere.example' }),
        'of six minutes ago': provenBy(agent, 'SendMessage', params, { iat: now - 360 }),
        'of an agent that is not registered': provenBy(makePeer(), 'SendMessage', params),
        'of an agent that was revoked': provenBy(gone, 'SendMessage', params),
        'that is malformed': { 'X-DID-Proof': 'x.y.z' },
        'of another DID than X-Agent-DID says': {
          ...provenBy(agent, 'SendMessage', params),
          'X-Agent-DID': world.agent.did,
        },
      };
      for (const [what, headers] of Object.entries(forged)) await refused(what, UNPROVEN, message, headers);
      const genuine = provenBy(agent, 'SendMessage', params);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => callStandard(world, 'SendMessage', params, genuine)),
      );
      const codes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? 'ok'}`).sort();
      assert.deepEqual(codes, ['200 ok', ...Array.from({ length: 9 }, () => '401 -32090')]);
    });
  });
}
