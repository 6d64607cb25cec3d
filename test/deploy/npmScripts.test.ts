/** What npm starts ends with npm: a SIGTERM to npm reaches the node, which stops in order and leaves nothing behind. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeAgent } from '../../client/index.ts';
import { beginRequest } from '../support/begunRequest.ts';
import { freePort } from '../support/child.ts';
import { until } from '../support/until.ts';

const KEY = `ak_test_${'n'.repeat(32)}`;
/** npm runs a script by one of these. Bash alone may replace itself by the script's last command. */
const SHELLS = ['/bin/dash', '/bin/bash'].filter((shell) => existsSync(shell));

interface Started {
  readonly npm: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  output(): string;
}

describe('a SIGTERM to npm', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-npm-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function run(script: string, shell: string, env: Record<string, string>): Started {
    const npm = spawn('npm', ['run', '--silent', script], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, npm_config_script_shell: shell, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
      npm.on('exit', (code, signal) => resolve(code ?? signal));
    });
    return { npm, ended, output: () => output };
  }

  for (const shell of SHELLS) {
    test(`stops the node of npm start under load, by ${shell}: all in flight is answered, and the port is free`, async () => {
      const port = await freePort();
      const address = `http://127.0.0.1:${port}`;
      const env = { PORT: String(port), BOOTSTRAP_API_KEY: KEY, SANDBOX_RATE_PER_MINUTE: '1000000' };
      const started = run('start', shell, {
        ...env,
        SANDBOX_BURST: '1000000',
        DATA_DIR: join(folder, `node-${port}`),
        LOG_LEVEL: 'error',
      });
      try {
        await until('the node is ready', async () => started.output().includes('Stop with Ctrl-C.'), 60_000);
        const agent = makeAgent();
        const registration = { name: 'Loader', publicKey: agent.publicKey };
        assert.equal((await post(address, '/ap2/agents', JSON.stringify(registration)))?.status, 201);
        const intent = JSON.stringify({
          agentDid: agent.did,
          principalDid: makeAgent().did,
          request: { maxAmount: 1, currency: 'USD' },
        });
        const loads = Array.from({ length: 8 }, () => load(address, intent));
        const begun = await Promise.all(
          Array.from({ length: 8 }, () => beginRequest(address, KEY, '/ap2/intents', intent)),
        );
        started.npm.kill('SIGTERM');
        for (const answer of await Promise.all(begun.map((request) => request.finish())))
          assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
        assert.equal(await started.ended, 0, started.output());
        assert.deepEqual(new Set((await Promise.all(loads)).flat()), new Set([200]), 'under load');
        await listenAt(port);
      } finally {
        await freed(port);
      }
    });

    test(`ends npm run demo, by ${shell}, with its node and its folder`, async () => {
      const own = await mkdtemp(join(folder, 'demo-'));
      const { npm, ended, output } = run('demo', shell, { TMPDIR: own });
      await until('the demo is under way', async () => output().includes('An agent goes shopping'), 60_000, 5);
      npm.kill('SIGTERM');
      assert.equal(await ended, 0, output());
      assert.deepEqual(await readdir(own), []);
    });
  }
});

/** Asks one request after another until the node takes none. @returns the status of each that was answered */
async function load(address: string, body: string): Promise<number[]> {
  const answers: number[] = [];
  for (;;) {
    const response = await post(address, '/ap2/intents', body).catch(() => undefined);
    if (response === undefined) return answers;
    answers.push(response.status);
  }
}

async function post(address: string, path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const response = await fetch(address + path, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response;
}

/** @throws where another process listens there */
function listenAt(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
  });
}

/** Ends an orphan that a failed test left at its own port. */
async function freed(port: number): Promise<void> {
  const pids = await pidsOf(`PORT=${port}`);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/** The processes whose environment has this setting. */
async function pidsOf(setting: string): Promise<number[]> {
  const pids: number[] = [];
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    if (environment.split('\0').includes(setting)) pids.push(Number(name));
  }
  return pids;
}
