/** What every message of one HTTP request or socket shares: where it comes from, and the headers that vouch for it. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Did } from '../../../protocol/credential/did.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type CarriedProof, verifyDidProof } from '../../access/didProof.ts';
import type { Gate } from '../shell/gate.ts';
import { isVouchedFor } from '../shell/isVouchedFor.ts';
import { type RequestMeter, requestMeter } from '../shell/requestMeter.ts';

export interface GatewayRequest {
  /** An id that the node makes; a client's own would let it say that two requests are one. */
  readonly requestId: string;
  /** Shared by all items of a batch, and by all frames of a socket. */
  readonly meter: RequestMeter;
  /** X-Agent-DID, canonical, when it was sent. @throws Fault UNVERIFIED for one that is no DID */
  namedDid(): string | undefined;
  /** The proof of X-DID-Proof. @throws Fault UNVERIFIED when it was sent and does not hold */
  proof(): CarriedProof | undefined;
  /** Notes that the core took the proof as fresh: it vouches for as long as what it opened stays open. */
  admitted(): void;
  /**
   * Whether the proof of X-DID-Proof holds and is of an agent that the core knows and that has calls left: what it vouches
   * for is parsed, however long it is.
   */
  isVouched(): Promise<boolean>;
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
  gate: Gate,
  message: IncomingMessage,
  headers: GatewayHeaders,
  http: { readonly method: string; readonly path: string; readonly body: Buffer },
): GatewayRequest {
  const requestId = gate.newId('req_');
  const meter = requestMeter(gate, message);
  let proof: CarriedProof | undefined;
  function readProof(): CarriedProof | undefined {
    if (proof !== undefined || headers.didProof === undefined) return proof;
    const bodyHash = createHash('sha256').update(http.body).digest('base64url');
    const request = { baseUrl: gate.settings.baseUrl, method: http.method, path: http.path, bodyHash };
    proof = { ...verifyDidProof(gate.suite, headers.didProof, request), requestId };
    return proof;
  }
  return {
    requestId,
    meter,
    namedDid: () => (headers.agentDid === undefined ? undefined : readNamed(headers.agentDid)),
    proof: readProof,
    isVouched: () =>
      isVouchedFor(gate, meter.address, () => {
        const carried = readProof();
        return carried && { kind: 'proof', proof: carried };
      }),
    admitted() {
      if (proof !== undefined) proof = { did: proof.did, jti: proof.jti, expiresAt: proof.expiresAt, requestId };
    },
  };
}

/** @throws Fault UNVERIFIED when X-Agent-DID names another agent than the one that proved itself */
export function requireNamed(request: GatewayRequest, did: string): void {
  const named = request.namedDid();
  if (named !== undefined && named !== did) {
    throw new Fault('UNVERIFIED', `X-Agent-DID names ${named}, the proof is by ${did}.`);
  }
}

function readNamed(text: string): string {
  const did = Did.safeParse(text);
  if (did.success) return did.data;
  throw new Fault('UNVERIFIED', 'X-Agent-DID must be the DID of the agent that calls, did:key:z6Mk…, or be left out.');
}
