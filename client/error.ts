/** The error that a call throws when the node does not carry it out. A refusal by policy is an answer, not an error. */
import type { ErrorBody } from '../protocol/wire/errorBody.ts';
import { Fault } from '../protocol/wire/fault.ts';
import type { HttpAnswer } from './transport.ts';

interface ErrorFacts {
  /** HTTP status; 0 when no answer came, or nothing was asked. */
  readonly status: number;
  readonly requestId?: string | undefined;
  readonly docs?: string | undefined;
  readonly details?: readonly { readonly path: string; readonly message: string }[] | undefined;
  readonly cause?: unknown;
}

export class CountersignError extends Error {
  override readonly name = 'CountersignError';
  /**
   * Stable, for programs: what the node says, such as FORBIDDEN or NOT_FOUND, or of the client's own NETWORK (no answer
   * came), INVALID_ANSWER (one that cannot be the node's), WRONG_NODE (another than the one that was named),
   * INVALID_MANDATE (a payment mandate that does not hold), INVALID_RECEIPT (a receipt that does not hold), INVALID_WEBHOOK (a delivery that is not by its secret) and
   * BAD_REQUEST with status 0 (nothing was sent).
   */
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

type Head = Pick<HttpAnswer, 'status' | 'headers'>;

/** The error in an answer's body. A proxy before the node may answer in another shape, which gives INVALID_ANSWER. */
export function errorOf(answer: HttpAnswer): CountersignError {
  const { status, headers, text } = answer;
  const error = errorIn(text);
  if (error === undefined) return unusable(answer, `The answer has status ${status} and no error.`);
  const { code, message, docs, details } = error;
  return new CountersignError(code, message, { status, requestId: requestIdOf(headers), docs, details });
}

function errorIn(text: string): ErrorBody['error'] | undefined {
  try {
    const error = (JSON.parse(text) as Partial<ErrorBody> | null)?.error;
    return typeof error?.code === 'string' && typeof error.message === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** INVALID_ANSWER for what cannot be the node's answer. @param complaint what is wrong with it, where it is no web page */
export function unusable({ status, headers }: Head, complaint: string, cause?: unknown): CountersignError {
  const message =
    mediaTypeOf(headers) === 'text/html'
      ? `The answer is a web page (status ${status}) and not a node’s: a proxy, or the login page of a network, answers at this address.`
      : complaint;
  return new CountersignError('INVALID_ANSWER', message, { status, requestId: requestIdOf(headers), cause });
}

/** What the code that client and node share complains of, as the client throws it: nothing was sent. */
export function refusedHere(error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  return new CountersignError('BAD_REQUEST', error.message, { status: 0, details: error.details });
}

export function mediaTypeOf(headers: Headers): string {
  return (headers.get('content-type')?.split(';')[0] ?? '').trim().toLowerCase();
}

export function requestIdOf(headers: Headers): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}
