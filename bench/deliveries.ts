/** Webhook deliveries per second against a bare loop, and whether a dead receiver delays the others. */
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createBlackHole, type Socket } from 'node:net';
import { join } from 'node:path';
import { makePeer } from '../test/support/peer.ts';
import { adminRequest, serveNode } from './node.ts';
import type { Options } from './options.ts';
import { fillOutbox } from './outbox.ts';
import { median, percentile, type Target } from './report.ts';
import { type Server, startServer } from './server.ts';

/** As many as a node posts to one receiver at the same time. */
const CONNECTIONS = 16;
const RECEIVERS = 100;
const EVENTS_PER_SECOND = 10;
/** Long enough to fill an outbox before any of it is due. */
const FILL_MS = 3000;
const HOOKS = '/ap2/admin/webhooks';

export async function measureDeliveries(options: Options, folder: string): Promise<Target[]> {
  const throughput = await measureThroughput(options, folder);
  const delay = await measureDelay(options, folder);
  return [throughput, delay];
}

/** A receiver that answers at once and notes when. */
interface FastReceiver {
  readonly url: string;
  /** Milliseconds since the epoch, and since the event's `created`, of each post. */
  readonly posts: { readonly at: number; readonly delayMs: number; readonly path: string }[];
  close(): void;
}

async function fastReceiver(measuresDelay: boolean): Promise<FastReceiver> {
  const posts: { at: number; delayMs: number; path: string }[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    let body = '';
    if (measuresDelay) request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    else request.resume();
    request.on('end', () => {
      const at = Date.now();
      const delayMs = measuresDelay ? at - Date.parse(JSON.parse(body).created) : 0;
      posts.push({ at, delayMs, path: request.url ?? '' });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, posts, close };
}

async function measureThroughput(options: Options, folder: string): Promise<Target> {
  const receiver = await fastReceiver(false);
  const dataDir = join(folder, 'deliveries');
  const node = await serveNode('countersign', dataDir);
  const { id } = await adminRequest(node, 'POST', HOOKS, { url: receiver.url, events: ['payment.authorized'] });
  const { tenantId } = await adminRequest(node, 'GET', '/ap2/auth/me');
  const queue = { file: join(dataDir, 'countersign.db'), tenantId: String(tenantId), webhookId: String(id) };
  const bare = await startServer('bare undici', ['--import', 'tsx', 'bench/bareLoop.ts'], {
    BENCH_CONNECTIONS: String(CONNECTIONS),
    BENCH_TARGET: receiver.url,
  });
  try {
    const ratios: number[] = [];
    const rates: { node: number[]; bare: number[] } = { node: [], bare: [] };
    let count = 5000;
    for (let round = 0; round <= options.rounds; round++) {
      const bareRate = await rateOf(receiver, count, () => fetch(`${bare.address}/?count=${count}`));
      const nodeRate = await rateOf(receiver, count, () => fillOutbox(queue, count, Date.now() + FILL_MS));
      // The first round only says how much the others have to do.
      if (round > 0) {
        rates.node.push(nodeRate);
        rates.bare.push(bareRate);
        ratios.push(nodeRate / bareRate);
      }
      count = Math.ceil(nodeRate * options.seconds);
    }
    console.log(`one receiver, ${CONNECTIONS} connections, ${count} deliveries a round, on SQLite\n`);
    console.log(`countersign  ${median(rates.node).toFixed(0)} per s`);
    console.log(`bare undici  ${median(rates.bare).toFixed(0)} per s`);
    return {
      name: 'deliveries against a bare loop',
      figure: median(ratios),
      target: 0.6,
      better: 'higher',
      rounds: ratios,
    };
  } finally {
    await bare.stop();
    await node.stop();
    receiver.close();
  }
}

/** Posts per second, from the first to the last of them. */
async function rateOf(receiver: FastReceiver, count: number, start: () => Promise<unknown>): Promise<number> {
  receiver.posts.length = 0;
  const started = start();
  for (let waited = 0; receiver.posts.length < count; waited += 20) {
    if (waited > 120_000) throw new Error(`Only ${receiver.posts.length} of ${count} arrived.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await started;
  const first = receiver.posts[0]?.at ?? 0;
  const last = receiver.posts[count - 1]?.at ?? 0;
  return (count * 1000) / (last - first);
}

async function measureDelay(options: Options, folder: string): Promise<Target> {
  const receiver = await fastReceiver(true);
  const sockets = new Set<Socket>();
  const dead = createBlackHole((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
  const deadUrl = `http://127.0.0.1:${(dead.address() as AddressInfo).port}/`;
  const node = await serveNode('countersign', join(folder, 'delay'));
  try {
    const hooks: string[] = [];
    for (let index = 0; index < RECEIVERS; index++) {
      const url = `${receiver.url}/${index}`;
      hooks.push(String((await adminRequest(node, 'POST', HOOKS, { url, events: ['agent.created'] })).id));
    }
    const point = (url: string) => adminRequest(node, 'PUT', `${HOOKS}/${hooks[0]}`, { url });
    const delays = async () => {
      receiver.posts.length = 0;
      await registerFor(node, options.seconds);
      const expected = (RECEIVERS - 1) * options.seconds * EVENTS_PER_SECOND;
      const toOthers = () => receiver.posts.filter(({ path }) => path !== '/0');
      for (let waited = 0; toOthers().length < expected; waited += 50) {
        if (waited > 20_000) throw new Error(`Only ${toOthers().length} of ${expected} arrived.`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const others = toOthers().map(({ delayMs }) => delayMs);
      return others;
    };
    await delays();
    const ratios: number[] = [];
    const all: { alive: number[]; dead: number[] } = { alive: [], dead: [] };
    for (let round = 0; round < options.rounds; round++) {
      // Once the one first, once the other, so that a machine that gets busier favours neither.
      const measured = { alive: [] as number[], dead: [] as number[] };
      for (const state of round % 2 === 0 ? (['alive', 'dead'] as const) : (['dead', 'alive'] as const)) {
        await point(state === 'alive' ? `${receiver.url}/0` : deadUrl);
        measured[state] = await delays();
        all[state].push(...measured[state]);
      }
      ratios.push(median(measured.dead) / median(measured.alive));
    }
    console.log(
      `\n${RECEIVERS} receivers, ${EVENTS_PER_SECOND} events a second to each: delay of those that are alive\n`,
    );
    for (const [name, values] of [
      ['all alive', all.alive],
      ['one dead', all.dead],
    ] as const) {
      console.log(
        `${name.padEnd(10)} mean ${mean(values).toFixed(1)} ms, p50 ${percentile(values, 50)} ms, p99 ${percentile(values, 99)} ms, most ${percentile(values, 100)} ms`,
      );
    }
    const figure = median(ratios);
    return { name: 'delay beside a dead receiver', figure, target: 1.1, better: 'lower', rounds: ratios };
  } finally {
    for (const socket of sockets) socket.destroy();
    dead.close();
    await node.stop();
    receiver.close();
  }
}

/** Registers agents at an even pace, each an event for every receiver. */
async function registerFor(node: Server, seconds: number): Promise<void> {
  const started = performance.now();
  for (let index = 0; index < seconds * EVENTS_PER_SECOND; index++) {
    const due = started + (index * 1000) / EVENTS_PER_SECOND;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    await adminRequest(node, 'POST', '/ap2/agents', { name: 'Bench', publicKey: makePeer().publicKey });
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
