/** What every message of one HTTP request or socket shares: where it comes from, and the headers that vouch for it. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { canonicalDid } from '../../protocol/credential/did.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { addressSubject } from '../access/clientAddress.ts';
import { verifyDidProof } from '../access/didProof.ts';
import type { Verdict } from '../access/rateLimit.ts';
import type { UsedProof } from '../handlers/core/call.ts';
import type { Deps } from '../handlers/core/deps.ts';

export interface GatewayRequest {
  /** An id that the node makes; a client's own would let it say that two requests are one. */
  readonly requestId: string;
  /** X-Agent-DID, canonical, when it was sent. */
  readonly namedDid: string | undefined;
  /** The proof of X-DID-Proof. @throws Fault UNVERIFIED when it was sent and does not hold */
  proof(): UsedProof | undefined;
  /** Charges the address for an item whose caller is not known. @throws Fault RATE_LIMITED when it has no calls left */
  chargeAddress(): void;
  /** Charges a known agent. @throws Fault RATE_LIMITED */
  chargeAgent(did: string): void;
  /** The bucket of the last subject that was charged. */
  standing(): Verdict;
}

interface GatewayHeaders {
  readonly agentDid?: string | undefined;
  readonly didProof?: string | undefined;
}

/**
 * @param message the HTTP request, whose address unknown callers are charged by
 * @param http.body the raw body, which the proof's hash is over; read when the proof is asked for
 */
export function gatewayRequest(
  deps: Deps,
  message: IncomingMessage,
  headers: GatewayHeaders,
  http: { readonly method: string; readonly path: string; readonly body: Buffer },
): GatewayRequest {
  const requestId = deps.newId('req_');
  let proof: UsedProof | undefined;
  let verdict: Verdict | undefined;
  const address = () => addressSubject(message, deps.settings.trustedProxies);
  const charge = (subject: string) => {
    verdict = deps.limits.charge(subject, 'free', deps.clock());
    if (!verdict.allowed) throw tooMany(verdict);
  };
  return {
    requestId,
    namedDid: headers.agentDid === undefined ? undefined : canonicalDid(headers.agentDid),
    proof() {
      if (proof !== undefined || headers.didProof === undefined) return proof;
      const bodyHash = createHash('sha256').update(http.body).digest('base64url');
      const request = { baseUrl: deps.settings.baseUrl, method: http.method, path: http.path, bodyHash };
      proof = { ...verifyDidProof(deps.suite, headers.didProof, request, deps.clock()), requestId };
      return proof;
    },
    chargeAddress: () => charge(address()),
    chargeAgent: (did) => charge(`did ${did}`),
    standing: () => verdict ?? deps.limits.peek(address(), 'free', deps.clock()),
  };
}

function tooMany(verdict: Verdict): Fault {
  return new Fault('RATE_LIMITED', `Too many requests; try again in ${verdict.retryAfterSeconds} s.`);
}

/** @throws Fault UNVERIFIED when X-Agent-DID names another agent than the one that proved itself */
export function requireNamed(request: GatewayRequest, did: string): void {
  if (request.namedDid !== undefined && request.namedDid !== did) {
    throw new Fault('UNVERIFIED', `X-Agent-DID names ${request.namedDid}, the proof is by ${did}.`);
  }
}
