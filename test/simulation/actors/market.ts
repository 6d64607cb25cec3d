/** Where agents buy, and from whose money. */
import type { Peer } from '../../support/peer.ts';
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
