/**
 * What the schema's largest input costs: the core for each operation of the table, called with every permission, and the gate for each
 * route and dialect, called without a credential. CPU time of the process, the least of several calls, since a busy machine only adds.
 */
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { Fault } from '../../protocol/wire/fault.ts';
import { parseInput } from '../../src/handlers/core/parseInput.ts';
import { Streamed } from '../../src/handlers/core/streamed.ts';
import { table, type UseCaseName } from '../../src/handlers/core/table.ts';
import { call, type UseCase } from '../../src/handlers/core/useCase.ts';
import { readConfig } from '../../src/node/config.ts';
import { describeRoutes } from '../../src/node/describeNode.ts';
import { routes } from '../../src/rest/routes.ts';
import { largestRules } from '../support/largestRules.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import { makePeer } from '../support/peer.ts';
import { everyEngine, makeWorld } from '../support/world.ts';
import type { Target } from './report.ts';

const TIMES = 5;
const BURST = 50;
const MOST_BYTES = 262_144;
/** What one call may take of the core, and each that an address is charged of a gate, in milliseconds. */
const BUDGET = { core: 20, gate: 2 };
/** Where a list has no bound of its own the body's length is the bound. */
const UNBOUNDED = 2000;

interface Cost {
  readonly name: string;
  readonly ms: number;
  readonly answer: string;
}

export async function measureLargest(): Promise<Target[]> {
  const core = await costsOfOperations();
  print('operation, at its largest input', core, BUDGET.core);
  const gate = await costsOfStrangers();
  print('route, without a credential', gate, BUDGET.gate);
  const target = (name: string, costs: readonly Cost[], budget: number): Target => {
    const figure = Math.max(...costs.map(({ ms }) => ms));
    return { name, figure, target: budget, better: 'lower', rounds: [figure] };
  };
  return [
    target('CPU of the costliest operation, ms of the core', core, BUDGET.core),
    target('CPU of the costliest call without a credential, ms of the gate', gate, BUDGET.gate),
  ];
}

function print(what: string, costs: readonly Cost[], budget: number): void {
  console.log(`\n${what.padEnd(56)}  CPU ms  (budget ${budget})`);
  for (const { name, ms, answer } of [...costs].sort((one, other) => other.ms - one.ms)) {
    console.log(`${name.padEnd(56)}  ${ms.toFixed(2).padStart(6)}  ${ms > budget ? 'OVER ' : ''}${answer}`);
  }
}

/** @returns the least CPU time of several calls, in milliseconds; the first one loads and compiles code */
async function leastOf(act: () => Promise<unknown>): Promise<number> {
  await act();
  const costs: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return Math.min(...costs);
}

async function costsOfOperations(): Promise<Cost[]> {
  const node = await memoryNode();
  const { did } = await node.agent();
  const costs: Cost[] = [];
  for (const name of Object.keys(table) as UseCaseName[]) {
    const useCase = table[name] as UseCase;
    const schema = z.toJSONSchema(useCase.input, { io: 'input', unrepresentable: 'any' }) as Schema;
    const input = name.startsWith('comparePolicies')
      ? { former: largestRules(0), next: largestRules(1) }
      : largestOf(schema, '', did);
    let answer = '';
    const act = async () => {
      answer = await answerOf(node, name, useCase, input);
    };
    const ms = await leastOf(act);
    costs.push({ name, ms, answer });
  }
  return costs;
}

async function answerOf(node: MemoryNode, name: UseCaseName, useCase: UseCase, input: unknown): Promise<string> {
  try {
    const output = await call(useCase.run, node.deps, node.owner, parseInput((table[name] as UseCase).input, input));
    if (output instanceof Streamed) return 'streamed';
    return 'answered';
  } catch (error) {
    if (error instanceof Fault) return `${error.code} ${error.details?.[0]?.path ?? ''}`;
    throw error;
  }
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Members that an input goes without, since only some texts of theirs lead further than the check of that text. */
const LEFT_OUT: ReadonlySet<string> = new Set(['cursor', 'expiresAt', 'at', 'since', 'until', 'wait', 'jwk']);

/** An input with nearly every member, each list as long as its schema lets it be, and texts that its members usually hold. */
function largestOf(schema: Schema, name: string, did: string): unknown {
  if (name === 'rules') return largestRules(0);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (first !== undefined) return largestOf(first, name, did);
  if (schema.type === 'array') {
    const length = schema.maxItems ?? UNBOUNDED;
    return Array.from({ length }, (_, index) => largestOf({ ...schema.items }, `${name} ${index}`, did));
  }
  if (schema.type === 'object' || schema.properties !== undefined) {
    const entries = Object.entries(schema.properties ?? {}).filter(([key]) => !LEFT_OUT.has(key));
    return Object.fromEntries(entries.map(([key, member]) => [key, largestOf(member, key, did)]));
  }
  if (schema.type === 'integer' || schema.type === 'number') return Math.min(schema.maximum ?? 100, 100);
  if (schema.type === 'boolean') return true;
  return textFor(name, did);
}

const TEXTS: readonly (readonly [RegExp, (index: string, did: string) => string])[] = [
  [/did/i, (_index, did) => did],
  [/currency/i, () => 'USD'],
  [/merchant|domain/i, (index) => `shop${index}.example`],
  [/url/i, () => 'https://hooks.example.com/'],
  [/^(from|to|expiresAt|created)$/i, () => '2026-11-25T09:00:00.000Z'],
  [/window/i, () => '24h'],
  [/mcc/i, () => '5411'],
  [/country/i, () => 'DE'],
  [/^publicKey/i, () => makePeer().publicKey],
  [/^limit|^wait/i, () => '30'],
];

function textFor(name: string, did: string): string {
  const [member = '', index = ''] = name.split(' ');
  return TEXTS.find(([pattern]) => pattern.test(member))?.[1](index, did) ?? `x${index}`;
}

/** Pads an object to the longest body, with what takes longest to parse. */
function padded(value: object): string {
  const text = JSON.stringify({ ...value, filler: [] });
  return `${text.slice(0, -2)}{}${',{}'.repeat(Math.floor((MOST_BYTES - text.length - 2) / 3))}]}`;
}

async function costsOfStrangers(): Promise<Cost[]> {
  const [engine] = everyEngine().filter(({ name }) => name === 'sqlite');
  if (engine === undefined) return [];
  const limits = {
    SANDBOX_RATE_PER_MINUTE: '30',
    SANDBOX_BURST: String(BURST),
    TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
  };
  const world = await makeWorld(engine, { ...limits, GATES: '0' });
  const reader = createServer((asked, response) => void asked.resume().once('end', () => response.end()));
  reader.listen(0, '127.0.0.1');
  await once(reader, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let addresses = 0;
  const send = (server: string, method: string, path: string, body: string | undefined) =>
    new Promise<{ readonly status: number; readonly left: number }>((resolve, reject) => {
      addresses += 1;
      const headers = {
        'X-Forwarded-For': `198.51.${(addresses >> 8) & 255}.${addresses & 255}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      };
      const asked = request(server + path, { method, agent, headers }, (response) => {
        const left = Number(response.headers['x-ratelimit-remaining'] ?? BURST - 1);
        response.resume().once('end', () => resolve({ status: response.statusCode ?? 0, left }));
      });
      asked.once('error', reject).end(body);
    });
  try {
    const dids = Array.from({ length: 100 }, () => makePeer().did);
    const body = padded({ did: dids[0], agentDid: dids[0], agents: dids, rules: largestRules(0).context });
    const query = `agents=${dids.slice(0, 50).join(',')}&agentDid=${dids[0]}`;
    const readers = `http://127.0.0.1:${(reader.address() as AddressInfo).port}`;
    const sending = {
      long: await leastOf(() => send(readers, 'POST', '/', body)),
      short: await leastOf(() => send(readers, 'GET', '/', undefined)),
    };
    const others = ['/a2a/gateway', '/a2a/v1', '/mcp'].map((path) => ({ method: 'POST', path }));
    const costs: Cost[] = [];
    for (const { method, path } of [...routes, ...describeRoutes(readConfig({})), ...others]) {
      const at = path.replace(/:\w+/g, 'some-id');
      const hasBody = method !== 'GET' && method !== 'DELETE';
      let answer = { status: 0, left: BURST };
      const act = async () => {
        answer = await send(world.node.address, method, hasBody ? at : `${at}?${query}`, hasBody ? body : undefined);
      };
      const ms = Math.max(0, (await leastOf(act)) - (hasBody ? sending.long : sending.short));
      // Where a body has to be read to know its sender, its address pays a call for each 8 KiB of it.
      const calls = Math.max(1, BURST - answer.left);
      costs.push({ name: `${method} ${path}`, ms: ms / calls, answer: `${answer.status}, ${calls} calls charged` });
    }
    return costs;
  } finally {
    agent.destroy();
    reader.closeAllConnections();
    await new Promise((resolve) => reader.close(resolve));
    await world.close();
  }
}
