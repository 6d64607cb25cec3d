/** What a node logs of the requests that it answers. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROGRAM } from '../support/command.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const KEY = `ak_test_${'L'.repeat(32)}`;

test('each request is one line at info, with its id, trace, caller, route, status and time, and without its secrets', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-log-'));
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0', BOOTSTRAP_API_KEY: KEY, ...collector };
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  context.after(async () => {
    child.kill();
    await new Promise((resolve) => child.once('exit', resolve));
    await rm(dataDir, { recursive: true, force: true });
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const address = await new Promise<string>((resolve) => {
    let greeting = '';
    child.stdout.on('data', (chunk) => {
      greeting += chunk;
      const url = /REST +(http:\S+)\/ap2/.exec(greeting)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
  const headers = { Authorization: `Bearer ${KEY}`, 'X-Request-Id': 'trace-1', traceparent };
  await fetch(`${address}/ap2/agents?limit=1`, { headers });
  const rpc = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a2a/message', params: {} });
  await fetch(`${address}/a2a/gateway`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: rpc,
  });
  const lines = await linesOf(() => log, 2);
  const [rest, a2a] = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  const { requestId, gate, method, route, status, caller, level } = rest;
  assert.deepEqual(
    { requestId, gate, method, route, status, caller, level },
    {
      requestId: 'trace-1',
      gate: 'rest',
      method: 'GET',
      route: '/ap2/agents',
      status: 200,
      caller: 'apiKey',
      level: 30,
    },
  );
  assert.match(rest.callerId, /^key_/);
  assert.equal(rest.trace_id, TRACE);
  assert.match(a2a.trace_id, /^[0-9a-f]{32}$/);
  assert.ok(rest.ms >= 0);
  assert.deepEqual([a2a.gate, a2a.route, a2a.status, a2a.caller], ['a2a', 'a2a/message', -32602, undefined]);
  assert.ok(!log.includes(KEY), 'a key must not be logged');
});

/** Waits until a text has at least `count` lines about requests. */
async function linesOf(text: () => string, count: number): Promise<string[]> {
  for (;;) {
    const lines = text()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'));
    if (lines.length >= count) return lines;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
