/** The same purchases by the stock clients of MPP and x402 alone, with no node between them and the shop: what the node adds stands beside. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { toBase64url } from '../protocol/credential/encodings.ts';
import { headerText } from '../protocol/x402/paymentRequired.ts';
import { mppChallenge } from '../test/support/mppChallenge.ts';
import { x402Offer, x402Required, x402Response } from '../test/support/x402Offer.ts';
import { percentile } from './report.ts';

const run = promisify(execFile);
const BUYER = 'bench/stockBuyer.mjs';
const STOCK = 'test/extensions/x402/stock';

interface StockPurchase {
  readonly p50: number;
  /** Of the client, for one purchase. */
  readonly cpuMs: number;
}

/** What a shop asks, by which header it is paid, and what it answers then. */
const SHOPS = {
  mpp: {
    asks: ['WWW-Authenticate', mppChallenge({ id: 'c1' })],
    paidBy: 'authorization',
    tells: ['Payment-Receipt', receipt()],
  },
  x402: {
    asks: ['PAYMENT-REQUIRED', headerText(x402Required([x402Offer()]))],
    paidBy: 'payment-signature',
    tells: ['PAYMENT-RESPONSE', x402Response()],
  },
} as const;

function receipt(): string {
  const told = { method: 'stripe', status: 'success', reference: 'pi_1', timestamp: '2026-01-01T00:00:00.000Z' };
  return toBase64url(new TextEncoder().encode(JSON.stringify(told)));
}

/** @param folder where packages of x402 are installed, as its lock file names them; those of MPP are this project's own */
export async function buyByStock(
  kind: keyof typeof SHOPS,
  folder: string,
  { warmUp, count }: { readonly warmUp: number; readonly count: number },
): Promise<StockPurchase> {
  const { asks, paidBy, tells } = SHOPS[kind];
  const shop = createServer((request, response) => {
    const isPaid = request.headers[paidBy] !== undefined;
    const [name, value] = isPaid ? tells : asks;
    response.writeHead(isPaid ? 200 : 402, { [name]: value, 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((ready) => shop.listen(0, '127.0.0.1', ready));
  try {
    const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const script = kind === 'mpp' ? resolve(BUYER) : await installed(folder);
    const { stdout } = await run(process.execPath, [script, kind, address, String(warmUp), String(count)], {
      timeout: 240_000,
      maxBuffer: 1 << 24,
    });
    const { tookMs, cpuMs } = JSON.parse(stdout) as { readonly tookMs: number[]; readonly cpuMs: number };
    return { p50: percentile(tookMs, 50), cpuMs };
  } finally {
    shop.closeAllConnections();
    await new Promise((closed) => shop.close(closed));
  }
}

/** @returns the buyer's script beside its packages */
async function installed(parent: string): Promise<string> {
  const folder = join(parent, 'stock');
  mkdirSync(folder);
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(STOCK, name), join(folder, name));
  const options = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  await run('npm', ['ci', ...options], { cwd: folder, timeout: 180_000 });
  const script = join(folder, 'stockBuyer.mjs');
  copyFileSync(BUYER, script);
  return script;
}
