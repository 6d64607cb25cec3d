/** Where agents buy, and from whose money. */
import type { JsonObject, Peer } from '../../support/peer.ts';
import type { Desk } from './desk.ts';

export interface Shop {
  readonly domain: string;
  readonly peer: Peer;
}

export interface Market {
  readonly desk: Desk;
  readonly agent: Peer;
  /** Whose money it tries to spend. */
  readonly principals: readonly Peer[];
  readonly shops: readonly Shop[];
  /** The longest pause between two purchases, in milliseconds. */
  readonly pauseMs: number;
  /** Whether it may begin another purchase. */
  isOpen(): boolean;
}

/** For agents that name the node in what they sign. */
export interface NodeMarket extends Market {
  /** The node's DID. */
  readonly nodeDid: string;
}

/** For every third amount the mandates are asked for in the forms of other libraries, too. */
export function formsFor(amount: number): JsonObject {
  return Math.round(amount * 100) % 3 === 0 ? { credentialFormats: ['vc+jwt', 'status'] } : {};
}
