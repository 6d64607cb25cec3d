/** Profiles of the command line: kept in a keyring or a file, used by name, and refused where it is not clear which node is meant. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemKeyring } from '../../../src/cli/profile/profileFile.ts';
import { PROGRAM } from '../../support/command.ts';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

/** Stands for libsecret's program: it keeps what standard input brings in a file for each profile, and its words in another. */
const SECRET_TOOL = `#!/bin/sh
echo "$@" >> "$KEYRING/words"
for name; do :; done
case "$1" in
  store) cat > "$KEYRING/$name" ;;
  lookup) cat "$KEYRING/$name" ;;
  clear) rm "$KEYRING/$name" ;;
esac
`;

const [engine] = everyEngine();

describe('profiles', () => {
  let world: World;
  let home: string;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    home = await mkdtemp(join(tmpdir(), 'countersign-profiles-'));
  });
  after(async () => {
    await world.close();
    await rm(home, { recursive: true, force: true });
  });

  /** Logs in by a key that standard input brings. */
  const logIn = (env: Record<string, string>, words: readonly string[] = [], key = ADMIN_KEY) =>
    new Promise<{ code: number | null; text: string }>((resolve) => {
      const all = ['login', '--with-key', '--url', world.node.address, ...words];
      const child = spawn(process.execPath, [PROGRAM, ...all], { env: { ...env } });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      child.once('close', (code) => resolve({ code, text }));
      child.stdin.end(`${key}\n`);
    });

  test('keep a key in a file of mode 0600 where there is no keyring, and are listed without it', async () => {
    const env = { XDG_CONFIG_HOME: join(home, 'plain'), PATH: '' };
    const { code, text } = await logIn(env, ['--profile', 'shop']);
    assert.equal(code, 0, text);
    assert.ok(!text.includes(ADMIN_KEY));
    const file = join(home, 'plain', 'countersign', 'profiles.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const listed = await runHere(['profiles'], env);
    assert.match(listed.stdout, /shop +http:\S+ +key +file/);
    assert.ok(!listed.stdout.includes(ADMIN_KEY));
    const used = await runHere(['agent', 'list', '--profile', 'shop', '--json'], env);
    assert.equal(used.code, 0, used.stderr);
    const doctor = await runHere(['doctor', '--json'], { ...env, COUNTERSIGN_PROFILE: 'shop' });
    assert.ok(doctor.stdout.includes(world.node.address), doctor.stdout + doctor.stderr);
  });

  test('keep a key in the keyring where there is one, never in the file nor among the words of a command', async () => {
    const folder = join(home, 'bin');
    mkdirSync(folder);
    writeFileSync(join(folder, 'secret-tool'), SECRET_TOOL);
    chmodSync(join(folder, 'secret-tool'), 0o755);
    const env = { XDG_CONFIG_HOME: join(home, 'ring'), PATH: `${folder}:/bin:/usr/bin`, KEYRING: folder };
    const { code, text } = await logIn(env);
    assert.equal(code, 0, text);
    assert.match(text, /kept in the system’s keyring/);
    assert.ok(!readFileSync(join(home, 'ring', 'countersign', 'profiles.json'), 'utf8').includes(ADMIN_KEY));
    assert.equal(readFileSync(join(folder, 'default'), 'utf8'), ADMIN_KEY);
    const used = await runHere(['agent', 'list', '--json'], { ...env, COUNTERSIGN_PROFILE: 'default' });
    assert.equal(used.code, 0, used.stderr);
    assert.ok(!readFileSync(join(folder, 'words'), 'utf8').includes(ADMIN_KEY));
    assert.equal((await runHere(['logout'], env)).code, 0);
    assert.throws(() => readFileSync(join(folder, 'default')), /ENOENT/);
  });

  test('keep nothing of a key that the node does not know, and of a text that is no key', async () => {
    const env = { XDG_CONFIG_HOME: join(home, 'refused'), PATH: '' };
    const unknown = await logIn(env, [], `ak_test_${'Z'.repeat(32)}`);
    assert.equal(unknown.code, 1, unknown.text);
    assert.match(unknown.text, /INVALID_API_KEY/);
    const text = await logIn(env, [], 'hunter2');
    assert.equal(text.code, 2);
    assert.ok(!text.text.includes('hunter2'));
    assert.equal((await runHere(['profiles', '--json'], env)).stdout, '{"profiles":[]}\n');
  });

  test('are refused where it is not clear which node is meant', async () => {
    const env = { XDG_CONFIG_HOME: join(home, 'plain'), PATH: '' };
    const both = await runHere(['agent', 'list', '--profile', 'shop', '--url', 'http://localhost:1'], env);
    assert.match(both.stderr, /Give --profile or --url/);
    const twice = await runHere(['agent', 'list'], {
      ...env,
      COUNTERSIGN_PROFILE: 'shop',
      COUNTERSIGN_URL: 'http://x',
    });
    assert.match(twice.stderr, /COUNTERSIGN_PROFILE and COUNTERSIGN_URL are both set/);
    const unknown = await runHere(['agent', 'list', '--profile', 'shp'], env);
    assert.match(unknown.stderr, /There is no profile "shp", but shop; make it with countersign login --profile shp/);
    const member = await runHere(['agent', 'list', '--profile', 'constructor'], env);
    assert.match(member.stderr, /There is no profile "constructor"/);
    assert.deepEqual([both.code, twice.code, unknown.code, member.code], [2, 2, 2, 2]);
  });
});

test('the keychain of macOS gets a secret through standard input, as one word', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-keychain-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const program = '#!/bin/sh\necho "$@" >> "$FOLDER/words"\nif [ "$1" = -i ]; then cat > "$FOLDER/input"; fi\n';
  writeFileSync(join(folder, 'security'), program);
  chmodSync(join(folder, 'security'), 0o755);
  const keyring = systemKeyring({ PATH: `${folder}:/bin:/usr/bin`, FOLDER: folder }, 'darwin');
  assert.equal(keyring?.put('shop', '{"a b":"\'"}'), true);
  const [input, words] = ['input', 'words'].map((name) => readFileSync(join(folder, name), 'utf8'));
  const encoded = Buffer.from('{"a b":"\'"}').toString('base64url');
  assert.equal(input, `add-generic-password -U -s countersign -a shop -w ${encoded}\n`);
  assert.equal(words, '-i\n');
});
