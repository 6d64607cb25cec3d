/** A node whose public address has a path, behind a proxy that takes the path off and behind one that leaves it. */
import assert from 'node:assert/strict';
import { createServer, request as forward } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { connect, makeAgent } from '../../client/index.ts';
import { openBrowser, reachCallback } from '../support/browser.ts';
import { freePort } from '../support/child.ts';
import { CHROMIUM, openChromium, openDevice } from '../support/chromium.ts';
import { everyEngine } from '../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identityProvider.ts';
import { makeDidProof } from '../support/peer.ts';
import { askForApproval } from '../support/person.ts';
import { makeWorld, type World } from '../support/world.ts';

const PATH = '/pay/node';
const [engine] = everyEngine();

/** Serves what is below the path, and nothing else. @returns closes it */
async function startProxy(port: number, target: () => number, takesOff: boolean): Promise<() => void> {
  const below = (url = '') => (takesOff ? url.slice(PATH.length) || '/' : url);
  const isBelow = (url = '') => url === PATH || url.startsWith(`${PATH}/`);
  const proxy = createServer((incoming, response) => {
    if (!isBelow(incoming.url)) return void response.writeHead(404).end('not of this node');
    const { method, headers } = incoming;
    const options = { host: '127.0.0.1', port: target(), method, headers, path: below(incoming.url) };
    const asked = forward(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(asked.on('error', () => response.destroy()));
  });
  proxy.on('upgrade', (incoming, stream, head) => {
    const upstream = connectTcp(target(), '127.0.0.1', () => {
      const headers = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${value}`);
      upstream.write(`GET ${below(incoming.url)} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      stream.pipe(upstream).pipe(stream);
    });
    for (const each of [stream, upstream]) each.on('error', () => each.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  return () => {
    proxy.close();
    proxy.closeAllConnections();
  };
}

for (const [name, takesOff] of [
  ['takes it off', true],
  ['leaves it', false],
] as const) {
  describe(`a public address with a path, behind a proxy that ${name}`, () => {
    let world: World;
    let provider: IdentityProvider;
    let close = () => {};
    let base: string;
    before(async () => {
      const port = await freePort();
      base = `http://localhost:${port}${PATH}`;
      provider = await startIdentityProvider(`${base}/ap2/auth/callback`);
      assert.ok(engine);
      world = await makeWorld(engine, { ...provider.env, BASE_URL: `${base}/` });
      close = await startProxy(port, () => Number(new URL(world.node.address).port), takesOff);
    });
    after(async () => {
      close();
      await world.close();
      await provider.stop();
    });
    const get = (url: string, headers: Record<string, string> = {}) =>
      fetch(url.replace('//localhost:', '//127.0.0.1:'), { headers, redirect: 'manual' });
    /** Every file that a page names is there. */
    async function checkPage(url: string, status = 200): Promise<void> {
      const page = await get(url);
      const html = await page.text();
      assert.equal(page.status, status, `${url} ${html}`);
      for (const [, file] of html.matchAll(/(?:src|href)="([^"#]+)"/g)) {
        const found = new URL(String(file), url);
        // A script sets the link to the page itself; the login leads to the provider.
        if (file === '.' || found.pathname.endsWith('/login')) continue;
        assert.equal((await get(found.href)).status, 200, `${url} names ${file}`);
      }
    }

    test('agents find the node, talk to it and prove themselves under that address', async () => {
      const card = (await (await get(`${base}/.well-known/agent-card.json`)).json()) as {
        readonly url: string;
        readonly endpoints: { readonly a2a: string };
      };
      assert.deepEqual([card.url, card.endpoints.a2a], [base, `${base}/a2a/gateway`]);
      const agent = makeAgent();
      await world.client.registerAgent({ name: 'a', publicKey: agent.publicKey });
      const node = await connect(`${base}/`, agent);
      const body = {
        agentDid: agent.did,
        principalDid: world.principal.did,
        request: { maxAmount: 5, currency: 'USD' },
      };
      const intent = await node.send({ type: 'IntentMandate', body });
      assert.equal(intent.allowed, true);
      const path = '/ap2/intents';
      const proof = makeDidProof(world.agent, { baseUrl: base, method: 'GET', path, body: '' });
      const list = await get(base + path, { 'X-DID-Proof': proof });
      assert.equal(list.status, 200, await list.text());
      const socket = new WebSocket(`${base.replace('http', 'ws').replace('localhost', '127.0.0.1')}/a2a/gateway`);
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      socket.close();
      assert.equal((await get(`${base}x/healthz`)).status, 404);
    });

    test('pages, links and documents lead below the path', async () => {
      const { approval } = await askForApproval(world);
      assert.ok(approval.url.startsWith(`${base}/approve/`));
      const enrollment = await world.rest('POST', '/ap2/admin/enrollments', { agentDid: world.agent.did });
      assert.ok(enrollment.body.url.startsWith(`${base}/enroll/`));
      for (const url of [approval.url, enrollment.body.url, `${base}/console/`]) await checkPage(url);
      await checkPage(`${base}/docs`);
      await checkPage(`${base}/docs/errors`);
      const missing = (await (await get(`${base}/nowhere`)).json()) as { error: { docs: string } };
      assert.ok(missing.error.docs.startsWith(`${base}/docs/errors#`), missing.error.docs);
    });

    test('a login goes out and comes back below the path, with cookies for it alone', async () => {
      provider.person = 'alice';
      const browser = openBrowser();
      const callback = await reachCallback(world, browser);
      const landed = await browser.visit(callback, { headers: { Accept: 'text/html' } });
      assert.equal(landed.headers.get('location'), `${base}/console/`);
      for (const cookie of landed.headers.getSetCookie()) assert.match(cookie, /path=\/pay\/node\/ap2\/auth;/i);
      const refreshed = await browser.visit(`${base}/ap2/auth/refresh`, { method: 'POST' });
      assert.equal(refreshed.status, 200);
    });

    test('passkeys and the console work in a browser', { skip: CHROMIUM === undefined }, async (t) => {
      const browser = await openChromium();
      t.after(() => browser.close());
      const { page, complaints } = await openDevice(browser, { viewport: { width: 390, height: 844 } });
      const link = await world.rest('POST', '/ap2/admin/enrollments', { agentDid: world.agent.did });
      await page.goto(link.body.url);
      await page.getByRole('button', { name: 'Create passkey' }).click();
      await page.getByRole('heading', { name: 'Ready' }).waitFor();
      const { approval } = await askForApproval(world);
      await page.goto(approval.url);
      await page.getByRole('button', { name: 'Approve with passkey' }).click();
      await page.getByRole('heading', { name: 'Approved' }).waitFor();
      provider.person = 'alice';
      await page.goto(`${base}/ap2/auth/login`);
      await page.waitForURL(`${base}/console/`);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByText('alice@people.example').first().waitFor();
      assert.deepEqual(complaints, []);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      // What was on its way as the login ended is refused.
      const faults = complaints.filter((text) => !/status of 401/.test(text));
      assert.deepEqual(faults, []);
      await page.goto(`${base}/docs/api#issueIntent`);
      await page.getByText('/ap2/intents').first().waitFor();
    });
  });
}
