/** What every message of one HTTP request or socket shares: the headers that vouch for it. */
import { createHash } from 'node:crypto';
import { canonicalDid } from '../../protocol/credential/did.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { type DidProof, verifyDidProof } from '../access/didProof.ts';
import type { Verdict } from '../access/rateLimit.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { markProofUsed } from '../store/statements/callers/proofs.ts';
import type { Script } from '../store/store.ts';

export interface GatewayRequest {
  readonly requestId: string;
  /** X-Agent-DID, canonical, when it was sent. */
  readonly namedDid: string | undefined;
  /** Charges a call to the caller that proved itself. @throws Fault RATE_LIMITED */
  charge(did: string): void;
  /** Where the caller stands after the last charge; undefined while nobody proved itself. */
  verdict(): Verdict | undefined;
  /** The proof of X-DID-Proof. @throws Fault UNVERIFIED when it was sent and does not hold */
  proof(): DidProof | undefined;
}

interface GatewayHeaders {
  readonly agentDid: string | undefined;
  readonly didProof: string | undefined;
}

/** @param body the raw body, which the proof's hash is over */
export function gatewayRequest(
  deps: Deps,
  headers: GatewayHeaders,
  http: { readonly method: string; readonly path: string; readonly body: Buffer },
): GatewayRequest {
  let proof: DidProof | undefined;
  let verdict: Verdict | undefined;
  return {
    requestId: deps.newId('req_'),
    namedDid: headers.agentDid === undefined ? undefined : canonicalDid(headers.agentDid),
    charge(did) {
      verdict = deps.limits.charge(`did ${did}`, 'free', deps.clock());
      if (!verdict.allowed) throw tooMany(verdict);
    },
    verdict: () => verdict,
    proof() {
      if (proof !== undefined || headers.didProof === undefined) return proof;
      const bodyHash = createHash('sha256').update(http.body).digest('base64url');
      const request = { baseUrl: deps.settings.baseUrl, method: http.method, path: http.path, bodyHash };
      proof = verifyDidProof(deps.suite, headers.didProof, request, deps.clock());
      return proof;
    },
  };
}

export function tooMany(verdict: Verdict): Fault {
  return new Fault('RATE_LIMITED', `Too many requests; try again in ${verdict.retryAfterSeconds} s.`);
}

/** Uses the proof up for this request. @throws Fault UNVERIFIED when another request used it */
export function* spendProof(request: GatewayRequest): Script<void> {
  const proof = request.proof();
  if (proof === undefined) return;
  if (!(yield* markProofUsed(proof.did, proof.jti, request.requestId, proof.expiresAt))) {
    throw new Fault('UNVERIFIED', 'This X-DID-Proof was used before; make a new one for each request.');
  }
}

/** @throws Fault UNVERIFIED when X-Agent-DID names another agent than the one that proved itself */
export function requireNamed(request: GatewayRequest, did: string): void {
  if (request.namedDid !== undefined && request.namedDid !== did) {
    throw new Fault('UNVERIFIED', `X-Agent-DID names ${request.namedDid}, the proof is by ${did}.`);
  }
}
