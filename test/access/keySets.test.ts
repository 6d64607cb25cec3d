/** JSON Web Key Sets of merchants: which keys of a set count, and how often a set is fetched. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { buildConnector } from 'undici';
import { keySets } from '../../src/access/keySets.ts';
import { safeClient } from '../../src/fetch/safeClient.ts';
import { CERTIFICATE, CERTIFICATE_KEY, TEST_AUTHORITY } from '../support/certificate.ts';
import type { Loose } from '../support/world.ts';

const URL_OF_SET = 'https://merchant.example/.well-known/jwks.json';
const keyOf = (kid: string): Loose => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  kid,
});
const setOf = (...keys: unknown[]) => JSON.stringify({ keys });

describe('a set of keys', () => {
  test('gives the keys that have an id, and passes over what cannot verify', async () => {
    const [a, b] = [keyOf('a'), keyOf('b')];
    const secret = { kty: 'oct', k: 'AAAA', kid: 'a' };
    const broken = { ...keyOf('a'), y: a.x };
    const text = setOf(
      null,
      'x',
      secret,
      broken,
      { ...keyOf('a'), use: 'enc' },
      b,
      { ...a, x5t: 'thumb' },
      { ...a, kid: undefined },
    );
    const find = keySets(
      async () => text,
      () => 0,
    );
    assert.deepEqual(await find(URL_OF_SET, 'a'), [a]);
    assert.deepEqual(await find(URL_OF_SET, 'b'), [b]);
    assert.deepEqual(await find(URL_OF_SET, 'c'), []);
  });

  test('that is malformed has no keys', async () => {
    const twice = setOf(keyOf('a')).replace('"kid"', '"kid":"a","kid"');
    for (const text of ['', '[]', '{}', '{"keys":{}}', 'null', twice, setOf(...Array(101).fill(keyOf('a')))]) {
      const find = keySets(
        async () => text,
        () => 0,
      );
      assert.deepEqual(await find(URL_OF_SET, 'a'), [], text.slice(0, 80));
    }
  });

  test('is fetched once in five minutes, after a failure once in thirty seconds, and as rarely for ids it has not', async () => {
    let now = 0;
    let asked = 0;
    let text: string | undefined = setOf(keyOf('a'));
    const find = keySets(
      async () => {
        asked += 1;
        return text;
      },
      () => now,
    );
    const has = async (kid: string) => (await find(URL_OF_SET, kid)).length > 0;
    assert.deepEqual(await Promise.all([has('a'), has('a')]), [true, true]);
    for (let miss = 0; miss < 50; miss += 1) assert.equal(await has(`strange ${miss}`), false);
    assert.equal(asked, 1, 'ids that are not there are not looked for again at once');
    now = 31_000;
    text = setOf(keyOf('a'), keyOf('b'));
    assert.deepEqual(await Promise.all([has('b'), has('b'), has('b')]), [true, true, true]);
    assert.equal(asked, 2, 'a new key is found half a minute after the set was fetched');
    text = undefined;
    now += 299_000;
    assert.equal(await has('a'), true);
    assert.equal(asked, 2);
    now += 2000;
    assert.equal(await has('a'), false, 'a key that was taken back is trusted no longer');
    now += 29_000;
    assert.equal(await has('a'), false);
    assert.equal(asked, 3);
    text = setOf(keyOf('a'));
    now += 2000;
    assert.equal(await has('a'), true);
  });

  test('comes over HTTPS from a public address, without redirects, and is not long', async () => {
    let answer = (response: Loose) => response.end(setOf(keyOf('a')));
    const server = createServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (_request, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const dial = buildConnector({ ca: TEST_AUTHORITY });
    let resolved = '93.184.216.34';
    const client = safeClient({
      timeoutMs: 2000,
      maxAnswerBytes: 65_536,
      allowPrivate: false,
      resolve: async () => [resolved],
      dial: (target, callback) => dial({ ...target, httpSocket: connect(port, '127.0.0.1') }, callback),
    });
    const find = async () => {
      const sets = keySets(
        async (url) => {
          const { status, overlong, answer: text } = await client.exchange({ method: 'GET', url, headers: {} });
          return status === 200 && !overlong ? text.toString('utf8') : undefined;
        },
        () => 0,
      );
      return (await sets(URL_OF_SET, 'a')).length;
    };
    try {
      assert.equal(await find(), 1);
      answer = (response) => response.writeHead(302, { location: URL_OF_SET }).end();
      assert.equal(await find(), 0);
      answer = (response) => response.end(setOf(keyOf('a'), 'x'.repeat(70_000)));
      assert.equal(await find(), 0);
      answer = (response) => response.end(setOf(keyOf('a')));
      resolved = '127.0.0.1';
      await client.close();
      assert.equal(await find(), 0);
    } finally {
      await client.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
