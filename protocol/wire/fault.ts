/**
 * The error table. A handler throws a Fault by its code; the gates read its HTTP status and JSON-RPC code here. A code
 * without a mapping does not compile.
 */

export type FaultCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'INVALID_API_KEY'
  | 'TOKEN_EXPIRED'
  | 'STEP_UP_REQUIRED'
  | 'DID_REVOKED'
  | 'UNVERIFIED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'AGENT_UNKNOWN'
  | 'SESSION_EXPIRED'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'GONE'
  | 'MESSAGE_REUSED'
  | 'TASK_NOT_FOUND'
  | 'TASK_ENDED'
  | 'TASK_NOT_CANCELABLE'
  | 'INVALID_REQUEST'
  | 'METHOD_UNKNOWN'
  | 'SYNTAX'
  | 'NOT_ACCEPTABLE'
  | 'PRECONDITION_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE';

export interface FaultMapping {
  /** HTTP status of the REST facade. */
  readonly http: number;
  /** JSON-RPC error code of the A2A gateway. */
  readonly jsonrpc: number;
  /** The code a REST caller sees, where it differs from the fault's own name. */
  readonly shownAs?: string;
}

export const FAULTS = {
  BAD_REQUEST: { http: 400, jsonrpc: -32602 },
  UNAUTHORIZED: { http: 401, jsonrpc: -32001 },
  INVALID_API_KEY: { http: 401, jsonrpc: -32001 },
  TOKEN_EXPIRED: { http: 401, jsonrpc: -32001 },
  /** A person whose last touch of a passkey is too old for what they ask (RFC 9470). */
  STEP_UP_REQUIRED: { http: 401, jsonrpc: -32001 },
  DID_REVOKED: { http: 401, jsonrpc: -32001 },
  /** A DID proof or message signature that is not valid. */
  UNVERIFIED: { http: 401, jsonrpc: -32001, shownAs: 'UNAUTHORIZED' },
  FORBIDDEN: { http: 403, jsonrpc: -32001 },
  NOT_FOUND: { http: 404, jsonrpc: -32004 },
  /** An agent that is not registered: a missing resource over REST, a failed authentication between agents. */
  AGENT_UNKNOWN: { http: 404, jsonrpc: -32001, shownAs: 'NOT_FOUND' },
  SESSION_EXPIRED: { http: 409, jsonrpc: -32002, shownAs: 'CONFLICT' },
  METHOD_NOT_ALLOWED: { http: 405, jsonrpc: -32601 },
  CONFLICT: { http: 409, jsonrpc: -32005 },
  /** What was here once, and no longer is. */
  GONE: { http: 410, jsonrpc: -32004 },
  /** A message id that was used before with other content. */
  MESSAGE_REUSED: { http: 409, jsonrpc: -32600, shownAs: 'CONFLICT' },
  TASK_NOT_FOUND: { http: 404, jsonrpc: -32004, shownAs: 'NOT_FOUND' },
  /** A message to a task to which nothing more can happen. */
  TASK_ENDED: { http: 409, jsonrpc: -32005, shownAs: 'CONFLICT' },
  TASK_NOT_CANCELABLE: { http: 409, jsonrpc: -32005, shownAs: 'CONFLICT' },
  /** A body that is JSON but not a JSON-RPC request. */
  INVALID_REQUEST: { http: 400, jsonrpc: -32600, shownAs: 'BAD_REQUEST' },
  METHOD_UNKNOWN: { http: 404, jsonrpc: -32601, shownAs: 'NOT_FOUND' },
  /** A body that is not JSON. */
  SYNTAX: { http: 400, jsonrpc: -32700, shownAs: 'BAD_REQUEST' },
  /** A record that has no form of the types that the caller takes (RFC 9110 section 15.5.7). */
  NOT_ACCEPTABLE: { http: 406, jsonrpc: -32602 },
  /** What is to be changed is not as the caller has seen it (RFC 9110 section 13.1.1). */
  PRECONDITION_FAILED: { http: 412, jsonrpc: -32005 },
  PAYLOAD_TOO_LARGE: { http: 413, jsonrpc: -32600 },
  UNSUPPORTED_MEDIA_TYPE: { http: 415, jsonrpc: -32600 },
  RATE_LIMITED: { http: 429, jsonrpc: -32003 },
  INTERNAL_ERROR: { http: 500, jsonrpc: -32603 },
  UNAVAILABLE: { http: 503, jsonrpc: -32603 },
} satisfies Record<FaultCode, FaultMapping>;

/** One problem of an input: its path (`request.maxAmount`) and a phrase. */
export interface FaultDetail {
  readonly path: string;
  readonly message: string;
}

/** An error is read by a person: what was sent may have thousands of members at fault, or one whose name fills a page. */
const MOST_DETAILS = 20;
const MOST_CHARACTERS = 1000;

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** All that a caller is told of an error that is no Fault: it may name what only the log may. */
export const WENT_WRONG = 'Something went wrong here; it has been logged.';

/** Thrown when a request cannot be answered. A refusal by policy is a value, not a Fault. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly details: readonly FaultDetail[] | undefined;

  /**
   * @param code see FAULTS
   * @param message one sentence for the caller: what is wrong and the remedy
   * @param details the members at fault, when there are several or they have a path; the first of them are told
   */
  constructor(code: FaultCode, message: string, details?: readonly FaultDetail[]) {
    super(shortened(message));
    this.code = code;
    this.details = details
      ?.slice(0, MOST_DETAILS)
      .map(({ path, message: what }) => ({ path: shortened(path), message: shortened(what) }));
  }

  get mapping(): FaultMapping {
    return FAULTS[this.code];
  }

  /** The code that a REST caller sees. */
  get shownCode(): string {
    return this.mapping.shownAs ?? this.code;
  }
}
