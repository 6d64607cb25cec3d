/** The snippets of docs/authentication.md, each run as it stands: the shell's in one shell, TypeScript's one by one. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { logIn } from '../support/browser.ts';
import { freePort } from '../support/child.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identityProvider.ts';
import { ADMIN_KEY, everyEngine, makeWorld, type World } from '../support/world.ts';

const run = promisify(execFile);

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

  const blocksOf = (language: string) =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] as string);
  const environment = async () => ({
    PATH: process.env['PATH'] ?? '',
    URL: world.node.baseUrl,
    KEY: ADMIN_KEY,
    TOKEN: (await logIn(world)).accessToken,
  });

  test('its shell snippets do what the page says, one after another', async () => {
    // What a reader has to fill in is given here.
    const script = blocksOf('sh').map((block) => block.replace(/^export .*$/gm, ''));
    const { stdout } = await run('bash', ['-euc', script.join('\n')], { cwd: folder, env: await environment() });
    assert.match(stdout, /"hasMore":false/, 'the reader reads');
    assert.match(stdout, /The login goes on at http.*code_challenge=/);
    assert.match(stdout, /"email":"alice@people.example","role":"OWNER"/);
    assert.equal(stdout.match(/"allowed":true/g)?.length, 2, `over REST and between agents:\n${stdout}`);
    assert.match(stdout, /"type":"IntentResult"/);
    assert.match(stdout, /HTTP\/1.1 101 Switching Protocols/);
    assert.doesNotMatch(stdout, /"error"/);
  });

  test('its TypeScript snippets compile against the package and do what the page says', async () => {
    const files = blocksOf('ts').map((text, index) => {
      const local = text.replaceAll('http://localhost:8402', world.node.address);
      return { name: `snippet${index}.ts`, text: local };
    });
    assert.equal(files.length, 5, 'one for each kind of caller');
    for (const { name, text } of files) await writeFile(join(folder, name), text);
    const strict = { module: 'NodeNext', target: 'ES2023', strict: true, skipLibCheck: true, noEmit: true };
    const types = { types: ['node'], noUncheckedIndexedAccess: true };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...strict, ...types } }));
    await run(resolve('node_modules/.bin/tsc'), ['--project', folder]).catch((error) => assert.fail(error.stdout));

    const outputs: string[] = [];
    for (const { name } of files) {
      const args = ['--import', import.meta.resolve('tsx'), name];
      const { stdout } = await run(process.execPath, args, { cwd: folder, env: await environment() });
      outputs.push(stdout);
    }
    const [key, proof, login, a2a, socket] = outputs;
    assert.match(key ?? '', /403 FORBIDDEN/);
    assert.match(proof ?? '', /^intent_/);
    assert.match(login ?? '', /alice@people.example is OWNER/);
    assert.match(a2a ?? '', /AMOUNT_OVER_CAP 500.00 USD is 300.00 over the cap/);
    assert.match(socket ?? '', /small IntentResult/);
    assert.match(socket ?? '', /large Refused by policy: AMOUNT_OVER_CAP/);
  });
});

/** Puts the client into a project's folder, built as the package carries it. */
async function installClient(project: string): Promise<void> {
  const modules = join(project, 'node_modules');
  const own = join(modules, 'countersign');
  await run(process.execPath, ['scripts/client.mjs', '--build', join(own, 'dist', 'client')]);
  await writeFile(join(own, 'package.json'), await readFile('package.json'));
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  for (const name of ['ws', 'zod', '@types', 'undici-types']) {
    await symlink(resolve('node_modules', name), join(modules, name));
  }
}
