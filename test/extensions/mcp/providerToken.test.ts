/** At the MCP endpoint the identity provider's own tokens are taken: those meant for it, of people who are known here. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SignJWT } from 'jose';
import { openLogin } from '../../../src/domain/access/startLogin.ts';
import { everyEngine } from '../../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identityProvider.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const [sqlite] = everyEngine();

describe('a token of the identity provider', () => {
  let world: World;
  let provider: IdentityProvider;
  let resource: string;
  before(async () => {
    provider = await startIdentityProvider('http://localhost:1/ap2/auth/callback');
    world = await makeWorld(sqlite as NonNullable<typeof sqlite>, provider.env);
    resource = `${world.node.baseUrl}/mcp`;
    const person = { issuer: provider.issuer, email: null, emailVerified: false };
    // The first person of a sandbox is its owner, and the second one looks on.
    await openLogin(world.node.deps, { ...person, subject: 'alice' });
    await openLogin(world.node.deps, { ...person, subject: 'bob' });
  });
  after(async () => {
    await world.close();
    await provider.stop();
  });

  const ask = async (token: string, name: string, input: object) => {
    const params = { name, arguments: input };
    const response = await fetch(`${world.node.address}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const text = await response.text();
    const data = /^data: (.+)$/m.exec(text)?.[1] ?? text;
    return { status: response.status, headers: response.headers, body: JSON.parse(data) as Loose };
  };

  test('acts by the role of its person, and hosts are told of the provider', async () => {
    const metadata = await (await fetch(`${world.node.address}/.well-known/oauth-protected-resource/mcp`)).json();
    assert.deepEqual((metadata as Loose).authorization_servers, [provider.issuer]);
    const alice = await ask(await provider.accessToken('alice', resource), 'list_purchases', {});
    assert.equal(alice.status, 200, JSON.stringify(alice.body));
    assert.deepEqual(alice.body.result.structuredContent.data, []);
    const intent = { maxAmount: 10, currency: 'USD', agentDid: world.agent.did };
    const bob = await ask(await provider.accessToken('bob', resource), 'request_intent', intent);
    assert.match(bob.body.result.content[0].text, /^FORBIDDEN: /);
  });

  test('is refused for another audience, too late, of a stranger, and with any other signature', async () => {
    const secret = new TextEncoder().encode('a secret of a stranger, long enough');
    const forged = new SignJWT({ iss: provider.issuer, sub: 'alice', aud: resource })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setExpirationTime('1m')
      .sign(secret);
    const tokens = {
      'another audience': provider.accessToken('alice', world.node.baseUrl),
      'too late': provider.accessToken('alice', resource, { exp: Math.floor(Date.now() / 1000) - 1 }),
      'no end': provider.accessToken('alice', resource, { exp: undefined }),
      'an ID token': provider.accessToken('alice', resource, {}, 'JWT'),
      'an ID token by another name': provider.accessToken('alice', resource, { nonce: 'of a login' }),
      'several audiences': provider.accessToken('alice', [resource, 'https://other.example'] as never),
      'a stranger': provider.accessToken('mallory', resource),
      'another key': forged,
      'no signature': Promise.resolve(
        `${(await provider.accessToken('alice', resource)).split('.').slice(0, 2).join('.')}.`,
      ),
    };
    for (const [name, token] of Object.entries(tokens)) {
      const { status, headers } = await ask(await token, 'list_purchases', {});
      assert.equal(status, 401, name);
      assert.match(String(headers.get('www-authenticate')), /^Bearer resource_metadata=/);
    }
  });

  test('permits what both the role of its person and its scope do', async () => {
    const intent = { maxAmount: 10, currency: 'USD', agentDid: world.agent.did };
    for (const [scope, refused] of [
      ['read', /^FORBIDDEN: .*"write"/],
      ['openid email', /^FORBIDDEN: /],
      [undefined, /^FORBIDDEN: /],
    ] as const) {
      const { body } = await ask(await provider.accessToken('alice', resource, { scope }), 'request_intent', intent);
      assert.match(body.result.content[0].text, refused, String(scope));
    }
    const reads = await ask(await provider.accessToken('alice', resource, { scope: 'read' }), 'list_purchases', {});
    assert.deepEqual(reads.body.result.structuredContent.data, []);
    const writes = await ask(
      await provider.accessToken('alice', resource, { scope: 'openid write' }),
      'request_intent',
      intent,
    );
    assert.equal(writes.body.result.isError, undefined, JSON.stringify(writes.body));
  });

  test('opens nothing but the MCP endpoint', async () => {
    const headers = { Authorization: `Bearer ${await provider.accessToken('alice', resource)}` };
    const { status } = await world.rest('GET', '/ap2/payments', undefined, headers);
    assert.equal(status, 401);
  });
});
