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
  /** The merchant's account at the rail. */
  account: z.string().optional(),
  /** The rail's id of the payment, for everything after the authorization. */
  railId: z.string().optional(),
  mandateId: z.string(),
  intentId: z.string(),
  transactionId: z.string(),
});
export type RailRequest = z.infer<typeof RailRequest>;

export type RailOutcome =
  | { readonly kind: 'ok'; readonly railId: string; readonly status: string }
  | { readonly kind: 'declined'; readonly railId?: string; readonly code: string; readonly message: string }
  | { readonly kind: 'actionRequired'; readonly railId?: string; readonly code: string; readonly message: string }
  | { readonly kind: 'unknown'; readonly reason: string };

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
  /** What became of an attempt: undefined when the rail never heard of it. */
  status(attemptKey: string): Promise<RailOutcome | undefined>;
}

export type RailOperationName = 'authorize' | 'capture' | 'cancel' | 'refund';

/** The longest a rail may take to answer. */
export const RAIL_TIMEOUT_SECONDS = 10;
