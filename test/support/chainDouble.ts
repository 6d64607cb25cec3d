/** A chain with one contract that takes signed transfers, asked by JSON-RPC over HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChainDouble {
  readonly url: string;
  /** What was asked, by method. */
  readonly asked: string[];
  /** Seconds since the epoch: the time of each block there is. */
  time: number;
  /** False while it answers with an error. */
  isUp: boolean;
  chainId: number;
  /** False while questions are taken and not answered. */
  isPrompt: boolean;
  /** What moved so far, in the token's smallest unit. */
  moved: bigint;
  /** Settles a transfer, once. @param value in the token's smallest unit @returns the transaction */
  settle(nonce: string, value?: string): string;
  close(): Promise<void>;
}

const AUTHORIZATION_STATE = '0xe94a0102';

/** @param time seconds since the epoch */
export async function openChain(chainId: number, time: number): Promise<ChainDouble> {
  const used = new Map<string, string>();
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_chainId: () => `0x${chain.chainId.toString(16)}`,
    eth_blockNumber: () => '0x64',
    eth_getBlockByNumber: () => ({ number: '0x64', timestamp: `0x${chain.time.toString(16)}` }),
    eth_call: ([call]) => {
      const { data } = call as { readonly data: string };
      if (!data.startsWith(AUTHORIZATION_STATE)) return '0x';
      return `0x${(used.has(`0x${data.slice(-64)}`) ? '1' : '0').padStart(64, '0')}`;
    },
    eth_getLogs: ([filter]) => {
      const { topics } = filter as { readonly topics: readonly string[] };
      const transactionHash = used.get(String(topics[2]));
      return transactionHash === undefined ? [] : [{ transactionHash }];
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    chain.asked.push(method);
    if (!chain.isPrompt) return;
    const answer = answers[method];
    const told =
      chain.isUp && answer !== undefined ? { result: answer(params) } : { error: { code: -32000, message: 'is down' } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...told }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const chain: ChainDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-of-the-provider`,
    asked: [],
    time,
    isUp: true,
    isPrompt: true,
    moved: 0n,
    chainId,
    settle(nonce, value = '0') {
      if (used.has(nonce)) throw new Error('authorization is used');
      chain.moved += BigInt(value);
      const transaction = `0x${(used.size + 1).toString(16).padStart(64, 'a')}`;
      used.set(nonce, transaction);
      return transaction;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return chain;
}
