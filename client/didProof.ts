/** X-DID-Proof: an agent authenticates one HTTP request with its own key. */
import { keyId } from '../protocol/credential/did.ts';
import { toBase64url } from '../protocol/credential/encodings.ts';
import type { Agent } from './identity.ts';
import { randomId } from './randomId.ts';

/** The request that a proof is for; it is valid for no other. */
export interface ProofRequest {
  /** The node's public address, as its agent card says. */
  readonly baseUrl: string;
  readonly method: string;
  /** The path, without a query. */
  readonly path: string;
  /** The body exactly as it will be sent; left out where the request has none. */
  readonly body?: string | undefined;
}

/** @returns the header's value: a compact JWS (RFC 7515), valid once and for 300 seconds */
export function makeDidProof(agent: Agent, request: ProofRequest, now: Date = new Date()): string {
  const claims = {
    iss: agent.did,
    aud: request.baseUrl,
    htm: request.method,
    htu: request.baseUrl + request.path,
    iat: Math.floor(now.getTime() / 1000),
    jti: randomId(),
    bh: toBase64url(agent.suite.sha256(request.body ?? '')),
  };
  const header = { typ: 'did-proof+jwt', alg: 'EdDSA', kid: keyId(agent.did) };
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${toBase64url(agent.signer.sign(utf8.encode(signed)))}`;
}

const utf8 = new TextEncoder();

function encode(value: object): string {
  return toBase64url(utf8.encode(JSON.stringify(value)));
}
