/** An exchange, as a message of standard A2A asks for it, and what a data part must say of itself to begin one. */
import type { z } from 'zod';

/** The exchanges that a task is: one of a purchase, all three, a payment of what a server asked for by HTTP, or one that is made elsewhere. */
export const TASK_KINDS = ['intent', 'cart', 'payment', 'purchase', 'httpPayment', 'external'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

type Members = Readonly<Record<string, unknown>>;

/**
 * What a message asks for, parsed. What begins a task has the kind of its row in the node's list of exchanges, and what that
 * row needs; the other kinds are below.
 */
export interface Exchange {
  readonly kind: string;
  /** The input of the operation that answers the exchange. */
  readonly input?: object;
}

/** Goes on with a purchase that waits for its cart. */
export interface CartOfPurchase extends Exchange {
  readonly kind: 'cartOfPurchase';
  readonly input: {
    readonly cartVc: Members;
    readonly hpProof?: Members | undefined;
    readonly credentialFormats?: readonly string[] | undefined;
  };
}

/** Goes on with a task that waits for the person. */
export interface TouchOfTask extends Exchange {
  readonly kind: 'touch';
  readonly hpProof: Members;
}

/** Tells a task that waits for it what came of what it has asked for. */
export interface WordToTask extends Exchange {
  readonly kind: 'told';
  /** The operation that takes the word, by its name in the table. */
  readonly operation: string;
  readonly input: object;
}

/** A message in words alone: a task that gets one changes nothing. */
export const WORDS: Exchange = { kind: 'words' };

/** How a data part is read. */
export interface PartContext {
  /** Whether the message goes on with a task. */
  readonly continues: boolean;
  /** Gives an input the agent and the principal that its sender need not name again. */
  filled(input: unknown): unknown;
  /** The members that stand beside the part, by their names. */
  readonly beside: Members;
}

/** A member of a data part that asks for something. */
export interface ExchangePart {
  readonly name: string;
  /** The members that are read with it, each with what it must be. */
  readonly beside?: Readonly<Record<string, z.ZodType>>;
  schema(context: PartContext): z.ZodType<Exchange>;
}
