/**
 * A chain of the world, in its time: one contract that takes signed transfers (EIP-3009), once each and before their end. Nodes ask it
 * by JSON-RPC over the network of the world, which is in the mood of the rails.
 */
import type { Happening, RailBalance } from '../history.ts';
import type { Outgoing } from '../machine/agentOfWorld.ts';
import type { Chance } from '../machine/chance.ts';
import type { EventLoop } from '../machine/eventLoop.ts';
import type { RailMood } from './railLine.ts';

export const CHAIN_URL = 'https://chain.market.example/rpc';
export const NETWORK = 'eip155:8453';
/** Dollars on it, of six decimals, as protocol/x402/usdAssets.ts knows them. */
export const TOKEN = { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', name: 'USD Coin', version: '2' } as const;
/** Of the token's smallest unit in a cent. */
export const UNITS_IN_CENT = 10_000;

const AUTHORIZATION_STATE = '0xe94a0102';
/** A block is final after so long, in seconds. */
const FINAL_AFTER = 15;

/** As a wallet signs it. */
export interface Transfer {
  readonly to: string;
  readonly value: string;
  readonly validBefore: string;
  readonly nonce: string;
}

/** A transfer that an agent was given. */
interface Signed extends Transfer {
  readonly payment: string;
  settled: string | undefined;
  /** Whether its payee has said that it was settled, and it was not. */
  isClaimed: boolean;
}

export interface ChainOptions {
  readonly loop: EventLoop;
  readonly chance: Chance;
  readonly mood: () => RailMood;
  tell(happening: Happening): void;
}

export class Chain {
  readonly #options: ChainOptions;
  readonly #signed = new Map<string, Signed>();

  constructor(options: ChainOptions) {
    this.#options = options;
  }

  /** An agent has got a signed transfer: from now on it can be settled. */
  learn(payment: string, { to, value, validBefore, nonce }: Transfer): void {
    if (this.#signed.has(nonce)) return;
    this.#signed.set(nonce, { payment, to, value, validBefore, nonce, settled: undefined, isClaimed: false });
    this.#tell('authorize', this.#signed.get(nonce) as Signed);
  }

  /** @returns the transaction; undefined where the contract refuses the transfer */
  settle(nonce: string): string | undefined {
    const signed = this.#signed.get(nonce);
    if (signed === undefined || signed.settled !== undefined) return undefined;
    if (Number(signed.validBefore) <= this.#seconds()) return undefined;
    signed.settled = `0x${this.#options.chance.bytes(32).toString('hex')}`;
    this.#tell('capture', signed);
    return signed.settled;
  }

  /** A payee says that a transfer was settled, which was not. */
  claim(nonce: string): void {
    const signed = this.#signed.get(nonce);
    if (signed !== undefined) signed.isClaimed = true;
  }

  /** @returns what each payment is here */
  get balances(): readonly RailBalance[] {
    return [...this.#signed.values()].map((signed) => ({
      payment: signed.payment,
      authorizedMinor: minorOf(signed),
      capturedMinor: signed.settled === undefined ? 0 : minorOf(signed),
      refundedMinor: 0,
      cancelled: signed.settled === undefined && Number(signed.validBefore) <= this.#seconds(),
      currency: 'USD',
      isClaimed: signed.isClaimed,
    }));
  }

  /** A question of a node. */
  take({ body }: Outgoing, answer: (status: number, text: string) => void, fail: (code: string) => void): void {
    const { loop, chance, mood } = this.#options;
    const node = loop.current;
    const { deaf, mute, confused } = mood();
    if (chance.permille(deaf) || chance.permille(mute)) return;
    loop.schedule(node, 5 + 100 * chance.fraction() ** 3, 'answer of the chain', () => {
      if (chance.permille(confused)) fail('ECONNRESET');
      else answer(200, this.#answer(body));
    });
  }

  #answer(body: string): string {
    const { id, method, params } = JSON.parse(body) as {
      readonly id: number;
      readonly method: string;
      readonly params: readonly unknown[];
    };
    return JSON.stringify({ jsonrpc: '2.0', id, result: this.#result(method, params) });
  }

  #result(method: string, [first]: readonly unknown[]): unknown {
    if (method === 'eth_chainId') return hex(Number(NETWORK.split(':')[1]));
    if (method === 'eth_blockNumber') return hex(this.#seconds());
    if (method === 'eth_getBlockByNumber') {
      const final = hex(this.#seconds() - FINAL_AFTER);
      return { number: final, timestamp: final };
    }
    if (method === 'eth_call') {
      const { data } = first as { readonly data: string };
      if (!data.startsWith(AUTHORIZATION_STATE)) return '0x';
      return `0x${(this.#settledOf(`0x${data.slice(-64)}`) === undefined ? '0' : '1').padStart(64, '0')}`;
    }
    const { topics } = first as { readonly topics: readonly string[] };
    const transactionHash = this.#settledOf(String(topics[2]));
    return transactionHash === undefined ? [] : [{ transactionHash }];
  }

  #settledOf(nonce: string): string | undefined {
    return this.#signed.get(nonce)?.settled;
  }

  #seconds(): number {
    return Math.floor(this.#options.loop.time / 1000);
  }

  #tell(operation: 'authorize' | 'capture', signed: Signed): void {
    const { payment, nonce: key, to, validBefore } = signed;
    const money = { amountMinor: minorOf(signed), currency: 'USD' };
    const pays = { payee: `${NETWORK}:${to.toLowerCase()}`, endsAt: Number(validBefore) * 1000 };
    const act = { operation, key, payment, ...money, did: 'created', told: true, ...pays } as const;
    this.#options.tell({ at: this.#options.loop.time, kind: 'rail', node: -1, ...act });
  }
}

/** Less than a cent counts as one. */
function minorOf({ value }: Transfer): number {
  return Math.ceil(Number(value) / UNITS_IN_CENT);
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}
