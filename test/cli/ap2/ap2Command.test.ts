/** `countersign ap2 verify`: a chain in a file is taken apart hop by hop, without a node. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  AT,
  AUD,
  CHECKOUT_JWT,
  checkoutJwt,
  NONCE,
  PROVIDER,
  paymentChain,
  RANGE,
  STRANGER,
} from '../../protocol/sdjwt/chains.ts';
import { delegated, ISSUER } from '../../protocol/sdjwt/intents.ts';
import { runHere } from '../runHere.ts';

describe('countersign ap2 verify', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-ap2-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const kept = (name: string, content: string | object) => {
    const file = join(folder, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const at = ['--at', String(AT)];

  test('a chain holds by the key of a set that it names, for the verifier and the checkout that are given', async () => {
    const chain = kept('chain', `${paymentChain()}\n`);
    const key = kept('keys', { keys: [{ kty: 'OKP', kid: 'x' }, PROVIDER.jwk] });
    const checkout = ['--aud', AUD, '--nonce', NONCE, '--checkout', kept('checkout', CHECKOUT_JWT)];
    const { code, stdout } = await runHere(['ap2', 'verify', chain, '--key', key, ...checkout, ...at]);
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /^Hop 1 of 2 {2}mandate\.payment\.open\.1 {2}example\+sd-jwt, key agent-provider-key-1, 2 disclosed\n✓ header, signature/,
    );
    assert.match(stdout, /payee +Demo Merchant, https:\/\/shop\.example\.com\namount +50\.00 USD\n/);
    assert.match(stdout, /uses +one\n/);
    assert.match(stdout, /It holds\. Whether it was used before, only a ledger knows\.\n$/);
  });

  test('what was not compared is said', async () => {
    const { code, stdout } = await runHere([
      'ap2',
      'verify',
      kept('chain', paymentChain()),
      '--key',
      kept('key', PROVIDER.jwk),
      ...at,
    ]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /Not compared with what you expect: aud \(--aud\), nonce \(--nonce\), the checkout \(--checkout/,
    );
  });

  test('each thing that does not hold has its hop, a sentence, a code and the clause; the exit code is 1', async () => {
    const body = { token: paymentChain([{ ...RANGE, max: 4000 }]), trustedJwk: PROVIDER.jwk, at: AT };
    const other = ['--checkout', kept('other', checkoutJwt([]))];
    const { code, stdout } = await runHere(['ap2', 'verify', kept('body', body), ...other]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /✗ 50\.00 USD is more than 40\.00 USD, the most that is allowed\. AMOUNT_OVER_CAP; AP2 v0\.2, Payment Mandate: Amount Range/,
    );
    assert.match(
      stdout,
      /What it is for\n✗ It is for another checkout than the checkout JWT that was given\. CHECKOUT_MISMATCH/,
    );
    const strange = await runHere(['ap2', 'verify', kept('body', body), '--key', kept('stranger', STRANGER.jwk)]);
    assert.match(strange.stdout, /✗ Its signature is not by the trusted key\. MANDATE_INVALID; RFC 7515 section 5\.2/);
  });

  test('answers in JSON as the node does', async () => {
    const body = { token: paymentChain(), trustedJwk: PROVIDER.jwk, at: AT };
    const { code, json } = await runHere(['ap2', 'verify', kept('body', body), '--json']);
    assert.equal(code, 0);
    const { valid, kind, hops, limits } = json();
    assert.deepEqual([valid, kind, hops.length, limits[0].isSingleUse], [true, 'payment', 2, true]);
  });

  test('a purchase of Verifiable Intent is told by its layers', async () => {
    const body = { profile: 'vi', ...delegated(), at: AT };
    const { code, stdout } = await runHere([
      'ap2',
      'verify',
      kept('vi', body),
      '--key',
      kept('issuer', { keys: [ISSUER.jwk] }),
    ]);
    assert.equal(code, 0, stdout);
    assert.deepEqual(stdout.match(/^L\d\w?(?= )/gm), ['L1', 'L2', 'L3a', 'L2', 'L3b']);
    assert.match(stdout, /^L1 {2}https:\/\/credentials\.example\/card {2}sd\+jwt, key card-issuer-1, 1 disclosed$/m);
  });

  const WRONG: Readonly<Record<string, readonly [content: string | object, options: string[], sentence: RegExp]>> = {
    'a file without a chain': ['words', [], /is no chain of SD-JWTs: of token 1, an SD-JWT ends with a tilde/],
    'an empty file': ['\n', [], /is empty; it must hold a chain/],
    'JSON that is none': ['{', [], /neither a chain nor JSON/],
    'a body without a token': [{}, [], /token is missing/],
    'a body with a misspelt member': [{ token: 'x', nonse: 'y' }, [], /nonse is not a known member/],
    'a time that is none': [paymentChain(), ['--at', 'yesterday'], /--at yesterday is no time/],
    'a number that is none of seconds': [paymentChain(), ['--at', '-5'], /--at -5 is no time/],
  };
  for (const [name, [content, options, sentence]] of Object.entries(WRONG)) {
    test(`${name} is wrong use`, async () => {
      const { code, stderr } = await runHere(['ap2', 'verify', kept('wrong', content), ...options]);
      assert.equal(code, 2);
      assert.match(stderr, sentence);
    });
  }
});
