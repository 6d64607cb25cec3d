/**
 * The one error table. A handler throws a Fault by its code; the gates read here what that code is called
 * over HTTP and over JSON-RPC. A code without a mapping does not compile.
 */
export type FaultCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'INVALID_API_KEY'
  | 'TOKEN_EXPIRED'
  | 'DID_REVOKED'
  | 'UNVERIFIED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'AGENT_UNKNOWN'
  | 'SESSION_EXPIRED'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'MESSAGE_REUSED'
  | 'INVALID_REQUEST'
  | 'METHOD_UNKNOWN'
  | 'SYNTAX'
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
  DID_REVOKED: { http: 401, jsonrpc: -32001 },
  /** A DID proof or message signature that does not hold. */
  UNVERIFIED: { http: 401, jsonrpc: -32001, shownAs: 'UNAUTHORIZED' },
  FORBIDDEN: { http: 403, jsonrpc: -32001 },
  NOT_FOUND: { http: 404, jsonrpc: -32004 },
  /** An agent nobody registered: a missing resource over REST, a failed authentication between agents. */
  AGENT_UNKNOWN: { http: 404, jsonrpc: -32001, shownAs: 'NOT_FOUND' },
  SESSION_EXPIRED: { http: 409, jsonrpc: -32002, shownAs: 'CONFLICT' },
  METHOD_NOT_ALLOWED: { http: 405, jsonrpc: -32601 },
  CONFLICT: { http: 409, jsonrpc: -32005 },
  /** A message id that came before with other content. */
  MESSAGE_REUSED: { http: 409, jsonrpc: -32600, shownAs: 'CONFLICT' },
  /** A body that is JSON but no JSON-RPC request. */
  INVALID_REQUEST: { http: 400, jsonrpc: -32600, shownAs: 'BAD_REQUEST' },
  METHOD_UNKNOWN: { http: 404, jsonrpc: -32601, shownAs: 'NOT_FOUND' },
  /** A body that is not JSON at all. */
  SYNTAX: { http: 400, jsonrpc: -32700, shownAs: 'BAD_REQUEST' },
  PAYLOAD_TOO_LARGE: { http: 413, jsonrpc: -32600 },
  UNSUPPORTED_MEDIA_TYPE: { http: 415, jsonrpc: -32600 },
  RATE_LIMITED: { http: 429, jsonrpc: -32003 },
  INTERNAL_ERROR: { http: 500, jsonrpc: -32603 },
  UNAVAILABLE: { http: 503, jsonrpc: -32603 },
} satisfies Record<FaultCode, FaultMapping>;

/** One thing that is wrong with an input: where (`request.maxAmount`) and what. */
interface FaultDetail {
  readonly path: string;
  readonly message: string;
}

/** Thrown where a request cannot be answered. A refusal by policy is a value, not a Fault. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly details: readonly FaultDetail[] | undefined;

  /**
   * @param code what kind of fault, see FAULTS
   * @param message one sentence for the caller: what was wrong and what would be right
   * @param details the members at fault, when there are several or they have a path
   */
  constructor(code: FaultCode, message: string, details?: readonly FaultDetail[]) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get mapping(): FaultMapping {
    return FAULTS[this.code];
  }
}
