/** Connections that are idle, half-sent or slow, upgrades, and answers that are not read: memory is bounded, and callers go on. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ChildNode, startChild } from '../support/child.ts';
import { noteFigure } from '../support/figures.ts';
import { rounds } from '../support/rounds.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY } from '../support/world.ts';

const MANY = rounds(10_000, 600);
const UPGRADES = rounds(2000, 200);
const HELD_MS = rounds(15_000, 3000);
/** What a flood may add to the node's memory. */
const MOST_MIB = 400;
/** A caller with a connection of its own is answered within this time throughout. */
const PATIENCE_MS = 5000;
/** A flood comes from so many addresses, each within its own share of connections. */
const ADDRESSES = 12;

interface Flood {
  readonly name: string;
  readonly count: number;
  /** What is sent at once. */
  readonly first: string | Buffer;
  /** What is sent each second from then on. */
  readonly trickle?: string | Buffer;
  /** True where it reads none of the answers. */
  readonly reads?: false;
}

const HEAD = `POST /ap2/intents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
const UPGRADE =
  'GET /a2a/gateway HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: Y291bnRlcnNpZ24gZG9jcw==\r\n\r\n';

/** A frame of a client (RFC 6455 section 5.2), its mask all zeros. @param opcode 1 for text, 9 for a ping */
function frame(opcode: number, text: string): Buffer {
  const { length } = text;
  const head = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...head, 0, 0, 0, 0]), Buffer.from(text)]);
}

const many = (one: string | Buffer, times: number) => Buffer.concat(Array(times).fill(Buffer.from(one)));
/** A batch of which each item fails, and whose answer is some twenty times as long. */
const BATCH = frame(1, `[${Array(50).fill('{}').join(',')}]`);
const DOCUMENT = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
const UNREAD = 50;

const FLOODS: readonly Flood[] = [
  {
    name: 'connections that ask for a long document 2,000 times and read nothing',
    count: UNREAD,
    first: many(DOCUMENT, 2000),
    trickle: many(DOCUMENT, 200),
    reads: false,
  },
  {
    name: 'connections that ask for a long document 8 times a second and read nothing',
    count: UNREAD,
    first: many(DOCUMENT, 8),
    trickle: many(DOCUMENT, 8),
    reads: false,
  },
  {
    name: 'sockets that send 2,000 frames and read nothing',
    count: UNREAD,
    first: Buffer.concat([Buffer.from(UPGRADE), many(BATCH, 2000)]),
    trickle: many(BATCH, 2000),
    reads: false,
  },
  {
    name: 'sockets that send 200,000 pings a second and read nothing',
    count: UNREAD,
    first: Buffer.concat([Buffer.from(UPGRADE), many(frame(9, 'x'.repeat(125)), 4000)]),
    trickle: many(frame(9, 'x'.repeat(125)), 4000),
    reads: false,
  },
  { name: 'idle connections', count: MANY, first: '' },
  {
    name: 'half-sent bodies of 128 KiB',
    count: MANY,
    first: `${HEAD}Content-Length: 131072\r\n\r\n${' '.repeat(65_536)}`,
  },
  { name: 'slow bodies, a byte a second', count: MANY, first: `${HEAD}Content-Length: 131072\r\n\r\n{`, trickle: ' ' },
  {
    name: 'upgrades to a WebSocket',
    count: UPGRADES,
    first: UPGRADE,
  },
];

for (const flood of FLOODS) {
  test(`${flood.count} ${flood.name} cost bounded memory, and keep no caller waiting`, async (t) => {
    const node = await nodeOf(t);
    const caller = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => caller.destroy());
    assert.equal((await ask(node, caller)).status, 200);
    const before = await residentMiB(node.pid);
    const sockets: Socket[] = [];
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    let peak = before;
    let longest = 0;
    const until = performance.now() + HELD_MS;
    const look = async () => {
      const answer = await ask(node, caller);
      assert.equal(answer.status, 200);
      assert.equal((await fetch(`${node.address}/healthz`)).status, 200);
      longest = Math.max(longest, answer.ms);
      peak = Math.max(peak, await residentMiB(node.pid));
    };
    for (let made = 0; made < flood.count; made += 250) {
      for (let one = made; one < Math.min(flood.count, made + 250); one++) sockets.push(open(node, flood, one));
      await look();
    }
    const held = () => sockets.filter((socket) => !socket.closed && socket.readyState === 'open').length;
    const most = held();
    while (performance.now() < until) {
      if (flood.trickle !== undefined) for (const socket of sockets) if (socket.writable) socket.write(flood.trickle);
      await look();
      await pause(1000);
    }
    assert.ok(longest < PATIENCE_MS, `a caller waited for ${longest} ms`);
    assert.ok(peak - before < MOST_MIB, `the flood took ${peak - before} MiB`);
    await newCallerIsServed(node);
    for (const socket of sockets) socket.destroy();
    await newCallerIsServed(node);
    noteFigure(
      `${flood.count} ${flood.name}`,
      `${most} held once all had tried; the node grew from ${before} to ${peak} MiB; a caller with a connection waited for ` +
        `${Math.round(longest)} ms at most; a new one was served, while they were held and after`,
    );
  });
}

async function nodeOf(t: TestContext): Promise<ChildNode> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-flood-'));
  const limits = { SANDBOX_RATE_PER_MINUTE: '1000000', SANDBOX_BURST: '1000000' };
  const node = await startChild({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY, ...limits });
  t.after(async () => {
    await node.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return node;
}

function open(node: ChildNode, flood: Flood, number: number): Socket {
  const localAddress = `127.0.1.${1 + (number % ADDRESSES)}`;
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(node.address).port), localAddress });
  socket.on('error', () => {});
  if (flood.reads !== false) socket.resume();
  socket.once('connect', () => {
    if (flood.first !== '') socket.write(flood.first);
  });
  return socket;
}

function ask(node: ChildNode, agent: Agent): Promise<{ readonly status: number; readonly ms: number }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
    const asked = request(`${node.address}/ap2/agents?limit=1`, { agent, headers }, (response) => {
      response.resume().once('end', () => {
        resolve({ status: response.statusCode ?? 0, ms: performance.now() - began });
      });
    });
    asked.once('error', reject).end();
  });
}

/** A connection that is made now. */
async function newCallerIsServed(node: ChildNode): Promise<void> {
  const agent = new Agent();
  await until('a new caller is served', async () => {
    const answer = await ask(node, agent).catch(() => undefined);
    return answer?.status === 200;
  });
}

/** The node's resident memory. */
async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}
