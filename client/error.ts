/** The error that a call throws when the node does not carry it out. A refusal by policy is an answer, not an error. */
import type { ErrorBody } from '../protocol/wire/fault.ts';

interface ErrorFacts {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly requestId?: string | undefined;
  readonly docs?: string | undefined;
  readonly details?: readonly { readonly path: string; readonly message: string }[] | undefined;
  readonly cause?: unknown;
}

export class CountersignError extends Error {
  override readonly name = 'CountersignError';
  /** Stable, for programs: FORBIDDEN, NOT_FOUND …; NETWORK when no answer came, INVALID_ANSWER for an unusable one. */
  readonly code: string;
  readonly status: number;
  /** Identifies the request in the node's logs. */
  readonly requestId: string | undefined;
  /** The address that explains the code and its remedy. */
  readonly docs: string | undefined;
  /** The members at fault. */
  readonly details: readonly { readonly path: string; readonly message: string }[];

  constructor(code: string, message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.docs = facts.docs;
    this.details = facts.details ?? [];
  }
}

/** The error in an answer's body. A proxy before the node may answer in another shape, which gives INVALID_ANSWER. */
export function errorOf(status: number, headers: Headers, text: string): CountersignError {
  const requestId = headers.get('x-request-id') ?? undefined;
  try {
    const { error } = JSON.parse(text) as ErrorBody;
    return new CountersignError(error.code, error.message, {
      status,
      requestId,
      docs: error.docs,
      details: error.details,
    });
  } catch {
    return new CountersignError('INVALID_ANSWER', `The answer has status ${status} and no error.`, {
      status,
      requestId,
    });
  }
}
