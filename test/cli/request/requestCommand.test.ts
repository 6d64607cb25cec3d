/** `countersign request`: the headers of a signed request, as another program sends them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, makeWorld, SHOP, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('countersign request', () => {
  let world: World;
  let folder: string;
  let intentId: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-request-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(10))).body;
    intentId = intentVc.credentialSubject.mandateId;
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (...args: string[]) =>
    runHere(args, { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });

  test('prints a header a line', async () => {
    const signed = await run('request', 'sign', intentId, 'get', `https://${SHOP}/tea`);
    assert.equal(signed.code, 0, signed.stderr);
    assert.match(
      signed.stdout,
      /^Signature-Agent: "http:\/\/localhost:\d+"\nSignature-Input: sig1=\("@method" "@authority" "@path" "signature-agent"\);.*\nSignature: sig1=:.*:\n$/,
    );
  });

  test('takes a body by its hash, the form, and the rules', async () => {
    const body = join(folder, 'order.json');
    await writeFile(body, '{"tea":1}');
    const url = `https://${SHOP}/orders`;
    const signed = await run(
      'request',
      'sign',
      intentId,
      'POST',
      url,
      '--body',
      body,
      '--form',
      'dictionary',
      '--json',
    );
    const { headers } = signed.json();
    const digest = createHash('sha256').update('{"tea":1}').digest('base64');
    assert.equal(headers['Content-Digest'], `sha-256=:${digest}:`);
    assert.match(headers['Signature-Agent'], /^sig1="/);
    const tap = await run('request', 'sign', intentId, 'GET', url, '--as', 'tap', '--json');
    assert.match(tap.json().headers['Signature-Input'], /^sig2=.*tag="agent-browser-auth"$/);
  });

  test('says why a request is not signed', async () => {
    const elsewhere = await run('request', 'sign', intentId, 'GET', 'https://evil.example/');
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.stderr, /The purchase is from shop\.example: a request to evil\.example is not signed/);
  });

  test('a merchant is told to read the one form or the other', async () => {
    const bound = await run('merchant', 'bind', SHOP, '--signature-agent', 'dictionary');
    assert.match(bound.stdout, /^Signature-Agent +dictionary$/m);
    const signed = await run('request', 'sign', intentId, 'GET', `https://${SHOP}/tea`, '--json');
    assert.match(signed.json().headers['Signature-Agent'], /^sig1="/);
  });
});
