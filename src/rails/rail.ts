/**
 * A rail moves money. Every request carries an attempt key; asked twice with the same key and parameters, a rail
 * does the thing once. An answer that did not come is an outcome of its own, never an exception.
 */
import { z } from 'zod';

/** Exactly what is asked of a rail; stored before it is sent, so that a repetition is the same request. */
export const RailRequest = z.object({
  amountMinor: z.int().nonnegative(),
  currency: z.string(),
  merchant: z.string(),
  /** How the person pays, as the rail names it; the rail's default when absent. */
  instrument: z.string().optional(),
  /** Whose instrument it is, as the rail names that person. */
  customer: z.string().optional(),
  /** The merchant's account at the rail. */
  account: z.string().optional(),
  /** The rail's id of the payment, for everything after the authorization. */
  railId: z.string().optional(),
  mandateId: z.string(),
  intentId: z.string(),
  transactionId: z.string(),
  /** Why a hold is let go of, where nobody asked for it: it has run out, or came after the payment had failed. */
  reason: z.enum(['lapsed', 'late']).optional(),
});
export type RailRequest = z.infer<typeof RailRequest>;

export type RailOutcome =
  | {
      readonly kind: 'ok';
      readonly railId: string;
      readonly status: string;
      /** Until when the rail holds the amount, in milliseconds since the epoch, where it says so. */
      readonly holdUntil?: number;
      /** All that was given back so far, in minor units, where the rail says so. */
      readonly refundedMinor?: number;
    }
  | { readonly kind: 'declined'; readonly railId?: string; readonly code: string; readonly message: string }
  | { readonly kind: 'actionRequired'; readonly railId?: string; readonly code: string; readonly message: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** One thing that was asked of a rail. */
export interface RailAttempt {
  readonly key: string;
  readonly operation: RailOperationName;
  readonly request: RailRequest;
  /** When it was first asked, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/** How a payment stands at the rail, whoever brought it there. */
export interface RailSnapshot {
  readonly railId: string;
  readonly mandateId: string | undefined;
  /** `open` is everything before an authorization has been decided. */
  readonly state: 'open' | 'authorized' | 'captured' | 'canceled' | 'failed';
  /** Minor units. */
  readonly capturedMinor: number;
  /** Minor units; undefined where this view of the payment does not show it. */
  readonly refundedMinor?: number | undefined;
  readonly holdUntil?: number | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

export interface Rail {
  /** The name policies and mandates use, such as CARD_RAIL. */
  readonly id: string;
  readonly capabilities: { readonly partialCapture: boolean; readonly partialRefund: boolean };
  /** Holds the amount. */
  authorize(attemptKey: string, request: RailRequest): Promise<RailOutcome>;
  /** Takes the amount, or part of it, from what was held. */
  capture(attemptKey: string, request: RailRequest): Promise<RailOutcome>;
  /** Lets go of what was held. */
  cancel(attemptKey: string, request: RailRequest): Promise<RailOutcome>;
  /** Gives the amount, or part of it, back. */
  refund(attemptKey: string, request: RailRequest): Promise<RailOutcome>;
  /** What became of an attempt: undefined when it had no effect at the rail (so far). */
  status(attempt: RailAttempt): Promise<RailOutcome | undefined>;
  /** True for an instrument that may be named without having been registered, such as a test card. */
  accepts(instrument: string): boolean;
  /** How a payment stands, by the rail's own id; for rails where others than this node may change it. */
  look?(railId: string): Promise<RailSnapshot | undefined>;
}

export type RailOperationName = 'authorize' | 'capture' | 'cancel' | 'refund';
