/**
 * A rail moves money. Every request carries an attempt key: a rail that gets the same key and parameters twice acts
 * once. A missing answer is the outcome `unknown`, never an exception.
 */
import { z } from 'zod';
import type { DisputeAnswer } from '../../protocol/dispute/disputeAnswer.ts';
import type { RailEvents } from './notice.ts';
import type { TokenIssuer } from './tokenIssuer.ts';

/** What a rail is asked; stored before it is sent, so that a repetition is the same request. */
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
  /** Why a hold is released without a request: it has expired, or was placed after the payment had failed. */
  reason: z.enum(['lapsed', 'late']).optional(),
  /** Of a payment that was made elsewhere: what shows that money came back. */
  evidence: z.record(z.string(), z.string()).optional(),
  /** Of a rail with a gate: who is paid, as the registry of merchants has it, until when, and what else its protocol read of the offer. */
  payee: z.string().optional(),
  expiresAt: z.int().optional(),
  offer: z.record(z.string(), z.string()).optional(),
  /** Of a rail with a gate: what it made before. It is never stored with a request, but added when the rail is asked. */
  credential: z.string().optional(),
});
export type RailRequest = z.infer<typeof RailRequest>;

const MOST_WORDS = 2000;

/**
 * What a rail says for people to read. Records take no NUL and no half of a surrogate pair: an outcome with one in its words would
 * never be recorded, and its payment never decided.
 */
const Words = z.string().transform((text) => text.slice(0, MOST_WORDS).toWellFormed().replaceAll('\u0000', '\uFFFD'));

const Refused = z.object({ railId: z.string().optional(), code: Words, message: Words });

/** What a rail answers; parsed, since what a rail says is stored and counted with. */
export const RailOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ok'),
    railId: z.string(),
    status: z.string(),
    /** Until when the rail holds the amount, in milliseconds since the epoch, where the rail reports it. */
    holdUntil: z.int().optional(),
    /** The total refunded so far, in minor units, where the rail reports it. */
    refundedMinor: z.int().nonnegative().optional(),
    /** Of a rail with a gate: what pays the merchant. Kept sealed, and never recorded. */
    credential: z.string().optional(),
    /** What the evidence of an authorization holds of it, so that others can check what was authorized. */
    proof: z.record(z.string(), z.unknown()).optional(),
  }),
  Refused.extend({ kind: z.literal('declined') }),
  Refused.extend({ kind: z.literal('actionRequired') }),
  z.object({ kind: z.literal('unknown'), reason: Words }),
]);
export type RailOutcome = z.infer<typeof RailOutcome>;

/** One operation that a rail was asked for. */
export interface RailAttempt {
  readonly key: string;
  readonly operation: RailOperationName;
  readonly request: RailRequest;
  /** When the rail was first asked, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/** The state of a payment at the rail, no matter which side caused it. */
export const RailSnapshot = z.object({
  railId: z.string(),
  mandateId: z.string().optional(),
  /** `open` until the authorization is decided. */
  state: z.enum(['open', 'authorized', 'captured', 'canceled', 'failed']),
  /** Minor units. */
  capturedMinor: z.int().nonnegative(),
  /** Minor units; undefined where this source does not contain it. */
  refundedMinor: z.int().nonnegative().optional(),
  holdUntil: z.int().optional(),
  /** Of what was captured, as the rail's records name it, such as a transaction. */
  reference: z.string().optional(),
  error: z.object({ code: Words, message: Words }).optional(),
});
export type RailSnapshot = z.infer<typeof RailSnapshot>;

/** Of a rail by which no merchant's cart is paid, but what a gate of its own asks for. */
interface RailGate {
  /** Whether what it made can be taken back before it was used. */
  readonly cancels: boolean;
  /** Where the money moves elsewhere, by no instrument of this node: it hears in words alone what became of a payment. */
  readonly isElsewhere?: true;
}

export interface Rail {
  /** The name policies and mandates use, such as CARD_RAIL. */
  readonly id: string;
  /** Present where its payments are captured and refunded by the merchant, who is paid with what the rail makes. */
  readonly gate?: RailGate;
  readonly capabilities: { readonly partialCapture: boolean; readonly partialRefund: boolean };
  /**
   * Only for a rail that has no database and moves no money: its outcomes follow from the requests alone. The node keeps the first
   * one of each attempt, in the commit that records it; until then the rail has done nothing.
   */
  readonly isKeptByNode?: true;
  /** Holds the amount. */
  authorize(attemptKey: string, request: RailRequest): Promise<RailOutcome>;
  /** Captures the amount, or part of it, from the hold. */
  capture(attemptKey: string, request: RailRequest): Promise<RailOutcome>;
  /** Releases the hold. */
  cancel(attemptKey: string, request: RailRequest): Promise<RailOutcome>;
  /** Refunds the amount, or part of it. */
  refund(attemptKey: string, request: RailRequest): Promise<RailOutcome>;
  /**
   * The outcome of an attempt; undefined when it has had no effect at the rail so far, and `unknown` where a look of
   * bounded length cannot say so.
   * @param signal aborted when the outcome is not waited for any more: nothing is asked of the rail then
   */
  status(attempt: RailAttempt, signal: AbortSignal): Promise<RailOutcome | undefined>;
  /** True for an instrument that may be used without being registered, such as a test card. */
  accepts(instrument: string): boolean;
  /**
   * The state of a payment, by the rail's id; for rails where others than this node may change it.
   * @param credential of a rail with a gate: what it made
   */
  snapshot?(railId: string, signal: AbortSignal, credential?: string): Promise<RailSnapshot | undefined>;
  /**
   * Gives the rail what answers a dispute, where it takes that; the same again changes nothing.
   * @param submit whether the bank gets it: then it cannot be changed any more
   * @returns how often evidence was submitted for it so far, as the rail counts
   * @throws Fault CONFLICT where the rail refuses it, UNAVAILABLE where it does not answer
   */
  answerDispute?(railDisputeId: string, answer: DisputeAnswer, submit: boolean): Promise<number>;
  /**
   * How often evidence was submitted for a dispute; there where `answerDispute` is.
   * @throws Fault CONFLICT where the rail has no such dispute, UNAVAILABLE where it does not answer
   */
  countSubmissions?(railDisputeId: string): Promise<number>;
  /** Reads what the rail posts to the node, where it does. */
  readonly events?: RailEvents | undefined;
  /** Issues shared payment tokens, where the rail has them. */
  readonly tokens?: TokenIssuer | undefined;
}

/** Whether a merchant's cart can be paid: by a rail that no gate of its own stands before. */
export function canPayCarts(rails: ReadonlyMap<string, Rail>): boolean {
  return [...rails.values()].some(({ gate }) => gate === undefined);
}

export type RailOperationName = 'authorize' | 'capture' | 'cancel' | 'refund';
