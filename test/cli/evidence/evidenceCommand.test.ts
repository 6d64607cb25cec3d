/** `evidence`, `tail`, `openapi` and `completion` on the command line. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { run } from '../../../src/store/store.ts';
import { countersign, PROGRAM } from '../../support/command.ts';
import { everyEngine } from '../../support/engines.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { until } from '../../support/until.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('evidence and the rest of the command line', () => {
  let world: World;
  let folder: string;
  let transactionId: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-cli-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], { DATA_DIR: folder });
    const mandateId = mandateIdOf(await purchase(world, 20));
    transactionId = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body.transactionId;
    await world.rest('POST', '/ap2/intents', world.intentBody(500));
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const path = (name: string) => join(folder, name);
  const there = () => ({ COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const atNode = (...args: string[]) => runHere(args, there());
  const inFolder = (...args: string[]) => runHere(args, { DATA_DIR: folder });

  test('a transaction is shown, exported as one file, and that file verifies', async () => {
    const [shown, kept, none] = await Promise.all([
      inFolder('evidence', 'bundle', transactionId),
      atNode('evidence', 'bundle', transactionId, '--out', path('bundle.json')),
      atNode('evidence', 'bundle', 'txn_none'),
    ]);
    assert.match(shown.stdout, /Status +\w+\nAmount +20\.00 USD\nMerchant +shop\.example\n/);
    assert.match(shown.stdout, /\d+ +\d{4}-\S+ \S+ +PM_ISSUED +test agent +20\.00 USD at shop\.example\n/);
    assert.equal(kept.code, 0, kept.stderr);
    assert.equal(none.code, 1);
    const verified = await runHere(['evidence', 'verify', path('bundle.json'), '--issuer', world.node.deps.issuer.did]);
    assert.equal(verified.code, 0, verified.stdout);
  });

  test('events are searched and exported, from a node and from its folder alike, as JSON and CSV', async () => {
    const [denied, online, offline, csv, one] = await Promise.all([
      atNode('evidence', 'search', '--type', 'INTENT_DENIED'),
      countersign(['evidence', 'export', '--types', 'INTENT_ISSUED,PM_ISSUED'], there()),
      countersign(['evidence', 'export', '--types', 'INTENT_ISSUED,PM_ISSUED', '--json'], { DATA_DIR: folder }),
      inFolder('evidence', 'export', '--format', 'csv', '--out', path('events.csv')),
      atNode('evidence', 'search', '--limit', '1', '--json'),
    ]);
    assert.match(
      denied.stdout,
      /^SEQ +WHEN +EVENT +AGENT +ABOUT\n.+INTENT_DENIED +test agent +500\.00 USD at shop\.example AMOUNT_OVER_CAP\n$/,
    );
    assert.equal(online.stdout, offline.stdout);
    assert.deepEqual(
      online.json().events.map(({ eventType }: Loose) => eventType),
      ['INTENT_ISSUED', 'PM_ISSUED'],
    );
    assert.equal(csv.code, 0, csv.stderr);
    assert.equal(
      (await readFile(path('events.csv'), 'utf8')).split('\n').filter((line) => line.includes('PM_ISSUED')).length,
      1,
    );
    assert.equal(one.json().length, 1);
  });

  test('an export is the same in a file as from the node, in each form, and a broken chain ends with 1', async () => {
    for (const format of ['json', 'ndjson', 'csv']) {
      const ended = await atNode('evidence', 'export', '--format', format, '--out', path(`whole.${format}`));
      assert.deepEqual([ended.code, ended.stderr], [0, '']);
      assert.match(ended.stdout, new RegExp(`whole\\.${format} has \\d+ events, as ${format}\\.\n$`));
      const served = await world.rest('GET', `/ap2/evidence/export?format=${format}`);
      assert.equal((await readFile(path(`whole.${format}`), 'utf8')).trimEnd(), served.text.trimEnd(), format);
    }
    const folderIsNoFile = await atNode('evidence', 'export', '--out', folder);
    assert.equal(folderIsNoFile.code, 2);
    assert.match(folderIsNoFile.stderr, /is a folder; give the path of a file\.\n$/);
    const { store } = world.node.deps;
    const rename = (from: string, to: string) =>
      store.write(world.node.tenantId, () =>
        run('UPDATE evidence SET event_type = ? WHERE event_type = ? AND seq = 2', to, from),
      );
    const { eventType } = (await world.rest('GET', '/ap2/evidence/export')).body.events[1];
    await rename(eventType, 'FORGED');
    try {
      const broken = await atNode('evidence', 'export', '--format', 'csv', '--out', path('broken.csv'));
      assert.equal(broken.code, 1);
      assert.match(broken.stderr, /^The chain does not hold over this range/);
    } finally {
      await rename('FORGED', eventType);
    }
  });

  test('events are followed as they happen, until as many came as were wanted', async () => {
    const args = ['tail', '--types', 'agent.created', '--count', '1', '--json'];
    const child = spawn(process.execPath, [PROGRAM, ...args.slice(0, -1)], {
      env: { PATH: process.env.PATH ?? '', ...there() },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const ended = new Promise((resolve) => child.on('exit', resolve));
    try {
      // Of what happens before it follows it would be told nothing.
      await until('it follows', async () => output.includes('Following'), 60_000);
      await world.rest('POST', '/ap2/intents', world.intentBody(5));
      await world.newAgent('Newcomer');
      assert.equal(await ended, 0);
      assert.match(output, /\d\d:\d\d:\d\d {2}agent\.created +Newcomer\n$/);
    } finally {
      child.kill('SIGKILL');
    }
    const gone = await runHere(args, { COUNTERSIGN_URL: 'http://127.0.0.1:1', COUNTERSIGN_API_KEY: ADMIN_KEY });
    assert.equal(gone.code, 3);
  });

  test('the OpenAPI document is printed without a node, as a node serves it', async () => {
    const { code, stdout, stderr } = await runHere(['openapi', '--base-url', world.node.baseUrl, '--json']);
    assert.equal(code, 0, stderr);
    const served = (await world.rest('GET', '/openapi.json')).body;
    const printed = JSON.parse(stdout);
    assert.deepEqual(Object.keys(printed.paths).sort(), Object.keys(served.paths).sort());
    assert.deepEqual(printed.components.schemas, served.components.schemas);
    assert.deepEqual(printed.servers, served.servers);
  });

  test('completions follow the commands, and bash takes them', async () => {
    const [bash, zsh, fish, other] = await Promise.all(
      ['bash', 'zsh', 'fish', 'cmd'].map((shell) => runHere(['completion', shell])),
    );
    assert.deepEqual([bash?.code, zsh?.code, fish?.code, other?.code], [0, 0, 0, 2]);
    assert.match(zsh?.stdout ?? '', /bashcompinit/);
    assert.match(fish?.stdout ?? '', /__fish_seen_subcommand_from payment.* -a capture -d /);
    await writeFile(path('completion.bash'), bash?.stdout ?? '');
    const ask = async (...words: string[]) => {
      const script = `. ${path('completion.bash')}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${
        words.length - 1
      }; _countersign; echo "\${COMPREPLY[*]}"`;
      return (await promisify(execFile)('bash', ['-euc', script])).stdout.trim().split(' ');
    };
    assert.deepEqual(await ask('countersign', 'pay'), ['payment']);
    assert.deepEqual(await ask('countersign', 'agent', 're'), ['revoke', 'reactivate']);
    assert.deepEqual(await ask('countersign', 'agent', 'limit', 'did:key:z', '--w'), ['--window']);
    assert.deepEqual(await ask('countersign', 'evidence', 'export', '--format', ''), ['json', 'ndjson', 'csv']);
    assert.deepEqual(await ask('countersign', 'completion', 'f'), ['fish']);
  });

  test('the package’s own program runs the same commands', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/countersign.js', 'agent', 'keygen', '--json']);
    assert.match(JSON.parse(stdout).did, /^did:key:z6Mk/);
  });
});
