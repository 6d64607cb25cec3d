/** docs/reference/credentials.md: the worked example byte by byte, by the standards alone and by the client. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, sign } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { agentOf, type Offer, signCart } from '../../client/index.ts';
import { type Json, jcs, makePeer } from '../support/peer.ts';
import { blocksOf } from '../support/snippets.ts';
import type { Loose } from '../support/world.ts';

describe('docs/reference/credentials.md', () => {
  let folder: string;
  let page: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-credentials-'));
    page = await readFile('docs/reference/credentials.md', 'utf8');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const cartOnPage = (): Loose => JSON.parse(blocksOf(page, 'json')[0] ?? '');
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const lines = (hex: string) => `${hex.match(/.{1,64}/g)?.join('\n')}\n`;

  test('the worked example is right, by the standards alone', () => {
    const { proof, ...document } = cartOnPage();
    const { jws, ...options } = proof;
    const [seed = ''] = blocksOf(page, 'text');
    const peer = makePeer(Buffer.from(seed.trim(), 'hex'));
    const [header, , signature] = jws.split('.');
    assert.equal(Buffer.from(header, 'base64url').toString(), '{"alg":"EdDSA","b64":false,"crit":["b64"]}');
    const hashes = [sha256(jcs(options)), sha256(jcs(document as Json))];
    const input = Buffer.concat([Buffer.from(`${header}.`), ...hashes.map((hash) => Buffer.from(hash, 'hex'))]);
    assert.deepEqual([input.length, input.indexOf(0x2e), header.length], [121, 56, 56]);
    assert.ok(page.includes(`build these ${input.length} bytes`) && page.includes(`without padding: \`${header}\``));
    const signed = sign(null, input, peer.privateKey);
    assert.equal(signed.toString('base64url'), signature);
    assert.equal(document.issuer, peer.did);
    assert.deepEqual(blocksOf(page, 'text'), [
      seed,
      `${jcs(options)}\n`,
      `${hashes[0]}\n`,
      `${jcs(document as Json)}\n`,
      `${hashes[1]}\n`,
      lines(input.toString('hex')),
      lines(signed.toString('hex')),
      `${jws}\n`,
    ]);
  });

  test('the client signs the same bytes', () => {
    const cart = cartOnPage();
    const [seed = ''] = blocksOf(page, 'text');
    const { merchant: domain, total: _total, ...offer } = cart.credentialSubject;
    const options = { id: cart.id, now: new Date(cart.issuanceDate) };
    const signed = signCart(agentOf(Buffer.from(seed.trim(), 'hex')), { domain, ...offer } as Offer, options);
    assert.deepEqual(signed, cart);
  });

  test('its verifier says true of the cart, and false of one that was changed by a cent', async () => {
    const [verifier = ''] = blocksOf(page, 'js');
    await writeFile(join(folder, 'verify.mjs'), verifier);
    const cart = cartOnPage();
    for (const [price, holds] of [
      [12.5, 'true\n'],
      [12.51, 'false\n'],
    ] as const) {
      cart.credentialSubject.items[0].price = price;
      await writeFile(join(folder, 'cart.json'), JSON.stringify(cart));
      const { stdout } = await promisify(execFile)(process.execPath, ['verify.mjs'], { cwd: folder });
      assert.equal(stdout, holds);
    }
  });
});
