/** The gate in the core's thread and beside it: the same answers, the same limits, and no half of a node. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { environment } from '../../src/assets/beside.ts';
import { hostOver } from '../../src/node/gate/gateHost.ts';
import { countersign } from '../support/command.ts';
import { type Engine, everyEngine } from '../support/engines.ts';
import { makeLives } from '../support/lives.ts';
import { purchase } from '../support/purchase.ts';
import { until } from '../support/until.ts';
import { makeWorld, type World } from '../support/world.ts';

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

const NAMES = ['in the thread of the core', 'in a thread of its own'];

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
          await fetch(`${world.node.address}/healthz`);
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
                headers: { Authorization: 'Bearer unknown', Connection: 'close' },
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

test('the thread of a gate is given no secrets', () => {
  process.env['STRIPE_SECRET_KEY'] = 'sk_test_of_the_owner';
  try {
    const given = environment('gate');
    assert.equal(given['COUNTERSIGN_BESIDE'], 'gate');
    assert.equal(Object.values(given).includes('sk_test_of_the_owner'), false);
  } finally {
    delete process.env['STRIPE_SECRET_KEY'];
  }
});

test('a node whose gate dies is told so, and what it waits for from the gate fails', async () => {
  const worker = Object.assign(new EventEmitter(), { postMessage() {}, terminate: async () => 0 });
  const gate = hostOver(worker);
  const opening = gate.open({} as never);
  worker.emit('exit', 1);
  await assert.rejects(opening, /The thread of the gate ended/);
  assert.match((await gate.lost).message, /The thread of the gate ended/);
});

test('a gate that was asked to end is not told to be lost', async () => {
  const worker = Object.assign(new EventEmitter(), { postMessage() {}, terminate: async () => 0 });
  const gate = hostOver(worker);
  let isLost = false;
  void gate.lost.then(() => {
    isLost = true;
  });
  await gate.end();
  worker.emit('exit', 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isLost, false);
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
