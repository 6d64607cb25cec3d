/** The record that the simulator writes and the oracle reads: what the people and programs outside of the nodes have seen. */

/** Why there is no answer, though the connection stayed: nothing was lost, so the node owes one. */
export const UNHEARD = 'no answer on a connection that stayed';

/** What happened in a simulated world, in order, as people outside of the nodes could have seen it. */
export type Happening = {
  /** Milliseconds of the world's true time. */
  readonly at: number;
} & (
  | Asked
  | {
      /** The client has the answer: acknowledged. */
      readonly kind: 'answered';
      readonly id: number;
      /** HTTP status. */
      readonly status: number;
      readonly body: unknown;
    }
  | {
      /** It may be done or not. */
      readonly kind: 'unanswered';
      readonly id: number;
      /** Such as a crash, or what the network did. */
      readonly why: string;
    }
  | RailAct
  | {
      readonly kind: 'received';
      readonly endpoint: string;
      /** The event's id. */
      readonly event: string;
      readonly type: string;
      readonly data: unknown;
      /** The status that the receiver gave; 0 for none. */
      readonly answer: number;
    }
  | {
      readonly kind: 'checkpoint';
      readonly node: number;
      /** As an outsider has kept it. */
      readonly note: string;
    }
  | {
      readonly kind: 'fault';
      readonly node: number;
      /** Such as crash, power cut, disk full, clock jump. */
      readonly what: string;
      readonly detail: string;
    }
  | {
      /** All faults have ended and all is at rest: what the owner reads through the API. */
      readonly kind: 'quiet';
      readonly books: Books;
    }
);

interface Asked {
  readonly kind: 'asked';
  readonly id: number;
  /** The actor. */
  readonly by: string;
  /** The agent's. */
  readonly did?: string;
  readonly node: number;
  /** The use case, such as issueIntent, validateCart, mandatePayment, capturePayment, revokeAgent. */
  readonly call: string;
  readonly input: unknown;
  /** The idempotency key, or the message's id. */
  readonly key?: string;
}

/** What the rail really did. */
interface RailAct {
  readonly kind: 'rail';
  readonly node: number;
  /** authorize, capture, cancel, refund or find. */
  readonly operation: string;
  /** The attempt's key. */
  readonly key: string;
  readonly payment: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly did: 'created' | 'again' | 'declined' | 'nothing';
  /** Whether its answer arrives. */
  readonly told: boolean;
  /** Of what pays a merchant: who may take money with it, and until when. */
  readonly payee?: string;
  readonly endsAt?: number;
}

/** What the owner reads of a node at rest, through the API. */
export interface Books {
  readonly payments: readonly unknown[];
  readonly intents: readonly unknown[];
  /** The whole chain. */
  readonly events: readonly unknown[];
  readonly deliveries: readonly unknown[];
  readonly checkpoints: readonly string[];
  readonly rail: readonly RailBalance[];
  /** Tasks of standard A2A, whole. */
  readonly tasks?: readonly unknown[];
  /** Whether the bit is set of each place in a status list that a mandate has, by `list#place`. */
  readonly statuses?: ReadonlyMap<string, boolean>;
  /** Set where these are the books since they were read last: all that has changed, and the events from this one on. */
  readonly sinceSeq?: number;
}

/** What one payment is at the rail. */
export interface RailBalance {
  readonly payment: string;
  readonly authorizedMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly cancelled: boolean;
  readonly currency: string;
  /** Whether the merchant has said that it took the money, and has not. */
  readonly isClaimed?: boolean;
  readonly disputes?: readonly { readonly id: string; readonly amountMinor: number; readonly status: string }[];
}

/** The oracle: told each happening, answers what is violated; pure. */
export interface Oracle {
  tell(happening: Happening): readonly Violation[];
  end(): readonly Violation[];
  /** What was told so far was judged. @param kept how many happenings stay for stories @param at the world's time, in milliseconds */
  forget(kept: number, at: number): void;
}

export interface Violation {
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8';
  /** Plain, subject first. */
  readonly sentence: string;
  /** Places in the history. */
  readonly happenings: readonly number[];
}
