/** What a rail reports by itself, independent of its own format. */
import type { RailSnapshot } from './rail.ts';

export type RailNotice =
  /** The present state of a payment. */
  | { readonly kind: 'payment'; readonly snapshot: RailSnapshot }
  | {
      readonly kind: 'dispute';
      /** The payment at the rail. */
      readonly railId: string;
      readonly disputeId: string;
      readonly reason: string | undefined;
      /** How it ended, such as `won` or `lost`; undefined while it is open. */
      readonly outcome: string | undefined;
    }
  /** A question about a payment that may become a dispute, and takes no money back so far. */
  | {
      readonly kind: 'inquiry';
      readonly railId: string;
      readonly disputeId: string;
      readonly reason: string | undefined;
      /** As the rail calls it, such as `warning_needs_response`. */
      readonly status: string;
    }
  /** A refund failed after it had counted as done: the money is back with the merchant. */
  | { readonly kind: 'refundFailed'; readonly railId: string }
  | {
      readonly kind: 'token';
      /** The rail's id of the token, or ours. */
      readonly tokenId: string;
      readonly change: 'used' | 'expired' | 'revoked';
      /** The payment that used it. */
      readonly railId: string | undefined;
    }
  /** Nothing that concerns this node. */
  | { readonly kind: 'other' };

export interface RailEvent {
  /** The rail's id of the event; an event may come more than once. */
  readonly id: string | undefined;
  readonly type: string;
  readonly notice: RailNotice;
}

/** Reads the notifications that a rail posts. */
export interface RailEvents {
  /**
   * @param signature the header that signs the body
   * @throws Fault BAD_REQUEST for a body that the rail did not sign, signed too long ago, or sent for another environment
   */
  read(body: Uint8Array, signature: string | undefined, now: number): RailEvent;
}
