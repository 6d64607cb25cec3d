/** What a chain says of a transfer, asked by JSON-RPC: the contract knows the nonces of a wallet that were used (EIP-3009). */
import { z } from 'zod';
import { fromHex } from '../../../protocol/credential/encodings.ts';
import type { SafeClient } from '../../fetch/safeClient.ts';
import type { SignedTransfer } from './signedTransfer.ts';

/** `authorizationState(address,bytes32)` */
const AUTHORIZATION_STATE = '0xe94a0102';
/** `AuthorizationUsed(address,bytes32)`, both of them indexed. */
const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
/** Chains of developers, where no block is final. */
const DEVELOPER_CHAINS = new Set(['eip155:1337', 'eip155:31337']);
/** A transfer is looked for among so many blocks at the end: nodes answer for few, and it lives for minutes. */
const MOST_BLOCKS = 5000n;

interface TransferState {
  /** Whether it was settled; `lapsed` where it never can be, `open` where it still may. */
  readonly state: 'settled' | 'lapsed' | 'open';
  /** Of what was settled, where it was found: a hash. */
  readonly transaction?: string;
}

const Quantity = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);
const Block = z.object({ number: Quantity, timestamp: Quantity });
const Log = z.array(z.object({ transactionHash: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }));
const Answer = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() });

type Ask = <Result>(method: string, params: readonly unknown[], result: z.ZodType<Result>) => Promise<Result>;

/**
 * @param url where the chain is asked; it may hold a key, and is in no message
 * @throws Error where the chain does not answer, or is another one
 */
export async function transferState(
  client: SafeClient,
  url: string,
  transfer: Pick<SignedTransfer, 'asset' | 'authorization' | 'network'>,
): Promise<TransferState> {
  const { network, authorization } = transfer;
  const ask = asker(client, new URL(url));
  const chain = await ask('eth_chainId', [], Quantity);
  if (`eip155:${BigInt(chain)}` !== network)
    throw new Error(`The wallet's chain is asked at one that is not ${network}.`);
  // Asked before the state: what is final then is in the state that is seen.
  const last = await ask(
    'eth_getBlockByNumber',
    [DEVELOPER_CHAINS.has(network) ? 'latest' : 'finalized', false],
    Block,
  );
  const from = padded(authorization.from);
  const data = AUTHORIZATION_STATE + from + padded(authorization.nonce);
  const used = await ask('eth_call', [{ to: transfer.asset, data }, 'latest'], z.string());
  // A contract without the function, or no contract, answers with nothing.
  if (!/^0x0{63}[01]$/.test(used)) throw new Error('The contract does not tell which authorizations were used.');
  if (used.endsWith('1')) return { state: 'settled', ...(await transactionOf(ask, transfer)) };
  return { state: BigInt(last.timestamp) > BigInt(authorization.validBefore) ? 'lapsed' : 'open' };
}

/** The transaction that used the nonce, where the chain's node still looks so far back. */
async function transactionOf(
  ask: Ask,
  { asset, authorization }: Pick<SignedTransfer, 'asset' | 'authorization'>,
): Promise<{ readonly transaction?: string }> {
  try {
    const last = BigInt(await ask('eth_blockNumber', [], Quantity));
    const fromBlock = `0x${(last > MOST_BLOCKS ? last - MOST_BLOCKS : 0n).toString(16)}`;
    const topics = [AUTHORIZATION_USED, `0x${padded(authorization.from)}`, authorization.nonce];
    const [found] = await ask('eth_getLogs', [{ address: asset, topics, fromBlock, toBlock: 'latest' }], Log);
    return found === undefined ? {} : { transaction: found.transactionHash.toLowerCase() };
  } catch {
    return {};
  }
}

function padded(hex: string): string {
  const digits = hex.slice(2).toLowerCase();
  if (fromHex(digits) === undefined) throw new Error('A transfer has hexadecimal digits.');
  return digits.padStart(64, '0');
}

function asker(client: SafeClient, url: URL): Ask {
  return async (method, params, result) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const { status, failure, overlong, answer } = await client.exchange({ method: 'POST', url, headers, body });
    if (failure !== undefined || overlong || status !== 200) {
      throw new Error(`${url.host} did not answer ${method} (${failure ?? `HTTP ${status}`}).`);
    }
    const told = Answer.parse(JSON.parse(answer.toString('utf8')));
    if (told.error !== undefined) throw new Error(`${url.host} refused ${method}: ${told.error.message.slice(0, 200)}`);
    return result.parse(told.result);
  };
}
