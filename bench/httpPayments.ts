/**
 * What a payment by HTTP costs beside a purchase with a cart: what the node adds to a stock client, which asks it twice, and its processor
 * time; beside it the same purchases by the stock clients alone, and the start of a node with and without the two protocols.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { headerText } from '../protocol/x402/paymentRequired.ts';
import { findProgram } from '../scripts/bundle/program.mjs';
import { startOptions } from '../scripts/startOptions.mjs';
import { extensions } from '../src/extensions/list.ts';
import { mppChallenge } from '../test/support/mppChallenge.ts';
import type { JsonObject, Peer } from '../test/support/peer.ts';
import { BASE, x402Offer, x402Required, x402Response } from '../test/support/x402Offer.ts';
import { buyerOf, makeCarts, openBuyer } from './buyer.ts';
import type { Client } from './client.ts';
import { adminRequest, type BenchNode, RULES, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { median, percentile, type Target } from './report.ts';
import { buyByStock } from './stockPurchases.ts';
import { type TargetName, targetOf } from './targets.ts';
import { startTimed } from './timedStart.ts';

const WARM_UP = 100;
const BATCH = 100;
const STARTS = 5;
const PROTOCOLS = ['mpp', 'x402'] as const;
const KINDS = ['cart', ...PROTOCOLS, 'external'] as const;
type Kind = (typeof KINDS)[number];
type Buy = (number: number) => Promise<void>;

interface Batch {
  /** Of one purchase, the half of them in milliseconds. */
  readonly p50: number;
  readonly cpuSeconds: number;
}

export async function measureHttpPayments(options: Options, folder: string): Promise<Target[]> {
  const node = await startBenchNode('payments by HTTP', folder, 1);
  const rails = ['CARD_RAIL', 'SPT_RAIL', 'X402_RAIL', 'EXTERNAL_RAIL'];
  const rules = { ...RULES, rails: { allow: rails } };
  await adminRequest(node.server, 'POST', '/ap2/admin/policies', { name: 'Every rail', rules });
  await adminRequest(node.server, 'POST', '/ap2/admin/wallets', { network: BASE });
  const client = await openBuyer(node, 'REST');
  try {
    const buys = buysAt(node, client, WARM_UP + options.rounds * BATCH);
    for (const kind of KINDS) await playBatch(node, buys[kind], 0, WARM_UP);
    const rounds: Record<Kind, Batch>[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const from = WARM_UP + round * BATCH;
      const played = {} as Record<Kind, Batch>;
      for (const kind of KINDS) played[kind] = await playBatch(node, buys[kind], from, BATCH);
      rounds.push(played);
    }
    for (const kind of PROTOCOLS) {
      const added = median(rounds.map((each) => each[kind].p50));
      const { p50, cpuMs } = await buyByStock(kind, folder, { warmUp: WARM_UP, count: options.rounds * BATCH });
      const alone = `the stock client alone p50 ${p50.toFixed(2)} ms, ${cpuMs.toFixed(2)} ms of its processor time`;
      console.log(`a purchase by ${kind}: ${alone}; the node adds p50 ${added.toFixed(2)} ms`);
    }
    await compareStarts(folder);
    const elsewhere = targetOf(
      'processor time of a payment elsewhere, reserved and told, against a cart purchase',
      rounds.map((each) => each.external.cpuSeconds / each.cart.cpuSeconds),
    );
    const byHttp = PROTOCOLS.flatMap((kind) => [
      targetOf(
        `p50 that the node adds to a payment by ${kind}, ms` satisfies TargetName,
        rounds.map((each) => each[kind].p50),
      ),
      targetOf(
        `processor time of a payment by ${kind}, against a cart purchase` satisfies TargetName,
        rounds.map((each) => each[kind].cpuSeconds / each.cart.cpuSeconds),
      ),
    ]);
    return [...byHttp, elsewhere];
  } finally {
    client.close();
    await node.server.stop();
  }
}

function buysAt(node: BenchNode, client: Client, most: number): Readonly<Record<Kind, Buy>> {
  const agent = node.agents[0] as Peer;
  const carts = makeCarts(node, most);
  const buy = buyerOf(node, 'REST');
  const ask = async (path: string, body: object) => {
    const { status, text } = await client.post(path, JSON.stringify(body));
    const answer = JSON.parse(text);
    if (status !== 200 || answer.allowed === false) throw new Error(`${path} answered ${status}: ${text}`);
    return answer;
  };
  const pay = async (offered: object, url: string, receipt: object) => {
    const { mandateId } = await ask('/ap2/http-payments/authorize', { agentDid: agent.did, url, ...offered });
    await ask('/ap2/http-payments/settlements', { mandateId, status: 200, ...receipt });
  };
  return {
    cart: async (number) => void (await buy(client, agent, carts[number] as JsonObject)),
    mpp: (number) =>
      pay({ challenges: [mppChallenge({ id: `c${number}` })] }, `https://reports.example/${number}`, {
        receipt: { method: 'stripe', status: 'success', reference: `pi_${number}` },
      }),
    external: async (number) => {
      const asked = { merchant: 'tea.example', amount: 5, currency: 'USD', channel: 'card' };
      const reserved = await ask('/ap2/external/reservations', {
        ...asked,
        agentDid: agent.did,
        idempotencyKey: `tea-${number}`,
      });
      const evidence = { kind: 'order', reference: `order-${number}` };
      await ask(`/ap2/external/reservations/${reserved.mandateId}/commit`, { evidence });
    },
    x402: (number) =>
      pay({ paymentRequired: REQUIRED }, `https://maps.example/${number}`, { paymentResponse: settledAs(number) }),
  };
}

const REQUIRED = headerText(x402Required([x402Offer()]));

function settledAs(number: number): string {
  return x402Response({ transaction: `0x${number.toString(16).padStart(64, '0')}`, payer: undefined });
}

async function playBatch(node: BenchNode, buy: Buy, from: number, count: number): Promise<Batch> {
  const before = node.server.cpuSeconds();
  const tookMs: number[] = [];
  for (let number = from; number < from + count; number++) {
    const started = performance.now();
    await buy(number);
    tookMs.push(performance.now() - started);
  }
  return { p50: percentile(tookMs, 50), cpuSeconds: node.server.cpuSeconds() - before };
}

/** Prints what a start takes with all extensions, and without the two; each of a database that is there. */
async function compareStarts(folder: string): Promise<void> {
  const program = findProgram('.');
  if (program === undefined) throw new Error('the program cannot be built');
  const names: readonly string[] = extensions.map(({ name }) => name);
  const nodes = [
    ['all extensions', names],
    ['without mpp and x402', names.filter((name) => !(PROTOCOLS as readonly string[]).includes(name))],
  ] as const;
  const took = new Map<string, number[]>();
  for (let start = 0; start <= STARTS; start += 1) {
    for (const [name, of] of nodes) {
      const dataDir = join(folder, `start ${name}`);
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      const settings = { DATA_DIR: dataDir, GATES: '0', EXTENSIONS: of.join(',') };
      const node = await startTimed([process.execPath, ...startOptions('.'), program, 'serve'], settings);
      await node.stop();
      // The first one makes the database.
      if (start > 0) took.set(name, [...(took.get(name) ?? []), node.milliseconds]);
    }
  }
  for (const [name, times] of took) console.log(`start, ${name}: ${median(times).toFixed(0)} ms (of ${STARTS})`);
}
