/** did:web merchants: which key of a document counts, and how often a document is fetched. */
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { buildConnector } from 'undici';
import { didWebKeys, keyIn } from '../../src/access/didWeb.ts';
import { safeClient } from '../../src/fetch/safeClient.ts';
import { CERTIFICATE, CERTIFICATE_KEY, TEST_AUTHORITY } from '../support/certificate.ts';
import { makePeer } from '../support/peer.ts';

const DID = 'did:web:merchant.example';
const peer = makePeer();
const other = makePeer();
const multibase = peer.did.slice('did:key:'.length);
const x = peer.privateKey.export({ format: 'jwk' }).x as string;

const method = (id: string, key: object) => ({ id: `${DID}#${id}`, type: 'Multikey', controller: DID, ...key });
const documentOf = (methods: object[], assertionMethod: unknown[]) =>
  JSON.stringify({ '@context': 'https://www.w3.org/ns/did/v1', id: DID, verificationMethod: methods, assertionMethod });

describe('the key of a did:web', () => {
  test('is read in each spelling of an Ed25519 key', () => {
    for (const key of [
      { publicKeyMultibase: multibase },
      { publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x } },
      { publicKeyBase58: peer.publicKey },
    ]) {
      assert.equal(keyIn(documentOf([method('a', key)], [`${DID}#a`]), DID), peer.did);
      assert.equal(keyIn(documentOf([method('a', key)], ['#a']), DID), peer.did);
      assert.equal(keyIn(documentOf([], [method('a', key)]), DID), peer.did, 'written where it is referred to');
    }
  });

  test('is the first that may make assertions', () => {
    const methods = [
      method('login', { publicKeyMultibase: other.did.slice('did:key:'.length) }),
      method('p256', { publicKeyJwk: { kty: 'EC', crv: 'P-256', x, y: x } }),
      method('broken', { publicKeyMultibase: 'z6Mkbroken' }),
      method('sign', { publicKeyMultibase: multibase }),
    ];
    const references = [`${DID}#none`, `${DID}#p256`, `${DID}#broken`, `${DID}#sign`, `${DID}#login`];
    assert.equal(keyIn(documentOf(methods, references), DID), peer.did);
    assert.equal(keyIn(documentOf(methods, []), DID), undefined);
  });

  test('is not taken from another DID’s document, nor from anything else', () => {
    const good = documentOf([method('a', { publicKeyMultibase: multibase })], [`${DID}#a`]);
    assert.equal(keyIn(good, 'did:web:other.example'), undefined);
    assert.equal(keyIn('[]', DID), undefined);
    assert.equal(keyIn('{"id":1}', DID), undefined);
    const identity = { publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: `AQ${'A'.repeat(41)}` } };
    assert.equal(keyIn(documentOf([method('a', identity)], ['#a']), DID), undefined, 'a key of low order');
  });

  test('is fetched once in five minutes, and after a failure once in thirty seconds', async () => {
    let now = 0;
    let asked = 0;
    let text: string | undefined;
    const keyOf = didWebKeys(
      async (url) => {
        asked += 1;
        assert.equal(url.href, 'https://merchant.example/.well-known/did.json');
        return text;
      },
      () => now,
    );
    assert.deepEqual(await Promise.all([keyOf(DID), keyOf(DID)]), [undefined, undefined]);
    assert.equal(asked, 1, 'two at once share one question');
    now = 29_000;
    text = documentOf([method('a', { publicKeyMultibase: multibase })], ['#a']);
    assert.equal(await keyOf(DID), undefined);
    now = 31_000;
    assert.equal(await keyOf(DID), peer.did);
    text = undefined;
    now = 31_000 + 299_000;
    assert.equal(await keyOf(DID), peer.did);
    assert.equal(asked, 2);
    now += 2000;
    assert.equal(await keyOf(DID), undefined, 'a key that was taken back is trusted no longer');
  });

  test('is not looked for at ports, paths, addresses and single words', async () => {
    const keyOf = didWebKeys(
      async () => assert.fail('nothing may be fetched'),
      () => 0,
    );
    for (const rest of [
      'merchant.example%3A8443',
      'merchant.example:8443',
      'merchant.example:user:alice',
      'merchant.example/x',
      '127.0.0.1',
      'localhost',
      '[::1]',
      'user@merchant.example',
      'merchant.example?x',
      'merchant.example#x',
      '',
      '.',
      'a..b',
      '2130706433',
      'Merchant.Example',
      'merchant.example.',
      `${'a'.repeat(64)}.example`,
    ]) {
      assert.equal(await keyOf(`did:web:${rest}`), undefined, rest);
    }
    assert.equal(await keyOf(peer.did), undefined);
  });

  test('comes over HTTPS from the domain itself, without redirects', async () => {
    const signed = documentOf([method('a', { publicKeyMultibase: multibase })], ['#a']);
    let redirect = false;
    const server = createServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (request, response) => {
      if (redirect) response.writeHead(302, { location: 'https://merchant.example/elsewhere' }).end();
      else if (request.url === '/.well-known/did.json') response.end(signed);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const dial = buildConnector({ ca: TEST_AUTHORITY });
    const client = safeClient({
      timeoutMs: 2000,
      maxAnswerBytes: 10_000,
      allowPrivate: false,
      resolve: async () => ['93.184.216.34'],
      dial: (target, callback) => dial({ ...target, httpSocket: connect(port, '127.0.0.1') }, callback),
    });
    let now = 0;
    const keyOf = didWebKeys(
      async (url) => {
        const { status, answer } = await client.exchange({ method: 'GET', url, headers: {} });
        return status === 200 ? answer.toString('utf8') : undefined;
      },
      () => now,
    );
    try {
      assert.equal(await keyOf(DID), peer.did);
      assert.equal(await keyOf('did:web:shop.merchant.example'), undefined, 'the document is another’s');
      redirect = true;
      now = 301_000;
      assert.equal(await keyOf(DID), undefined);
    } finally {
      await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
