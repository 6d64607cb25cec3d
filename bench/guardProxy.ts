/** What `countersign guard` adds to a call of a tool that costs money: a stock client with it, which reserves at a node before it and commits after it, and without it. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PROGRAM } from '../test/support/command.ts';
import type { Peer } from '../test/support/peer.ts';
import { ADMIN_KEY, adminRequest, type BenchNode, RULES, SHOP, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { percentile, type Target } from './report.ts';
import { LOAD_CORE, pinSelf, SERVER_CORE } from './server.ts';
import { targetOf } from './targets.ts';

const SELLER = resolve('test/extensions/guard/doubles/shop.mjs');
const ABOUT = { name: 'bench', version: '1.0.0' };
const WARM_UP = 400;
const CALLS = 200;

export async function measureGuardProxy(options: Options, folder: string): Promise<Target[]> {
  const node = await startBenchNode('guarded calls', folder, 1, { EXTERNAL_RAIL: 'true' });
  const rules = { ...RULES, rails: { allow: ['CARD_RAIL', 'EXTERNAL_RAIL'] } };
  await adminRequest(node.server, 'POST', '/ap2/admin/policies', { name: 'Reservations', rules });
  // A host, the guard and the server behind it are three processes, of which one works at a time.
  pinSelf(`${SERVER_CORE},${LOAD_CORE}`);
  const plain = await connected([SELLER]);
  const guarded = await connected([
    PROGRAM,
    'guard',
    '--config',
    guardFile(node, folder),
    '--',
    process.execPath,
    SELLER,
  ]);
  try {
    await play(plain, WARM_UP);
    await play(guarded, WARM_UP);
    const rounds: number[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const without = await play(plain, CALLS);
      const withGuard = await play(guarded, CALLS);
      console.log(`p50 ${without.toFixed(2)} ms without the guard, ${withGuard.toFixed(2)} ms with it`);
      rounds.push(withGuard - without);
    }
    return [targetOf('p50 that the guard adds to a call of a tool, ms', rounds)];
  } finally {
    await plain.close();
    await guarded.close();
    await node.server.stop();
    pinSelf();
  }
}

function guardFile(node: BenchNode, folder: string): string {
  const file = join(folder, 'guard.toml');
  const { did } = node.agents[0] as Peer;
  const rule = `[[tool]]\nmatch = "buy"\namount = "$.amount"\nunit = "major"\ncurrency = "USD"\nmerchant = "${SHOP}"\nreference = "$.id"\n`;
  writeFileSync(file, `agentDid = "${did}"\n[node]\nurl = "${node.server.address}"\n${rule}`);
  return file;
}

async function connected(args: string[]): Promise<Client> {
  const env = { PATH: String(process.env['PATH']), COUNTERSIGN_API_KEY: ADMIN_KEY };
  const client = new Client(ABOUT);
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  await client.listTools();
  return client;
}

/** @returns the half of the calls, in milliseconds */
async function play(client: Client, count: number): Promise<number> {
  const tookMs: number[] = [];
  for (let number = 0; number < count; number++) {
    const started = performance.now();
    const result = await client.callTool({ name: 'buy', arguments: { amount: 1 + (number % 50) } });
    tookMs.push(performance.now() - started);
    if (result.isError === true) throw new Error(JSON.stringify(result));
  }
  return percentile(tookMs, 50);
}
