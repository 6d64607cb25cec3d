/** The snippets of docs/authentication.md, each run as it stands: the shell's in one shell, TypeScript's one by one. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { logIn } from '../support/browser.ts';
import { freePort } from '../support/child.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identityProvider.ts';
import { blocksOf, installClient, runShell, runTypeScript } from '../support/snippets.ts';
import { ADMIN_KEY, everyEngine, makeWorld, type World } from '../support/world.ts';

describe('docs/authentication.md', () => {
  let world: World;
  let provider: IdentityProvider;
  let folder: string;
  let page: string;
  before(async () => {
    const port = String(await freePort());
    provider = await startIdentityProvider(`http://localhost:${port}/ap2/auth/callback`);
    provider.person = 'alice';
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], {
      ...provider.env,
      PORT: port,
    });
    page = await readFile('docs/authentication.md', 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'countersign-docs-'));
    await installClient(folder);
  });
  after(async () => {
    await world.close();
    await provider.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const environment = async () => ({
    PATH: process.env['PATH'] ?? '',
    URL: world.node.baseUrl,
    KEY: ADMIN_KEY,
    TOKEN: (await logIn(world)).accessToken,
  });

  test('its shell snippets do what the page says, one after another', async () => {
    const stdout = await runShell(blocksOf(page, 'sh'), folder, await environment());
    assert.match(stdout, /"hasMore":false/, 'the reader reads');
    assert.match(stdout, /The login goes on at http.*code_challenge=/);
    assert.match(stdout, /"email":"alice@people.example","role":"OWNER"/);
    assert.equal(stdout.match(/"allowed":true/g)?.length, 2, `over REST and between agents:\n${stdout}`);
    assert.match(stdout, /"type":"IntentResult"/);
    assert.match(stdout, /HTTP\/1.1 101 Switching Protocols/);
    assert.doesNotMatch(stdout, /"error"/);
  });

  test('its TypeScript snippets compile against the package and do what the page says', async () => {
    const local = blocksOf(page, 'ts').map((text) => text.replaceAll('http://localhost:8402', world.node.address));
    assert.equal(local.length, 5, 'one for each kind of caller');
    const outputs = await runTypeScript(local, folder, await environment());
    const [key, proof, login, a2a, socket] = outputs;
    assert.match(key ?? '', /403 FORBIDDEN/);
    assert.match(proof ?? '', /^intent_/);
    assert.match(login ?? '', /alice@people.example is OWNER/);
    assert.match(a2a ?? '', /AMOUNT_OVER_CAP 500.00 USD is 300.00 over the cap/);
    assert.match(socket ?? '', /small IntentResult/);
    assert.match(socket ?? '', /large Refused by policy: AMOUNT_OVER_CAP/);
  });
});
