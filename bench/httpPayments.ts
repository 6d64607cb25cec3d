/** What a payment by HTTP costs beside a purchase with a cart: what the node adds to a stock client, which asks it twice, and its processor time. */
import { headerText } from '../protocol/x402/paymentRequired.ts';
import { mppChallenge } from '../test/support/mppChallenge.ts';
import type { JsonObject, Peer } from '../test/support/peer.ts';
import { buyerOf, makeCarts, openBuyer } from './buyer.ts';
import type { Client } from './client.ts';
import { adminRequest, type BenchNode, RULES, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { percentile, type Target } from './report.ts';
import { type TargetName, targetOf } from './targets.ts';

const BASE = 'eip155:8453';
const WARM_UP = 100;
const BATCH = 100;
const KINDS = ['cart', 'mpp', 'x402'] as const;
type Kind = (typeof KINDS)[number];
type Buy = (number: number) => Promise<void>;

interface Batch {
  /** Of one purchase, the half of them in milliseconds. */
  readonly p50: number;
  readonly cpuSeconds: number;
}

export async function measureHttpPayments(options: Options, folder: string): Promise<Target[]> {
  const node = await startBenchNode('payments by HTTP', folder, 1);
  const rails = ['CARD_RAIL', 'SPT_RAIL', 'X402_RAIL'];
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
    return (['mpp', 'x402'] as const).flatMap((kind) => [
      targetOf(
        `p50 that the node adds to a payment by ${kind}, ms` satisfies TargetName,
        rounds.map((each) => each[kind].p50),
      ),
      targetOf(
        `processor time of a payment by ${kind}, against a cart purchase` satisfies TargetName,
        rounds.map((each) => each[kind].cpuSeconds / each.cart.cpuSeconds),
      ),
    ]);
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
    x402: (number) =>
      pay({ paymentRequired: REQUIRED }, `https://maps.example/${number}`, { paymentResponse: settledAs(number) }),
  };
}

const REQUIRED = headerText({
  x402Version: 2,
  resource: { url: 'https://maps.example/' },
  accepts: [
    {
      scheme: 'exact',
      network: BASE,
      amount: '5000000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
});

function settledAs(number: number): string {
  const transaction = `0x${number.toString(16).padStart(64, '0')}`;
  return headerText({ success: true, transaction, network: BASE });
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
