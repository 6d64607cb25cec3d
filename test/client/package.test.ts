/** The client as the package carries it: typed, one file, in need of nothing but what browsers and node share. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { allRoutes } from '../../src/extensions/nodeOperations.ts';
import { everyEngine } from '../support/engines.ts';
import { installClient, runTypeScript } from '../support/snippets.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

describe('the client', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(() => world.close());

  test('its operations are written from the routes, compile, and do what they say', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-client-'));
    try {
      await installClient(folder);
      const program = `
        import { countersign, makeAgent, type Operations } from 'countersign-client';
        const rest = countersign({ baseUrl: '${world.node.address}', credential: { apiKey: '${ADMIN_KEY}' } });
        const { did, publicKey } = makeAgent();
        const input: Operations['registerAgent']['input'] = { name: 'typed', publicKey };
        const registered = await rest.registerAgent(input);
        // @ts-expect-error An agent has a key.
        const refused = await rest.registerAgent({ name: 'typed' }).catch((error: Error) => error.message);
        // @ts-expect-error There is no such operation.
        const missing: unknown = rest.registerAgents;
        const { status } = await rest.getAgent({ did });
        console.log(JSON.stringify({ did, registered, refused, missing, status, operations: Object.keys(rest) }));`;
      const [printed = ''] = await runTypeScript([program], folder, { PATH: process.env['PATH'] ?? '' });
      const { did, registered, refused, missing, status, operations } = JSON.parse(printed);
      assert.equal(registered.did, did);
      assert.match(refused, /publicKey/);
      assert.equal(missing, undefined);
      assert.equal(status, 'ACTIVE');
      // What has no end by itself is followChanges; payments elsewhere are several operations in one.
      const answered = allRoutes.map(({ useCase }) => useCase).filter((name) => name !== 'streamEvents');
      assert.deepEqual(operations.sort(), [...answered, 'external'].sort());
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('an error that is not caught is told in lines that can be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-client-'));
    try {
      await installClient(folder);
      const program = join(folder, 'uncaught.mjs');
      const call = `countersign({ baseUrl: '${world.node.address}', credential: { apiKey: 'ak_test_wrong' } }).listAgents({})`;
      await writeFile(program, `import { countersign } from 'countersign-client';\nawait ${call};\n`);
      const run = promisify(execFile)(process.execPath, [program]);
      const stderr = await run.then(
        () => '',
        (error) => String(error.stderr),
      );
      assert.ok(stderr.length < 3000, `${stderr.length} characters`);
      const longest = Math.max(...stderr.split('\n').map((line) => line.length));
      assert.ok(longest < 500, `a line of ${longest} characters`);
      assert.match(stderr, /CountersignError: /);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('it runs in a page, where there is nothing of node, and buys', async () => {
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
    for (const file of inputs) assert.match(file, /^node_modules\/(zod|@noble|bs58|base-x|canonicalize|fflate)\//);

    // What the Fetch, Encoding, Web Crypto and URL standards give to every page.
    const { fetch, Headers, AbortSignal, crypto, TextEncoder, TextDecoder, URL, URLSearchParams } = globalThis;
    const { setTimeout, clearTimeout } = globalThis;
    const { address } = world.node;
    const page = createContext({
      ...{
        fetch,
        Headers,
        AbortSignal,
        crypto,
        TextEncoder,
        TextDecoder,
        URL,
        URLSearchParams,
        setTimeout,
        clearTimeout,
      },
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
