/** The client as the package carries it: current, one file, in need of nothing but what browsers and node share. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { ADMIN_KEY, everyEngine, makeWorld, type World } from '../support/world.ts';

test('the client has every operation of the routes, with their types as they are now', async () => {
  await promisify(execFile)(process.execPath, ['scripts/client.mjs', '--check']);
});

describe('the client in a page', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(() => world.close());

  test('it runs where there is nothing of node, and buys', async () => {
    const { outputFiles, metafile } = await build({
      bundle: true,
      format: 'iife',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      entryPoints: ['client/index.ts'],
      globalName: 'client',
      write: false,
      metafile: true,
    });
    const inputs = Object.keys(metafile.inputs).filter((file) => !/^(client|protocol|data)\//.test(file));
    for (const file of inputs) assert.match(file, /^node_modules\/(zod|@noble|bs58|base-x|canonicalize)\//);

    // What the Fetch, Encoding, Web Crypto and URL standards give to every page.
    const { fetch, Headers, AbortSignal, crypto, TextEncoder, TextDecoder, URLSearchParams, setTimeout } = globalThis;
    const { address } = world.node;
    const page = createContext({
      ...{ fetch, Headers, AbortSignal, crypto, TextEncoder, TextDecoder, URLSearchParams, setTimeout },
      ...{ baseUrl: address, apiKey: ADMIN_KEY },
    });
    runInContext(outputFiles[0]?.text ?? '', page);
    const paid = await runInContext(
      `(async () => {
        const rest = client.countersign({ baseUrl, credential: { apiKey } });
        const agent = client.makeAgent();
        await rest.registerAgent({ name: 'page', publicKey: agent.publicKey });
        const own = client.countersign({ baseUrl, credential: { agent } });
        const asked = { maxAmount: 9, currency: 'USD', vendorHints: { domain: 'shop.example' } };
        const { intentVc } = await own.issueIntent({ agentDid: agent.did, principalDid: agent.did, request: asked });
        const offer = { payerDid: agent.did, domain: 'shop.example', amount: 9, currency: 'USD' };
        const { cartVc } = await rest.demoCart(offer);
        const a2a = await client.connect(baseUrl, agent);
        const { approvalToken } = await a2a.send({ type: 'CartMandate', body: { intentVc, cartVc } });
        return JSON.stringify(await rest.mandatePayment({ approvalToken }));
      })()`,
      page,
    );
    assert.equal(JSON.parse(paid).railResponse.status, 'requires_capture');
  });
});
