/** A provider's answer is believed only when every part of it holds. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { Fault } from '../../protocol/wire/fault.ts';
import { isLoopback } from '../../src/access/clientAddress.ts';
import { type LoginProvider, loginProvider } from '../../src/access/loginProvider.ts';
import { type FalseProvider, type Signers, startFalseProvider } from '../support/falseProvider.ts';
import { listen, stop } from '../support/identityProvider.ts';

const REDIRECT = 'http://localhost:8402/ap2/auth/callback';
const newSecret = () => randomBytes(32).toString('base64url');

function providerAt(issuer: string, loopbackHttp = true): LoginProvider {
  const settings = { issuer, clientId: 'countersign', clientSecret: 'secret', redirectUri: REDIRECT, loopbackHttp };
  return loginProvider(settings, newSecret, () => {});
}

const refusedAs = (code: string) => (error: unknown) => (error as Fault).code === code;

describe('an ID token', () => {
  let provider: FalseProvider;
  let login: LoginProvider;
  before(async () => {
    provider = await startFalseProvider();
    login = providerAt(provider.issuer);
  });
  after(() => provider.stop());

  type Claims = Parameters<FalseProvider['idToken']>[0];
  async function finishWith(idToken: (honest: Claims, sign: Signers) => Promise<string>, callback = '') {
    const { attempt } = await login.begin();
    provider.nonce = attempt.nonce;
    provider.idToken = idToken;
    return login.finish(`?code=given&state=${attempt.state}${callback}`, attempt);
  }

  test('that is honest names the person', async () => {
    const person = await finishWith((honest, sign) => sign.own(honest));
    assert.deepEqual(person, {
      issuer: provider.issuer,
      subject: 'mallory',
      email: 'm@x.example',
      emailVerified: false,
    });
  });

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const seconds = () => Math.floor(Date.now() / 1000);
  const forgeries: Record<string, (honest: Claims, sign: Signers) => Promise<string>> = {
    'signed with a key that the provider does not publish': (honest, sign) => sign.foreign(honest),
    'not signed at all': async (honest) => `${encode({ alg: 'none' })}.${encode(honest)}.`,
    'whose claims were changed after it was signed': async (honest, sign) => {
      const [head, , signature] = (await sign.own(honest)).split('.');
      return `${head}.${encode({ ...honest, sub: 'alice' })}.${signature}`;
    },
    'for another nonce': (honest, sign) => sign.own({ ...honest, nonce: 'of another login' }),
    'without a nonce': (honest, sign) => sign.own({ ...honest, nonce: undefined }),
    'for another client': (honest, sign) => sign.own({ ...honest, aud: 'another client' }),
    'of another issuer': (honest, sign) => sign.own({ ...honest, iss: 'https://elsewhere.example' }),
    'that has expired': (honest, sign) => sign.own({ ...honest, iat: seconds() - 7200, exp: seconds() - 3600 }),
    'without a subject': ({ sub: _, ...honest }, sign) => sign.own(honest),
    'that is no token': async () => 'nonsense',
    'whose subject is longer than one may be': (honest, sign) => sign.own({ ...honest, sub: 'x'.repeat(256) }),
  };
  for (const [kind, forge] of Object.entries(forgeries)) {
    test(`${kind} is refused`, async () => {
      await assert.rejects(finishWith(forge), refusedAs('UNAUTHORIZED'));
    });
  }

  test('gives no address that is longer than one may be', async () => {
    const email = `${'x'.repeat(300)}@x.example`;
    const person = await finishWith((honest, sign) => sign.own({ ...honest, email, email_verified: true }));
    assert.deepEqual([person.email, person.emailVerified], [null, false]);
  });

  test('is not even asked for when the state differs, is missing or comes twice', async () => {
    const { attempt } = await login.begin();
    let asked = 0;
    provider.idToken = async (honest, sign) => {
      asked += 1;
      return sign.own(honest);
    };
    const queries = ['?code=x', '?code=x&state=other', `?code=x&state=${attempt.state}&state=other`, '', '?'];
    for (const query of queries) await assert.rejects(login.finish(query, attempt), refusedAs('UNAUTHORIZED'), query);
    assert.equal(asked, 0);
  });
});

describe('an ID token and an access token by an Ed25519 key', () => {
  for (const jwk of [undefined, 'EdDSA', 'Ed25519']) {
    for (const header of ['EdDSA', 'Ed25519']) {
      for (const listed of ['EdDSA', 'Ed25519']) {
        test(`hold where the key says ${jwk}, the token ${header} and the metadata ${listed}`, async (t) => {
          const provider = await startFalseProvider({ header, jwk, listed });
          t.after(() => provider.stop());
          const login = providerAt(provider.issuer);
          const { attempt } = await login.begin();
          provider.nonce = attempt.nonce;
          let signed = '';
          provider.idToken = async ({ nonce: _, ...honest }, sign) => {
            signed = await sign.own({ ...honest, aud: 'a resource' }, 'at+jwt');
            return sign.own({ ...honest, nonce: attempt.nonce });
          };
          const person = await login.finish(`?code=given&state=${attempt.state}`, attempt);
          assert.equal(person.subject, 'mallory');
          assert.equal((await login.verify(signed, 'a resource', Date.now())).subject, 'mallory');
          provider.idToken = (honest, sign) => sign.foreign({ ...honest, nonce: attempt.nonce });
          await assert.rejects(login.finish(`?code=given&state=${attempt.state}`, attempt), refusedAs('UNAUTHORIZED'));
        });
      }
    }
  }
});

describe('a provider', () => {
  test('that is down is unavailable, and used once it is up', async () => {
    const server = createServer();
    const issuer = await listen(server);
    const login = providerAt(issuer);
    server.on('request', (_request, response) => response.writeHead(500).end());
    await assert.rejects(login.begin(), refusedAs('UNAVAILABLE'));
    server.removeAllListeners('request');
    server.on('request', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` }));
    });
    assert.equal((await login.begin()).url.origin, issuer);
    await stop(server);
    await assert.rejects(providerAt(issuer).begin(), refusedAs('UNAVAILABLE'));
  });

  test('whose answer has no end is not read to its end', async () => {
    const piece = Buffer.alloc(64 * 1024, ' ');
    let written = 0;
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const write = () => {
        while (written < 64 * 1024 ** 2 && !response.destroyed) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    const issuer = await listen(server);
    await assert.rejects(providerAt(issuer).begin(), refusedAs('UNAVAILABLE'));
    await stop(server);
    // What was on its way when the reader left is not counted exactly.
    assert.ok(written < 16 * 1024 ** 2, `${written} bytes were read`);
  });

  test('on this machine needs https all the same in production', async () => {
    const provider = await startFalseProvider();
    await assert.rejects(providerAt(provider.issuer, false).begin());
    await provider.stop();
  });

  test('that says it is another issuer is not used', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify({ issuer: 'https://elsewhere.example', authorization_endpoint: 'https://x.example' }),
      );
    });
    const issuer = await listen(server);
    await assert.rejects(providerAt(issuer).begin(), refusedAs('UNAUTHORIZED'));
    await stop(server);
  });

  test('elsewhere cannot be reached without https, even in the sandbox', async () => {
    await assert.rejects(providerAt('http://provider.example').begin(), refusedAs('UNAUTHORIZED'));
  });
});

test('only addresses of this machine are loopback', () => {
  for (const url of ['http://localhost:1', 'http://127.0.0.1', 'http://127.9.9.9:80/x', 'http://[::1]:3']) {
    assert.equal(isLoopback(url), true, url);
  }
  for (const url of ['http://localhost.example', 'http://127.0.0.1.example', 'http://10.0.0.1', 'http://0.0.0.0']) {
    assert.equal(isLoopback(url), false, url);
  }
});
