/** What a rail reports by itself, independent of its own format. */
import type { z } from 'zod';
import type { DisputeStatus } from '../../protocol/payment.ts';
import type { RailSnapshot } from './rail.ts';

export type RailNotice =
  /** The present state of a payment. */
  | { readonly kind: 'payment'; readonly snapshot: RailSnapshot }
  | {
      readonly kind: 'dispute';
      /** The payment at the rail. */
      readonly railId: string;
      readonly disputeId: string;
      /** In minor units of `currency`; undefined where the rail does not say how much is disputed. */
      readonly amountMinor: number | undefined;
      readonly currency: string | undefined;
      readonly reason: string | undefined;
      readonly status: DisputeStatus;
      /** True for a state that opens a dispute again that was lost: an appeal, or one that this program does not know. */
      readonly reopens: boolean;
      /** Until when it has to be answered, in milliseconds since the epoch. */
      readonly dueBy: number | undefined;
      /** How often evidence was submitted for it; undefined where the rail does not count that. */
      readonly submissions?: number | undefined;
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
  /** When the rail made it, by the rail's clock, in milliseconds since the epoch. */
  readonly createdAt?: number | undefined;
  readonly notice: RailNotice;
}

/** Where a rail posts its notifications, and what the documents say of that route. */
export interface RailNotifications {
  /** The rail's name. */
  readonly rail: string;
  readonly path: string;
  /** Names the operation in documents. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What it asks of its caller, in a sentence. */
  readonly asks: string;
  /** The header that signs the body, in lower case. */
  readonly signature: string;
  readonly body: z.ZodType;
  /** Told where that rail is not there to read them, in a sentence that names the remedy. */
  readonly unconfigured: string;
}

/** Reads the notifications that a rail posts. */
export interface RailEvents {
  /**
   * @param signature the header that signs the body
   * @throws Fault BAD_REQUEST for a body that the rail did not sign, signed too long ago, or sent for another environment
   */
  read(body: Uint8Array, signature: string | undefined, now: number): RailEvent;
}
