/**
 * Who calls a gate: the credential of a request (an API key, an access token, or an agent's DID proof), and the callers that
 * the gate has had answers for.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Did } from '../../../protocol/credential/did.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { requireKeyForm } from '../../access/apiKey.ts';
import { verifyDidProof } from '../../access/didProof.ts';
import type { RequestCredential } from '../../core/callerOf.ts';
import type { CoreReply } from '../../core/serveRequest.ts';
import type { Gate } from './gate.ts';

/** What of a request a credential is read from, and made for. */
interface Carrier {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A credential as it was sent. */
type RawCredential = { readonly bearer: string } | { readonly proof: string };

/** @throws Fault UNAUTHORIZED without a credential, and what else is wrong with the headers */
export function shownCredential({ headers }: Pick<Carrier, 'headers'>): RawCredential {
  const { authorization } = headers;
  const proof = headers['x-did-proof'];
  if (authorization !== undefined && proof !== undefined) {
    throw new Fault('BAD_REQUEST', 'Send one credential: Authorization or X-DID-Proof.');
  }
  if (proof !== undefined) return { proof: String(proof) };
  if (authorization === undefined) {
    throw new Fault('UNAUTHORIZED', 'Send a credential: "Authorization: Bearer <API key or token>", or X-DID-Proof.');
  }
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer === undefined) {
    throw new Fault('INVALID_API_KEY', 'The header must read "Authorization: Bearer <API key>".');
  }
  return { bearer };
}

/** A bearer of any other form is treated as an API key. */
const JWT = /^[^.]*\.[^.]*\.[^.]*$/;

/**
 * @param resource the path for which the identity provider's own tokens are taken as well
 * @throws Fault for a credential that no node of this deployment can have made
 */
export function readCredential(
  gate: Gate,
  carrier: Carrier,
  shown: RawCredential,
  body: Buffer,
  resource?: string,
): RequestCredential {
  if ('proof' in shown) return proofOf(gate, carrier, shown.proof, body);
  const { bearer } = shown;
  if (!bearer.startsWith('ak_') && JWT.test(bearer)) return { kind: 'token', token: bearer, resource };
  requireKeyForm(bearer, gate.settings.environment);
  return { kind: 'apiKey', hash: gate.suite.sha256Hex(bearer) };
}

function proofOf(gate: Gate, carrier: Carrier, token: string, body: Buffer): RequestCredential {
  const request = {
    baseUrl: gate.settings.baseUrl,
    method: carrier.method,
    path: carrier.path,
    bodyHash: createHash('sha256').update(body).digest('base64url'),
  };
  const proof = verifyDidProof(gate.suite, token, request);
  const named = carrier.headers['x-agent-did'];
  if (named !== undefined && Did.safeParse(named).data !== proof.did) {
    throw new Fault('UNVERIFIED', 'X-Agent-DID names another DID than the proof.');
  }
  // An id that the node makes: a client's own would let it say that a second request is the first one.
  return { kind: 'proof', proof: { ...proof, requestId: gate.newId('req_') } };
}

/**
 * @param address as the rate limiter names it, which is charged for a credential that does not hold
 * @param read gives the credential, or undefined where there is none; it may throw a Fault for one that cannot hold
 * @returns true for one of a caller that the core knows and that has calls left
 */
export async function isVouchedFor(
  gate: Gate,
  address: string,
  read: () => RequestCredential | undefined,
): Promise<boolean> {
  const credential = readOr(read);
  if (credential === undefined) return false;
  const ask = () => gate.core.call('takeCaller', address, credential);
  return (await gate.known.refusalOf(credential, ask)) === undefined;
}

/** What is wrong with a credential is told where the message goes by it. */
function readOr(read: () => RequestCredential | undefined): RequestCredential | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** Beyond it the one that was noted first is asked about again. */
const CAPACITY = 10_000;

/**
 * Callers that a gate has had answers for: the core knew them, and they had calls left. What they send is parsed at once; for any other
 * the core is asked first, so that a stranger has nothing parsed, and a known caller costs one question alone.
 */
export interface KnownCallers {
  /** Notes what the core made of a request of a caller. */
  note(credential: RequestCredential, coreReply: CoreReply): void;
  /** @param ask the core, about a caller that is not known here @returns why it is refused; undefined where it is known */
  refusalOf(credential: RequestCredential, ask: () => Promise<CoreReply>): Promise<CoreReply | undefined>;
}

export function knownCallers(): KnownCallers {
  const known = new Set<string>();
  const note = (credential: RequestCredential, { caller, verdict }: CoreReply) => {
    const name = nameOf(credential);
    if (caller === undefined || !verdict.allowed) {
      known.delete(name);
      return;
    }
    if (known.has(name)) return;
    known.add(name);
    const first = known.values().next();
    if (known.size > CAPACITY && first.done !== true) known.delete(first.value);
  };
  return {
    note,
    async refusalOf(credential, ask) {
      if (known.has(nameOf(credential))) return undefined;
      const coreReply = await ask();
      note(credential, coreReply);
      return coreReply.error === undefined ? undefined : coreReply;
    },
  };
}

function nameOf(credential: RequestCredential): string {
  if (credential.kind === 'apiKey') return `key ${credential.hash}`;
  if (credential.kind === 'token') return `token ${credential.resource ?? ''} ${credential.token}`;
  return `did ${credential.kind === 'proof' ? credential.proof.did : credential.did}`;
}
