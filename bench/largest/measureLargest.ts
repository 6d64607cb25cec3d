/**
 * The CPU that the largest input takes: of the core for every operation of the allOperations, and of a gate for what a stranger sends to
 * every route. CPU of the one thread and not time, the least of several, so that a busy machine says nearly the same.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../../protocol/wire/json.ts';
import { takeRequest } from '../../src/core/takeRequest.ts';
import type { Example } from '../../src/documents/examples/example.ts';
import { allOperations, allRoutes, loadApi, type OperationName } from '../../src/extensions/nodeOperations.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { describeRoutes } from '../../src/node/describeNode.ts';
import { ByteStream } from '../../src/usecase/byteStream.ts';
import { parseInput, type UseCase } from '../../src/usecase/useCase.ts';
import { makeMessage, makePeer } from '../../test/support/peer.ts';
import { replay } from '../../test/support/replay.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../test/support/world.ts';
import type { Options } from '../options.ts';
import type { Target } from '../report.ts';
import { filledUp, largestInput } from './largestInput.ts';

const { examples } = await loadApi();

const CORE_MS = 20;
const GATE_MS = 2;
const AGENTS = 1000;

interface Cost {
  readonly what: string;
  readonly ms: number;
  readonly said: string;
}

export async function measureLargest({ rounds }: Options): Promise<Target[]> {
  const core = await inWorld('0', (world) => costsOfCore(world, rounds));
  const gate = await inWorld('2', (world) => costsOfGate(world, rounds));
  print('operation (CPU of the core)', core, CORE_MS);
  print('route, to a stranger (CPU of a gate)', gate, GATE_MS);
  const worst = (costs: readonly Cost[]) => Math.max(...costs.map(({ ms }) => ms));
  return [
    {
      name: 'largest input of an operation, ms of the core',
      figure: worst(core),
      target: CORE_MS,
      better: 'lower',
      rounds: [],
    },
    {
      name: 'largest input of a stranger, ms of a gate',
      figure: worst(gate),
      target: GATE_MS,
      better: 'lower',
      rounds: [],
    },
  ];
}

async function inWorld(gates: string, measure: (world: World) => Promise<Cost[]>): Promise<Cost[]> {
  // A data folder of its own is all that this engine needs.
  const sqlite = { name: 'sqlite', prepare: async () => ({ env: {}, drop: async () => {} }) } as const;
  const world = await makeWorld(sqlite, { GATES: gates, TRUSTED_PROXIES: '127.0.0.0/8' });
  try {
    return await measure(world);
  } finally {
    await world.close();
  }
}

async function costsOfCore(world: World, rounds: number): Promise<Cost[]> {
  const { deps } = world.node;
  const credential = { kind: 'apiKey', hash: deps.hashToken(ADMIN_KEY) } as const;
  const ask = (name: OperationName, value: unknown) =>
    takeRequest(deps, { name, address: 'this machine', credential, input: { value } });
  const dids: string[] = [];
  for (let at = 0; at < AGENTS; at += 1) {
    const { did, publicKey } = makePeer();
    const { error } = await ask(
      'registerAgent',
      parseInput(allOperations.registerAgent.input, { name: `Agent ${at}`, publicKey }),
    );
    if (error !== undefined) throw new Error(error.message);
    dids.push(did);
  }
  const story = replay();
  const costs: Cost[] = [];
  for (const { useCase: name } of ordered()) {
    const example = examples[name] as Example;
    const { input, ...operation } = allOperations[name] as UseCase;
    if (operation.endless === true) continue;
    let best: Cost | undefined;
    for (let round = 0; round < rounds; round += 1) {
      const given = largestInput(world, name, story.fill(example.input), dids, `${name}${round}`.toLowerCase());
      let value: unknown;
      try {
        value = parseInput(input, { ...given, ...(parseJson(filledUp(given)) as object) });
      } catch (error) {
        best ??= { what: name, ms: 0, said: `not parsed: ${String(error).slice(0, 60)}` };
        break;
      }
      const before = await cpuOf(['self']);
      const { body, error } = await ask(name, value);
      const ms = (await cpuOf(['self'])) - before;
      if (body instanceof ByteStream) for await (const _piece of body.pieces);
      if (typeof body === 'string' && body !== '') story.learn(example.output, JSON.parse(body));
      const said = error === undefined ? 'ok' : error.kind === 'fault' ? error.code : `error: ${error.message}`;
      // A second attempt at what is done once is refused, and costs less.
      if (best === undefined || (said === best.said && ms < best.ms)) best = { what: name, ms, said };
    }
    if (best !== undefined) costs.push(best);
  }
  return costs;
}

/** The operations in the order of their examples, which can be played so. */
function ordered(): readonly { readonly useCase: OperationName }[] {
  return Object.keys(examples)
    .filter((name) => name !== 'resetTestData')
    .map((useCase) => ({ useCase: useCase as OperationName }));
}

async function costsOfGate(world: World, rounds: number): Promise<Cost[]> {
  const gates = gateProcesses();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = filledUp({ agents: Array.from({ length: 500 }, () => makePeer().did) });
  const query = `?agents=${Array.from({ length: 50 }, () => makePeer().did).join(',')}`;
  const to = world.node.deps.issuer.did;
  const message = (content: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'a2a/message',
      params: { message: makeMessage(makePeer(), { type: 'CartMandate', to, body: content as never }) },
    });
  const small = JSON.parse(
    `${filledUp({})
      .slice(0, 6998)
      .replace(/,?\{?$/, '')}]}`,
  ) as object;
  const cases: [string, string, string, string | undefined][] = [
    ...[...allRoutes, ...describeRoutes(readConfig({}))].map(
      ({ method, path }): [string, string, string, string | undefined] => {
        const filled = path.replace(/:\w+/g, 'some-id');
        const reads = method === 'GET' || method === 'DELETE';
        return [`${method} ${path}`, method, reads ? filled + query : filled, reads ? undefined : body];
      },
    ),
    ['POST /mcp', 'POST', '/mcp', body],
    ...['/a2a/gateway', '/a2a/v1'].flatMap((path): [string, string, string, string | undefined][] => [
      [`POST ${path}, a long body (of ${Math.ceil(body.length / 8192)} calls)`, 'POST', path, body],
      [`POST ${path}, a message of 7 KiB`, 'POST', path, message(small)],
    ]),
  ];
  // What runs for the first time is compiled; the gate that has the connection is the one that is measured.
  for (let time = 0; time < 100; time += 1) await send(world, agent, 'POST', '/ap2/intents', body);
  const costs: Cost[] = [];
  for (const [what, method, path, sent] of cases) {
    let best = Number.POSITIVE_INFINITY;
    let said = '';
    for (let round = 0; round < rounds; round += 1) {
      const before = await cpuOf(gates);
      said = String(await send(world, agent, method, path, sent));
      best = Math.min(best, (await cpuOf(gates)) - before);
    }
    const calls = what.includes('long body') ? Math.ceil(body.length / 8192) : 1;
    costs.push({ what, ms: best / calls, said });
  }
  agent.destroy();
  return costs;
}

function send(world: World, agent: Agent, method: string, path: string, body: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'X-Forwarded-For': '198.51.100.1',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const asked = request(world.node.address + path, { method, agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    asked.once('error', reject).end(body);
  });
}

/** A thread's CPU is told as it stood when it last gave way, which it has after so long. */
const GIVES_WAY_MS = 3;

/** Milliseconds of CPU of the first threads of processes (proc(5), schedstat). */
async function cpuOf(processes: readonly (number | 'self')[]): Promise<number> {
  await pause(GIVES_WAY_MS);
  const spent = processes.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]));
  return spent.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

function gateProcesses(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes('COUNTERSIGN_BESIDE=gate'));
}

function print(title: string, costs: readonly Cost[], bound: number): void {
  const width = Math.max(title.length, ...costs.map(({ what }) => what.length));
  console.log(`\n${title.padEnd(width)}      ms  of ${bound}`);
  for (const { what, ms, said } of costs.toSorted((one, other) => other.ms - one.ms)) {
    console.log(`${what.padEnd(width)}  ${ms.toFixed(2).padStart(6)}  ${ms > bound ? 'OVER' : 'ok  '}  ${said}`);
  }
}
