/** `countersign playground`: against a running sandbox, on a node of its own, and not in production. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { countersign } from '../../../client/index.ts';
import { freePort, startChild } from '../../support/child.ts';
import { PROGRAM } from '../../support/command.ts';
import { everyEngine } from '../../support/engines.ts';
import { makeLives } from '../../support/lives.ts';
import { until } from '../../support/until.ts';
import { ADMIN_KEY, makeWorld } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [engine] = everyEngine();
/** Two plain purchases, and all cards of the deck but the refund and the dispute, which are no purchases. */
const ONE_DEAL = 2 + 16;

describe('countersign playground', () => {
  test('plays every story at a running sandbox, ends after so many purchases, and revokes its agents', async (t) => {
    assert.ok(engine);
    const world = await makeWorld(engine);
    t.after(() => world.close());
    const target = ['--url', world.node.address, '--key', ADMIN_KEY];
    const pace = ['--pace', '0', '--agents', '3', '--purchases', String(ONE_DEAL)];
    const { code, stdout, stderr } = await runHere(['playground', ...target, ...pace]);
    assert.equal(code, 0, stderr);
    const told = [
      /· \w+[ \w]* wants .* at \S+\.example, for \d+\.\d\d USD\.$/m,
      /✓ .* has delivered, and the money is taken\.$/m,
      /\? A person must decide: .* over what the agent may spend alone.* http:\S+\/approve\/apr_\w+$/m,
      /✓ The person has approved it\.$/m,
      /✗ The person has denied it\.$/m,
      /✗ Refused: 1,\d{3}\.\d\d USD is .* over the cap/m,
      /✗ Refused: scam-store\.example is on the policy/m,
      /✗ The rail does not pay: The card was declined\.$/m,
      /✗ The rail does not pay: The card asks for 3-D Secure/m,
      /\n(?=.*\b13 paid\b)(?=.*\b1 denied\b)(?=.*\b2 refused\b).*\b2 declined\b.*\. The agents are revoked\.\n$/,
    ];
    for (const expected of told) assert.match(stdout, expected);
    const { data: agents } = await world.client.listAgents({ limit: 200 });
    assert.deepEqual(agents.map(({ status }) => status).toSorted(), ['ACTIVE', 'REVOKED', 'REVOKED', 'REVOKED']);
    assert.equal((await world.client.verifyEvidence()).valid, true);
  });

  test('on a node of its own ends at once and in order by a signal, and leaves nothing', async (t) => {
    const own = await mkdtemp(join(tmpdir(), 'countersign-played-'));
    t.after(() => rm(own, { recursive: true, force: true }));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const env = { PATH: process.env['PATH'] ?? '', TMPDIR: own };
      const child = spawn(process.execPath, [PROGRAM, 'playground', '--own', '--pace', '3600'], { env });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      const ended = new Promise((resolve) => child.on('exit', resolve));
      await until('an agent wants something', async () => output.includes(' wants '), 60_000, 20);
      child.kill(signal);
      assert.equal(await ended, 0, output);
      assert.match(output, /console\/#\/welcome\/\S+\n[\s\S]*Nothing was bought\. The agents are revoked\.\n$/);
      assert.deepEqual(await readdir(own), []);
    }
  });

  test('plays at the node that runs on the data folder where no other is named, with a key that ends with it', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'countersign-here-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const env = { DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY, PORT: String(await freePort()) };
    const node = await startChild(env);
    t.after(() => node.kill());
    const { code, stdout, stderr } = await runHere(
      ['playground', '--pace', '0', '--agents', '1', '--purchases', '2'],
      env,
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^At the node that runs here\. Watch in its console: http:\/\/127\.0\.0\.1:\d+\/console\//);
    const client = countersign({ baseUrl: node.address, credential: { apiKey: ADMIN_KEY } });
    assert.equal((await client.listPayments({})).data.length, 2);
    const { data: keys } = await client.listApiKeys({});
    assert.ok(keys.find(({ name }) => name === 'playground')?.revokedAt);
  });

  test('takes a key with the permission admin, and registers no agent by another', async (t) => {
    assert.ok(engine);
    const world = await makeWorld(engine);
    t.after(() => world.close());
    const { key } = await world.client.createApiKey({ name: 'writes', permissions: ['read', 'write'] });
    const { code, stderr } = await runHere(['playground', '--url', world.node.address, '--key', key]);
    assert.equal(code, 1);
    assert.match(stderr, /^FORBIDDEN: /);
    assert.equal((await world.client.listAgents({})).data.length, 1);
  });

  test('ends with its reader, and leaves nothing', async (t) => {
    const own = await mkdtemp(join(tmpdir(), 'countersign-played-'));
    t.after(() => rm(own, { recursive: true, force: true }));
    const env = { PATH: process.env['PATH'] ?? '', TMPDIR: own };
    const piped = `"${process.execPath}" "${PROGRAM}" playground --own --pace 0.05 | head -3; exit \${PIPESTATUS[0]}`;
    const child = spawn('bash', ['-c', piped], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    child.stderr.on('data', (chunk) => (told += chunk));
    assert.deepEqual([await new Promise((resolve) => child.on('exit', resolve)), told], [0, '']);
    assert.deepEqual(await readdir(own), []);
  });

  test('refuses a production node, and registers no agent there', async (t) => {
    assert.ok(engine);
    const key = ADMIN_KEY.replace('test', 'live');
    const lives = await makeLives(engine, { AP2_ENV: 'production', BOOTSTRAP_API_KEY: key });
    t.after(() => lives.close());
    const { address } = lives.node();
    const { code, stdout, stderr } = await runHere(['playground', '--url', address, '--key', key]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(stderr, 'FORBIDDEN: Agents play in a sandbox alone, and this is a production node.\n');
    const listed = await lives.ask('GET', '/ap2/agents', undefined, { Authorization: `Bearer ${key}` });
    assert.match(listed.text, /"data":\[\]/);
  });
});
