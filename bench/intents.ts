/** Signed, durable intents per second, against the official SDK's server doing next to nothing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isProvenBy } from '../test/support/peer.ts';
import { applyLoad, type Load, type Measured } from './load.ts';
import { type BenchNode, GATE_BESIDE, intentBody, SHOP, signedCall, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { median, type Row, type Target, tableOf } from './report.ts';
import { type Server, startServer } from './server.ts';
import { targetOf } from './targets.ts';

const CONNECTIONS = 64;
const AGENTS = Number(process.env.BENCH_AGENTS ?? 256);
const SDK_HEADERS = { 'A2A-Version': '1.0' };
/** Until every side runs compiled code. */
const WARM_UP_SECONDS = 5;

interface Contender {
  readonly server: Server;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  body(index: number): string;
  check(samples: readonly string[]): void;
}

export async function measureIntents(options: Options, folder: string): Promise<Target[]> {
  const contenders = await startContenders(folder);
  const rounds = contenders.map((): Measured[] => []);
  const cpu = contenders.map(() => 0);
  try {
    const rates: number[] = [];
    for (const contender of contenders) rates.push(rateOf(await load(contender, folder, WARM_UP_SECONDS, 60_000)));
    for (let round = 0; round < options.rounds; round++) {
      for (const [index, contender] of contenders.entries()) {
        const bodies = Math.ceil((rates[index] as number) * options.seconds * 3) + 2000;
        const before = contender.server.cpuSeconds();
        const measured = await load(contender, folder, options.seconds, bodies);
        cpu[index] = (cpu[index] as number) + contender.server.cpuSeconds() - before;
        rounds[index]?.push(measured);
      }
    }
    console.log(`A2A intents, ${CONNECTIONS} connections, ${AGENTS} agents, velocity limit 10^9 in 1 h\n`);
    console.log(tableOf(contenders.map(({ server }, i) => rowOf(server, rounds[i] ?? [], cpu[i] as number))));
    const ratios = (own: number, other: number) =>
      (rounds[own] ?? []).map((measured, i) => rateOf(measured) / rateOf(rounds[other]?.[i]));
    return [
      targetOf('intents against the SDK echo', ratios(0, 2)),
      targetOf('intents against the SDK echo, gate beside', ratios(1, 2)),
      targetOf('intents against the SDK on SQLite', ratios(0, 3)),
      targetOf('intents against the SDK on SQLite, gate beside', ratios(1, 3)),
      targetOf('intents against the SDK on SQLite with a write-ahead log', ratios(0, 4)),
      targetOf('intents over MCP against the SDK echo', ratios(5, 2)),
      targetOf('SendMessage of standard A2A against the SDK echo', ratios(6, 2)),
    ];
  } finally {
    for (const { server } of contenders) await server.stop();
  }
}

async function startContenders(folder: string): Promise<Contender[]> {
  const nodes = [
    await startBenchNode('countersign', folder, AGENTS),
    await startBenchNode('countersign, gate beside', folder, AGENTS, GATE_BESIDE),
  ];
  const sdk = (mode: string) =>
    startServer(`sdk ${mode}`, ['--import', 'tsx', 'bench/sdkServer.ts'], {
      BENCH_MODE: mode,
      BENCH_DATABASE: join(folder, `${mode}.db`),
    });
  return [
    ...nodes.map(
      (node): Contender => ({
        server: node.server,
        path: '/a2a/gateway',
        headers: {},
        body: (index) => {
          const agent = node.agents[index % node.agents.length] as BenchNode['agents'][number];
          return signedCall(node, agent, 'IntentMandate', intentBody(node, agent));
        },
        check: (samples) => checkIntents(node, samples),
      }),
    ),
    ...[await sdk('echo'), await sdk('tasks'), await sdk('tuned')].map(
      (server): Contender => ({ server, path: '/', headers: SDK_HEADERS, body: sdkBody, check: checkSdk }),
    ),
    overMcp(await startBenchNode('countersign, MCP', folder, AGENTS)),
    overStandard(await startBenchNode('countersign, SendMessage', folder, AGENTS)),
  ];
}

/** The same intents as a model asks for them: a call of a tool, with a key. */
function overMcp(node: BenchNode): Contender {
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    server: node.server,
    path: '/mcp',
    headers: {
      Authorization: `Bearer ${node.adminKey}`,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': version,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'request_intent',
    },
    body(index) {
      const { did: agentDid } = node.agents[index % node.agents.length] as BenchNode['agents'][number];
      const principalDid = node.principal.did;
      const input = { maxAmount: 42.5, currency: 'USD', merchantDomain: SHOP, agentDid, principalDid };
      const params = { name: 'request_intent', arguments: input, _meta };
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    },
    check(samples) {
      for (const sample of samples) {
        const { allowed } = JSON.parse(sample).result.structuredContent;
        if (allowed !== true) throw new Error(`An intent was refused: ${sample}`);
      }
    },
  };
}

/** The same intents as tasks of standard A2A, with a key. */
function overStandard(node: BenchNode): Contender {
  let sent = 0;
  return {
    server: node.server,
    path: '/a2a/v1',
    headers: { ...SDK_HEADERS, Authorization: `Bearer ${node.adminKey}` },
    body(index) {
      const agent = node.agents[index % node.agents.length] as BenchNode['agents'][number];
      sent += 1;
      const messageId = `message-${sent}-${Date.now()}`;
      const message = {
        messageId,
        role: 'ROLE_USER',
        parts: [{ data: { 'countersign.intent': intentBody(node, agent) } }],
      };
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
    },
    check(samples) {
      for (const sample of samples) {
        const { state } = JSON.parse(sample).result.task.status;
        if (state !== 'TASK_STATE_COMPLETED') throw new Error(`An intent was refused: ${sample}`);
      }
    },
  };
}

/** The smallest message the SDK takes. */
function sdkBody(index: number): string {
  const message = { messageId: `message-${index}-${Date.now()}`, role: 'ROLE_USER', parts: [{ text: 'hello' }] };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
}

async function load(contender: Contender, folder: string, seconds: number, count: number): Promise<Measured> {
  const bodies = Array.from({ length: count }, (_, index) => contender.body(index));
  const scratch = join(folder, 'load');
  mkdirSync(scratch, { recursive: true });
  const plan: Load = {
    url: contender.server.address + contender.path,
    connections: CONNECTIONS,
    seconds,
    bodies,
    headers: contender.headers,
    folder: scratch,
  };
  const measured = await applyLoad(plan);
  if (measured.samples.length === 0) throw new Error(`${contender.server.name} gave no answer to look at.`);
  contender.check(measured.samples);
  return measured;
}

function checkIntents(node: BenchNode, samples: readonly string[]): void {
  for (const sample of samples) {
    const { message } = JSON.parse(sample).result;
    if (message.body.allowed !== true) throw new Error(`An intent was refused: ${sample}`);
    if (!isProvenBy(node.issuerDid, message, 'authentication')) throw new Error(`An answer's proof fails: ${sample}`);
    if (!isProvenBy(node.issuerDid, message.body.intentVc, 'assertionMethod')) {
      throw new Error(`A credential's proof fails: ${sample}`);
    }
  }
}

function checkSdk(samples: readonly string[]): void {
  for (const sample of samples) {
    const { message, task } = JSON.parse(sample).result;
    const done = message?.parts[0].text === 'hello' || task?.status.state === 'TASK_STATE_COMPLETED';
    if (!done) throw new Error(`The SDK did not do its part: ${sample}`);
  }
}

function rateOf(measured: Measured | undefined): number {
  return measured === undefined ? Number.NaN : measured.requests / measured.seconds;
}

function rowOf(server: Server, rounds: readonly Measured[], cpuSeconds: number): Row {
  const sum = (of: (measured: Measured) => number) => rounds.reduce((total, measured) => total + of(measured), 0);
  return {
    name: server.name,
    perSecond: median(rounds.map(rateOf)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    cpuMicroseconds: (cpuSeconds * 1e6) / sum(({ requests }) => requests),
    peakMib: server.peakMib(),
    generatorShare: sum(({ generatorCpuSeconds }) => generatorCpuSeconds) / sum(({ seconds }) => seconds),
  };
}
