/** Gates beside the core, in a thread and in processes: the same answers, the same limits, and no half of a node. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startOptions } from '../../scripts/startOptions.mjs';
import { startChild } from '../support/child.ts';
import { countersign } from '../support/command.ts';
import type { Engine } from '../support/engines.ts';
import { makeLives } from '../support/lives.ts';
import { purchase } from '../support/purchase.ts';
import { until } from '../support/until.ts';
import { everyEngine, makeWorld, type World } from '../support/world.ts';

const [sqlite] = everyEngine() as [Engine];

/** @param count as GATES says */
async function withGates(count: number, run: (world: World) => Promise<void>, env: Record<string, string> = {}) {
  const world = await makeWorld(sqlite, { GATES: String(count), ...env });
  try {
    await run(world);
  } finally {
    await world.close();
  }
}

const NAMES = ['in the thread of the core', 'in a thread of its own', 'in two processes'];

for (const [count, name] of NAMES.entries()) {
  describe(`a gate ${name}`, () => {
    test('buys over both gates, exports all of it, and counts every request once', () =>
      withGates(count, async (world) => {
        await Promise.all(Array.from({ length: 4 }, () => purchase(world, 5)));
        const said = await Promise.all(
          Array.from({ length: 4 }, () => world.say('IntentMandate', world.intentBody(5))),
        );
        for (const answer of said) assert.ok(answer.result, JSON.stringify(answer));
        const exported = await world.rest('GET', '/ap2/evidence/export?format=ndjson');
        assert.equal(exported.status, 200);
        assert.ok(exported.text.split('\n').length > 12, exported.text);
        for (let request = 0; request < 6; request += 1) {
          // Each on a connection of its own, so that both processes get some.
          await fetch(`${world.node.address}/healthz`, { headers: { Connection: 'close' } });
        }
        const metrics = await (await fetch(`${world.node.address}/metrics`)).text();
        const counted = /countersign_request_seconds_count\{gate="rest",route="\/healthz",status="200"\} (\d+)/.exec(
          metrics,
        );
        assert.equal(counted?.[1], '6', metrics);
        assert.match(metrics, /countersign_process_start_time_seconds \d/);
      }));

    test('charges a caller from one bucket, whichever gate it comes to', () =>
      withGates(
        count,
        async (world) => {
          const asked = await Promise.all(
            Array.from({ length: 12 }, () =>
              fetch(`${world.node.address}/ap2/agents`, {
                headers: { Authorization: 'Bearer nobody', Connection: 'close' },
              }),
            ),
          );
          const statuses = asked.map(({ status }) => status).sort();
          assert.deepEqual(statuses, [...Array(5).fill(401), ...Array(7).fill(429)]);
        },
        { SANDBOX_BURST: '5', SANDBOX_RATE_PER_MINUTE: '1' },
      ));

    test('ends a request that is under way when the node stops, and takes no further connection', async () => {
      const lives = await makeLives(sqlite, { GATES: String(count) });
      try {
        const { hostname, port } = new URL(lives.node().address);
        const socket = connect(Number(port), hostname).on('error', () => {});
        let got = '';
        socket.on('data', (data) => {
          got += data;
        });
        const closed = new Promise((resolve) => socket.once('close', resolve));
        const head = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue';
        socket.write(`POST /a2a/gateway HTTP/1.1\r\n${head}\r\n\r\n`);
        // The gate has begun to read it.
        await until('the go-ahead', async () => got.includes('100 Continue'));
        const stopped = lives.stop();
        socket.write('[]');
        await closed;
        assert.match(got, /HTTP\/1\.1 200 OK/);
        await stopped;
        await assert.rejects(fetch(`${lives.node().address}/healthz`));
      } finally {
        await lives.close();
      }
    });
  });
}

test('a gate is given no secrets, and a node whose gate dies says that it cannot go on, and can be stopped in order', async () => {
  process.env['STRIPE_SECRET_KEY'] = 'sk_test_of_the_owner';
  const lives = await makeLives(sqlite, { GATES: '2' }).finally(() => {
    delete process.env['STRIPE_SECRET_KEY'];
  });
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number);
    const [gate] = children.filter((pid) => environmentOf(pid).includes('COUNTERSIGN_BESIDE=gate'));
    assert.equal(
      environmentOf(gate as number)
        .join()
        .includes('sk_test_of_the_owner'),
      false,
    );
    process.kill(gate as number, 'SIGKILL');
    const cause = await lives.node().lost;
    assert.match(cause.message, /SIGKILL/);
  } finally {
    await lives.close();
  }
});

test('a port that is taken is told as such, wherever the gate is', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  try {
    for (const count of NAMES.keys()) {
      const starting = makeLives(sqlite, { GATES: String(count), PORT: String(port) });
      await assert.rejects(starting, (error: NodeJS.ErrnoException) => error.code === 'EADDRINUSE');
    }
  } finally {
    holder.close();
  }
});

test('a node with a wrong setting ends, though the thread of its gate has begun', async () => {
  const { code, stderr } = await countersign(['serve'], { GATES: '1', PORT: 'none' });
  assert.equal(code, 2);
  assert.match(stderr, /PORT="none": must be a port/);
});

test('the heap of a gate in a process of its own is bounded as that of its node', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-gates-'));
  const node = await startChild({ GATES: '2', DATA_DIR: dataDir });
  try {
    const children = readFileSync(`/proc/${node.pid}/task/${node.pid}/children`, 'utf8').trim().split(' ');
    const started = children.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, -1));
    const [option, ...more] = startOptions('.');
    assert.match(option ?? '', /^--max-semi-space-size=/);
    assert.equal(started.length, 2);
    for (const [first] of started) assert.equal(first, option);
    assert.deepEqual(more, []);
  } finally {
    await node.stop();
    await rm(dataDir, { recursive: true });
  }
});

function environmentOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
}
