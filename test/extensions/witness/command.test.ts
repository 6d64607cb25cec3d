/** `countersign witness` from the first command to a stranger's verification, as its operator and a node's owner type it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { get } from '../../../src/store/store.ts';
import { runHere } from '../../cli/runHere.ts';
import { PROGRAM } from '../../support/command.ts';
import { engines } from '../../support/engines.ts';
import { type Lives, makeLives } from '../../support/lives.ts';
import { makePeer } from '../../support/peer.ts';
import { plainKey } from '../../support/plainNotes.ts';
import { until } from '../../support/until.ts';

interface Running {
  readonly process: ChildProcess;
  readonly output: () => string;
}

describe('countersign witness', () => {
  let folder: string;
  let lives: Lives;
  let log: string;
  let witness: Running;
  let setting: string;
  const running: ChildProcess[] = [];

  /** Starts the program, and waits until it says that it runs. */
  async function start(words: readonly string[]): Promise<Running> {
    const child = spawn(process.execPath, [PROGRAM, 'witness', ...words], { env: { PATH: process.env.PATH ?? '' } });
    running.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece));
    const isUp = async () => output.includes('Stop with Ctrl-C.') || child.exitCode !== null;
    await until('the witness runs', isUp, 60_000);
    return { process: child, output: () => output };
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-witness-cli-'));
    const sqlite = engines().find(({ name }) => name === 'sqlite') ?? assert.fail();
    lives = await makeLives(sqlite);
    log = (await runHere(['evidence', 'log'], lives.env)).stdout.trim();
    witness = await start([...log.split(' '), '--port', '0', '--dir', join(folder, 'w'), '--name', 'friend.example']);
    setting = /WITNESSES="(.+)"/.exec(witness.output())?.[1] ?? assert.fail(witness.output());
  });
  after(async () => {
    for (const child of running) child.kill('SIGKILL');
    await lives.close();
    await rm(folder, { recursive: true, force: true });
  });

  const vkey = () => setting.split(' ')[0] ?? '';
  const verify = (file: string, ...more: string[]) =>
    runHere(['evidence', 'verify', file, '--issuer', lives.node().deps.issuer.did, '--allow-unsigned', ...more]);

  test('evidence log names the chain and its key, on a folder and on a running node alike', async () => {
    const { tenantId, deps, address } = lives.node();
    const origin = `countersign/evidence/${tenantId}`;
    assert.match(log, new RegExp(`^--log ${origin}=${deps.issuer.did}\\+[0-9a-f]{8}\\+\\S+$`));
    const env = { COUNTERSIGN_URL: address, COUNTERSIGN_API_KEY: lives.env.BOOTSTRAP_API_KEY ?? '' };
    const there = (await runHere(['evidence', 'log', '--json'], env)).json();
    assert.deepEqual([there.origin, there.did], [origin, deps.issuer.did]);
    assert.equal(log, `--log ${there.origin}=${there.verifierKey}`);
  });

  test('a node that is given the line it prints has bundles and exports that a stranger verifies with its key', async () => {
    await lives.stop();
    Object.assign(lives.env, { WITNESSES: setting });
    await lives.start();
    const agent = makePeer();
    await lives.ask('POST', '/ap2/agents', { name: 'a', publicKey: agent.publicKey });
    const request = { maxAmount: 1, currency: 'USD' };
    await lives.ask('POST', '/ap2/intents', { agentDid: agent.did, principalDid: agent.did, request });
    const sql = 'SELECT transaction_id AS id FROM evidence WHERE transaction_id IS NOT NULL';
    const found = await lives.node().deps.store.read(() => get<{ readonly id: string }>(sql));
    const transactionId = found?.id ?? assert.fail();
    const files = {
      bundle: join(folder, 'bundle.json'),
      json: join(folder, 'export.json'),
      ndjson: join(folder, 'x.ndjson'),
    };
    const bundle = await lives.ask('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`);
    assert.equal(bundle.status, 200, bundle.text);
    writeFileSync(files.bundle, bundle.text);
    writeFileSync(files.json, (await lives.ask('GET', '/ap2/evidence/export')).text);
    writeFileSync(files.ndjson, (await lives.ask('GET', '/ap2/evidence/export?format=ndjson')).text);
    const missing = plainKey('absent.example', 4, new Uint8Array(32).fill(5)).vkey;
    for (const file of Object.values(files)) {
      const held = await verify(file, '--witness', vkey());
      assert.equal(held.code, 0, held.stdout);
      assert.match(held.stdout, /cosigned by the witness friend\.example/);
      const unmet = await verify(file, '--witness', vkey(), '--witness', missing);
      assert.equal(unmet.code, 1);
      assert.match(unmet.stdout, /cosigned by 1 of the 2 .* the cosignature of absent\.example is missing/);
      const enough = await verify(file, '--witness', vkey(), '--witness', missing, '--witness-quorum', '1', '--json');
      assert.equal(enough.code, 0);
      assert.equal(enough.json().cosigned[0].witness, 'friend.example');
    }
    const doctor = (await runHere(['doctor', '--json'], lives.env)).json();
    const finding = doctor.findings.find(({ check }: { check: string }) => check === 'witnesses');
    assert.equal(finding.level, 'ok', finding.message);
  });

  test('its folder is one process’s, keeps its name, and a process that ends in order or not gives it up', async () => {
    const words = [...log.split(' '), '--port', '0', '--dir', join(folder, 'w')];
    const second = await start(words);
    await until('the second has ended', async () => second.process.exitCode !== null);
    assert.equal(second.process.exitCode, 1);
    assert.match(second.output(), /Another process is the witness of .*; stop it first/);
    witness.process.kill('SIGKILL');
    await once(witness.process, 'exit');
    const renamed = await start([...words, '--name', 'other.example']);
    await until('it has ended', async () => renamed.process.exitCode !== null);
    assert.match(renamed.output(), /is called friend\.example; leave --name out/);
    const again = await start(words);
    assert.ok(again.output().includes(vkey()), again.output());
    assert.match(again.output(), /\([1-9]\d* events seen\)/, 'it knows what it saw');
    again.process.kill('SIGTERM');
    const [code] = await once(again.process, 'exit');
    assert.equal(code, 0);
  });
});
