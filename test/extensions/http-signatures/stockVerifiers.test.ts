/** The stock verifiers of Web Bot Auth, of RFC 9421 and of mppx take what a node signs; each form where it is read, and no other. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Server as Tap } from 'mppx/attestation/tap';
import { Server as WebBotAuth } from 'mppx/attestation/web-bot-auth';
import { Store } from 'mppx/server';
import { agentOf, signRequest } from '../../../client/index.ts';
import { jwkOfDid, thumbprint } from '../../../protocol/jwk/jwk.ts';
import { everyEngine } from '../../support/engines.ts';
import { seedOf } from '../../support/peer.ts';
import { installStock } from '../../support/stockPackages.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const run = promisify(execFile);
const [sqlite] = everyEngine();
const STOCK = 'test/extensions/http-signatures/stock';
const BASE_URL = 'https://node.example';
const DIRECTORY = '/.well-known/http-message-signatures-directory';
const TYPE = 'application/http-message-signatures-directory+json';

interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
}

describe('what a node signs', () => {
  let world: World;
  let intentId: string;
  before(async () => {
    world = await makeWorld(sqlite as NonNullable<typeof sqlite>, { BASE_URL });
    const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(10))).body;
    intentId = intentVc.credentialSubject.mandateId;
  });
  after(() => world.close());

  async function signed(more: object): Promise<SignedRequest> {
    const asked = { method: 'GET', url: 'https://shop.example/tea?kind=green', ...more };
    const { status, body } = await world.rest('POST', '/ap2/http-signatures', { intentId, ...asked });
    assert.equal(status, 200, JSON.stringify(body));
    return { method: asked.method, url: asked.url, headers: body.headers };
  }

  async function directory() {
    const response = await fetch(world.node.address + DIRECTORY);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=300');
    const head = await fetch(world.node.address + DIRECTORY, { method: 'HEAD' });
    assert.equal(head.headers.get('content-type'), TYPE);
    assert.match(String(head.headers.get('signature')), /^binding0=:/);
    const headers = { Signature: '', 'Signature-Input': '' };
    for (const name of ['Signature', 'Signature-Input'] as const) headers[name] = String(response.headers.get(name));
    const { keys } = (await response.json()) as { keys: Loose[] };
    return { url: BASE_URL + DIRECTORY, type: response.headers.get('content-type'), headers, keys };
  }

  const body = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:';
  const text = { profile: 'web-bot-auth', signatureAgentForm: 'string' } as const;
  const dictionary = { profile: 'web-bot-auth', signatureAgentForm: 'dictionary' } as const;

  test('is taken by web-bot-auth and http-message-signatures, and so is the directory, for its own host', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-signatures-'));
    try {
      await installStock(STOCK, folder);
      const whole = await signed(text);
      const requests = [
        whole,
        await signed({ ...text, url: 'https://shop.example/' }),
        await signed({ ...text, method: 'POST', bodyDigest: body }),
        await signed(dictionary),
        await signed({ profile: 'tap' }),
        { ...whole, url: 'https://shop.example/tea?kind=black' },
        { ...whole, url: 'https://shop.example/coffee?kind=green' },
        { ...whole, method: 'POST' },
      ];
      const child = run('node', ['verify.mjs'], { cwd: folder, timeout: 60_000 });
      child.child.stdin?.end(JSON.stringify({ requests, directory: await directory() }));
      const told = JSON.parse((await child).stdout);
      const [plain, root, withBody, asDictionary, tap, ...others] = told.verdicts;
      for (const taken of [plain, root, withBody]) {
        assert.deepEqual(taken, { 'http-message-signatures': true, 'web-bot-auth': true });
      }
      assert.equal(asDictionary['http-message-signatures'], true);
      assert.notEqual(asDictionary['web-bot-auth'], true, 'it reads the text alone');
      assert.equal(tap['http-message-signatures'], true);
      assert.equal(tap['web-bot-auth'], "tag must be 'web-bot-auth'");
      for (const other of others) {
        assert.equal(other['http-message-signatures'], false);
        assert.notEqual(other['web-bot-auth'], true);
      }
      assert.deepEqual([told.directory, told.elsewhere, told.isType], [true, false, true]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  async function verdictsOf(requests: readonly SignedRequest[], own?: Loose) {
    const [jwk] = own === undefined ? (await directory()).keys : [own];
    const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', true, ['verify']);
    const asked: Loose[] = [];
    const config = {
      nonceStore: Store.memory(),
      keyResolver: async (parameters: Loose) => {
        asked.push(parameters);
        return parameters.keyId === jwk.kid ? key : undefined;
      },
    };
    const verifiers = { tap: Tap.verifier(config as Loose), bot: WebBotAuth.verifier(config as Loose) };
    const verdicts = [];
    for (const { method, url, headers } of requests) {
      const request = new Request(url, { method, headers });
      verdicts.push([await verifiers.bot.verify(request), await verifiers.tap.verify(request)] as const);
    }
    return { verdicts: verdicts as readonly (readonly [Loose, Loose])[], asked };
  }

  test('is taken by mppx, once: web-bot-auth as a dictionary, and tap', async () => {
    const whole = await signed(dictionary);
    const looking = await signed({ profile: 'tap' });
    const { verdicts, asked } = await verdictsOf([
      whole,
      whole,
      await signed({ ...dictionary, method: 'POST', bodyDigest: body }),
      await signed(text),
      looking,
      looking,
      { ...looking, url: 'https://shop.example/coffee' },
    ]);
    const [bot, again, withBody, asText, tap, tapAgain, elsewhere] = verdicts;
    assert.equal(bot?.[0].status, 'verified', JSON.stringify(bot));
    assert.equal(bot?.[0].value.signatureAgent, BASE_URL);
    assert.equal(asked[0].signatureAgent, BASE_URL);
    assert.match(again?.[0].reason, /nonce has already been used/);
    assert.equal(withBody?.[0].status, 'verified');
    assert.match(asText?.[0].reason, /dictionary member/);
    assert.equal(tap?.[1].status, 'verified', JSON.stringify(tap));
    assert.equal(tap?.[1].value.intent, 'browse');
    assert.match(tapAgain?.[1].reason, /nonce has already been used/);
    assert.match(elsewhere?.[1].reason, /signature is invalid/);
  });

  test('is taken by mppx where the agent itself signs what the node has decided', async () => {
    const agent = agentOf(seedOf(world.agent));
    const jwk = jwkOfDid(agent.did);
    const own = { ...jwk, kid: thumbprint(agent.suite, jwk) };
    const asked = { intentId, method: 'POST', url: 'https://shop.example/orders', body: '{}' } as const;
    const bot = { ...asked, ...dictionary, signatureAgent: 'https://agent.example' } as const;
    const { body: _, ...plain } = asked;
    const requests = [
      { ...asked, headers: { ...(await signRequest(world.client, agent, bot)) } },
      { ...asked, headers: { ...(await signRequest(world.client, agent, { ...plain, profile: 'tap' })) } },
    ];
    const { verdicts } = await verdictsOf(requests, own);
    assert.equal(verdicts[0]?.[0].status, 'verified', JSON.stringify(verdicts));
    assert.equal(verdicts[0]?.[0].value.signatureAgent, 'https://agent.example');
    assert.equal(verdicts[1]?.[1].status, 'verified');
  });

  test('and of tap the query is no part: what stands in it is unsigned', async () => {
    const looking = await signed({ profile: 'tap' });
    const { verdicts } = await verdictsOf([{ ...looking, url: 'https://shop.example/tea?kind=black&amount=999' }]);
    assert.equal(verdicts[0]?.[1].status, 'verified');
  });

  test('verifies by a key that the profile of UCP has, and no other document of keys', async () => {
    const [{ kid }] = (await directory()).keys as [Loose];
    const { keys, signing_keys: former } = (await world.rest('GET', '/.well-known/ucp')).body;
    const kids = (list: Loose[]) => list.map((key) => key.kid);
    assert.ok(kids(keys).includes(kid));
    assert.ok(!kids(former).includes(kid));
    assert.ok(!kids((await world.rest('GET', '/.well-known/jwks.json')).body.keys).includes(kid));
  });
});
