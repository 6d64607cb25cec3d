/**
 * Errors as A2A writes them (1.0 section 5.4, and 0.3 by the same codes): a JSON-RPC code, and details of google.rpc. What the
 * policy refuses is never an error here, but a task.
 */
import type { Fault, FaultCode } from '../../../../protocol/wire/fault.ts';

const A2A = 'a2a-protocol.org';
const OWN = 'countersign';

interface Mapping {
  readonly code: number;
  readonly reason: string;
  readonly domain: typeof A2A | typeof OWN;
  /** The HTTP status, where it is not 200. */
  readonly http?: number;
}

const invalid = { code: -32602, reason: 'INVALID_PARAMS', domain: A2A } as const;
const unknownCaller = { code: -32090, domain: OWN, http: 401 } as const;
const badRequest = { code: -32600, reason: 'INVALID_REQUEST', domain: A2A } as const;

const MAPPINGS: Readonly<Record<FaultCode, Mapping>> = {
  BAD_REQUEST: invalid,
  NOT_FOUND: { ...invalid, reason: 'NOT_FOUND' },
  AGENT_UNKNOWN: { ...invalid, reason: 'AGENT_UNKNOWN' },
  SESSION_EXPIRED: { ...invalid, reason: 'SESSION_EXPIRED' },
  CONFLICT: { code: -32094, reason: 'CONFLICT', domain: OWN },
  GONE: { code: -32095, reason: 'GONE', domain: OWN },
  NOT_ACCEPTABLE: { ...invalid, reason: 'NOT_ACCEPTABLE' },
  PRECONDITION_FAILED: { code: -32094, reason: 'PRECONDITION_FAILED', domain: OWN },
  UNAUTHORIZED: { ...unknownCaller, reason: 'UNAUTHORIZED' },
  INVALID_API_KEY: { ...unknownCaller, reason: 'INVALID_API_KEY' },
  TOKEN_EXPIRED: { ...unknownCaller, reason: 'TOKEN_EXPIRED' },
  STEP_UP_REQUIRED: { ...unknownCaller, reason: 'STEP_UP_REQUIRED' },
  DID_REVOKED: { ...unknownCaller, reason: 'DID_REVOKED' },
  UNVERIFIED: { ...unknownCaller, reason: 'UNVERIFIED' },
  FORBIDDEN: { code: -32091, reason: 'FORBIDDEN', domain: OWN, http: 403 },
  RATE_LIMITED: { code: -32092, reason: 'RATE_LIMITED', domain: OWN, http: 429 },
  MESSAGE_REUSED: { code: -32093, reason: 'MESSAGE_REUSED', domain: OWN },
  TASK_NOT_FOUND: { code: -32001, reason: 'TASK_NOT_FOUND', domain: A2A },
  TASK_NOT_CANCELABLE: { code: -32002, reason: 'TASK_NOT_CANCELABLE', domain: A2A },
  TASK_ENDED: { code: -32004, reason: 'UNSUPPORTED_OPERATION', domain: A2A },
  METHOD_UNKNOWN: { code: -32601, reason: 'METHOD_NOT_FOUND', domain: A2A },
  METHOD_NOT_ALLOWED: { ...badRequest, http: 405 },
  INVALID_REQUEST: badRequest,
  SYNTAX: { code: -32700, reason: 'JSON_PARSE_ERROR', domain: A2A },
  PAYLOAD_TOO_LARGE: { ...badRequest, reason: 'PAYLOAD_TOO_LARGE', http: 413 },
  UNSUPPORTED_MEDIA_TYPE: { code: -32005, reason: 'CONTENT_TYPE_NOT_SUPPORTED', domain: A2A, http: 415 },
  UNAVAILABLE: { code: -32603, reason: 'UNAVAILABLE', domain: OWN, http: 503 },
  INTERNAL_ERROR: { code: -32603, reason: 'INTERNAL_ERROR', domain: OWN },
};

/** What A2A has an error for, and nothing else of this node. */
const KINDS = {
  unsupported: { code: -32004, reason: 'UNSUPPORTED_OPERATION', domain: A2A },
  contentType: { code: -32005, reason: 'CONTENT_TYPE_NOT_SUPPORTED', domain: A2A },
  version: { code: -32009, reason: 'VERSION_NOT_SUPPORTED', domain: A2A },
} as const satisfies Record<string, Mapping>;

/** An error of A2A's own. */
export class StandardFault extends Error {
  readonly kind: keyof typeof KINDS;

  constructor(kind: keyof typeof KINDS, message: string) {
    super(message);
    this.kind = kind;
  }
}

interface StandardError {
  readonly http: number;
  readonly error: { readonly code: number; readonly message: string; readonly data: readonly object[] };
}

/** How an error is told. */
export function standardError(fault: Fault | StandardFault): StandardError {
  const isOwn = fault instanceof StandardFault;
  const { code, reason, domain, http = 200 }: Mapping = isOwn ? KINDS[fault.kind] : MAPPINGS[fault.code];
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain, metadata: {} };
  const details = isOwn ? [] : (fault.details ?? []);
  const violations = details.map(({ path, message }) => ({ field: path, description: message }));
  const request = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations };
  const data = violations.length === 0 ? [info] : [info, request];
  return { http, error: { code, message: fault.message, data } };
}
