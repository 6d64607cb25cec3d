/** A request as a use case sees it, whichever gate it came in by: data, and nothing of the gate itself. */
import type { MandateType } from '../../protocol/wire/mandateType.ts';
import type { Caller } from '../access/caller.ts';
import type { ByteStream } from './byteStream.ts';
import type { RequestKey } from './idempotency.ts';

export interface Call {
  readonly caller: Caller;
  readonly reply: Reply;
  /** The A2A message it came in: the same bytes again get the same answer, denials too. */
  readonly message?: RequestKey | undefined;
  /** The idempotency key its caller gave. */
  readonly idempotency?: RequestKey | undefined;
  /** The session it belongs to; of a task, the context, which is no session. */
  readonly contextId?: string | undefined;
  /** The X-DID-Proof that vouches for it, to be used up by it. */
  readonly proof?: UsedProof | undefined;
  /** The task of standard A2A that it begins or goes on with, which changes in its commits. */
  readonly task?: CallTask | undefined;
}

/** What a call carries for its task; what else is in it, the functions that are told of the call know. */
export interface CallTask {
  /** Whether the call begins it. */
  readonly isNew: boolean;
}

/** How the answer is written. */
export type Reply =
  /** Not at all: one use case calls another and takes its output. */
  | { readonly kind: 'output' }
  /** As JSON text. */
  | { readonly kind: 'json' }
  /** As a message signed by the node, or a refusal. */
  | ({ readonly kind: 'message' } & MessageReply)
  /** As the id of the task that tells it. */
  | { readonly kind: 'task'; readonly taskId: string };

/** What the answer to a message needs to know of it; kept with a message in flight. */
export interface MessageReply {
  readonly type: MandateType;
  readonly to: string;
  readonly inReplyTo: string;
  readonly contextId?: string | undefined;
}

export interface UsedProof {
  readonly did: string;
  readonly jti: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The id that the node gave the HTTP request or socket: one proof vouches for all messages of one request. */
  readonly requestId: string;
}

/** What a use case gives back to its gate. */
export interface Answer<Output = unknown> {
  /** The answer as its reply wants it written; empty where there is nothing to say. */
  readonly text: string | ByteStream;
  /** What the text was made of; undefined when the answer was stored before, so that nothing was decided now. */
  readonly output?: Output;
}
