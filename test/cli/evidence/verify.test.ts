/** `countersign evidence verify`, and what docs/explanation/evidence.md says about checking evidence elsewhere. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { signDocument } from '../../../protocol/credential/proof.ts';
import { originOf, signCheckpoint } from '../../../protocol/evidence/log/checkpoint.ts';
import { makeCheckpoint } from '../../../src/domain/checkpoints/makeCheckpoint.ts';
import { cartContents, makeAp2Merchant } from '../../support/ap2.ts';
import { everyEngine } from '../../support/engines.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { makeWorld, SHOP, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const noPython = spawnSync('python3', ['--version']).status === 0 ? false : 'there is no python3 here';

describe('evidence outside the node', () => {
  let world: World;
  let folder: string;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    folder = await mkdtemp(join(tmpdir(), 'countersign-evidence-'));
    const mandateId = mandateIdOf(await purchase(world, 20));
    const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    await keep('bundle.json', (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`)).text);
    await keep('kept.txt', (await makeCheckpoint(world.node.deps, world.node.tenantId))?.note ?? '');
    await keep('export.json', (await world.rest('GET', '/ap2/evidence/export')).text);
    await keep('export.ndjson', (await world.rest('GET', '/ap2/evidence/export?format=ndjson')).text);
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const path = (name: string) => join(folder, name);
  const keep = (name: string, text: string) => writeFile(path(name), text);
  const run = (command: string, args: readonly string[], env: Record<string, string> = {}) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const options = { env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...env } };
      execFile(command, args, options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });
  const verify = (...args: string[]) => {
    const given = args.includes('--issuer') ? args : [...args, '--issuer', world.node.deps.issuer.did];
    return verifyHere(given);
  };
  const verifyHere = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await runHere(['evidence', 'verify', ...args]);
    return { code, output: stdout + stderr };
  };

  test('a bundle holds, and is shown with its events', async () => {
    const { code, output } = await verify(path('bundle.json'));
    assert.equal(code, 0, output);
    assert.match(output, /✓ txn_\w+ holds/);
    assert.match(output, /PM_ISSUED/);
    const { output: json } = await verify(path('bundle.json'), '--json');
    assert.equal(JSON.parse(json).ok, true);
  });

  test('the merchant’s own signature over a cart mandate is verified, whatever the issuer has signed around it', async () => {
    const { suite, issuer } = world.node.deps;
    for (const algorithm of ['ES256', 'RS256'] as const) {
      const shop = await makeAp2Merchant(algorithm);
      await world.rest('POST', '/ap2/admin/merchants', { domain: SHOP, jwk: shop.jwk });
      const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(20))).body;
      const { mandateId: intentId } = intentVc.credentialSubject;
      const cartMandate = await shop.sign(cartContents([['Tea', 5]], 5));
      await world.rest('POST', '/ap2/carts/validate/ap2', { intentId, cartMandate });
      const { transactionId } = (await world.rest('GET', `/ap2/intents/${intentId}`)).body;
      const { text } = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`);
      await keep('ap2.json', text);
      const good = await verify(path('ap2.json'));
      assert.equal(good.code, 0, good.output);

      const { proof, ...bundle } = JSON.parse(text);
      const [header, claims] = cartMandate.merchant_authorization.split('.');
      const other = (await shop.sign(cartContents([['Tea', 5]], 5))).merchant_authorization.split('.')[2];
      bundle.credentials.cartMandate.merchant_authorization = `${header}.${claims}.${other}`;
      const options = { created: proof.created, proofPurpose: 'assertionMethod' } as const;
      await keep('forged.json', signDocument(suite, issuer, bundle, options).text);
      const forged = await verify(path('forged.json'));
      assert.deepEqual(
        [forged.code, /✗ credentials: .*not by the key in the evidence/.test(forged.output)],
        [1, true],
        forged.output,
      );
    }
  });

  test('a changed bundle, and one of another issuer, are refused with exit code 1 and the part that is wrong', async () => {
    const bundle = JSON.parse(await readFile(path('bundle.json'), 'utf8'));
    bundle.events[0].data.maxAmount += 1;
    await keep('changed.json', JSON.stringify(bundle));
    const changed = await verify(path('changed.json'));
    assert.equal(changed.code, 1);
    assert.match(changed.output, /✗ events: The content of event/);
    const foreign = await verify(path('bundle.json'), '--issuer', world.agent.did);
    assert.equal(foreign.code, 1);
    assert.match(foreign.output, /✗ issuer/);
  });

  test('an export is checked against a kept checkpoint: whole, cut short, and forked', async () => {
    const whole = await verify(path('export.json'), '--checkpoint', path('kept.txt'));
    assert.equal(whole.code, 0, whole.output);
    const exported = JSON.parse(await readFile(path('export.json'), 'utf8'));
    exported.events.pop();
    await keep('cut.json', JSON.stringify(exported));
    const cut = await verify(path('cut.json'), '--checkpoint', path('kept.txt'));
    assert.equal(cut.code, 1);
    assert.match(cut.output, /cut short: it had \d+ events/);
    const { deps, tenantId } = world.node;
    const fork = { origin: originOf(tenantId), size: 3, root: new Uint8Array(32).fill(1) };
    await keep('fork.txt', signCheckpoint(deps.suite, deps.issuer, fork));
    const forked = await verify(path('export.json'), '--checkpoint', path('fork.txt'));
    assert.equal(forked.code, 1);
    assert.match(forked.output, /was rewritten/);
  });

  test('an export in lines is checked like one in JSON, and one that lacks its last line is refused', async () => {
    const [json, ndjson] = await Promise.all([
      verify(path('export.json'), '--json'),
      verify(path('export.ndjson'), '--json', '--checkpoint', path('kept.txt')),
    ]);
    assert.deepEqual(ndjson, json);
    assert.equal(JSON.parse(ndjson.output).ok, true);
    const text = await readFile(path('export.ndjson'), 'utf8');
    const lines = text.trimEnd().split('\n');
    await keep('cut.ndjson', `${lines.slice(0, -1).join('\n')}\n`);
    assert.match((await verify(path('cut.ndjson'))).output, /✗ file: The export is cut short/);
    await keep('changed.ndjson', text.replace('"eventType":"PM_ISSUED"', '"eventType":"PM_DENIED"'));
    const changed = await verify(path('changed.ndjson'));
    assert.deepEqual(
      [changed.code, /✗ events: The chain breaks: the content of event/.test(changed.output)],
      [1, true],
    );
    await keep('broken.ndjson', text.replace(lines[1] ?? '', '{'));
    assert.match((await verify(path('broken.ndjson'))).output, /✗ file: Line 2 is not JSON\./);
  });

  test('a missing option is wrong use, exit code 2', async () => {
    assert.equal((await verifyHere([path('bundle.json')])).code, 2);
  });

  test('the page’s Python verifies an export, and finds a changed event', { skip: noPython }, async () => {
    const page = await readFile('docs/explanation/evidence.md', 'utf8');
    await keep('verify.py', /```python\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
    const { code, output } = await run('python3', [path('verify.py'), path('export.json')]);
    assert.equal(code, 0, output);
    assert.match(output, /^\d+ events hold/);
    const exported = JSON.parse(await readFile(path('export.json'), 'utf8'));
    exported.events[2].data.added = 1;
    await keep('changed-export.json', JSON.stringify(exported));
    assert.match((await run('python3', [path('verify.py'), path('changed-export.json')])).output, /content of event 3/);
  });
});
