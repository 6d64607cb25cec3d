/** Who speaks: an agent's key, its DID and the messages it signs, and the DID of the node that it speaks to. */

import { canonicalDid, didOfKey } from '../protocol/credential/did.ts';
import { nobleSuite, SEED_BYTES, type Signer, type Suite } from '../protocol/credential/ed25519.ts';
import { signDocument } from '../protocol/credential/proof.ts';
import { Fault } from '../protocol/wire/fault.ts';
import type { MandateType } from '../protocol/wire/mandateType.ts';
import { CountersignError } from './error.ts';
import { randomId } from './randomId.ts';

export interface Agent {
  readonly did: string;
  /** The public key as multibase text, as registration takes it. */
  readonly publicKey: string;
  readonly signer: Signer;
  readonly suite: Suite;
}

/** @param seed the 32 bytes of the agent's Ed25519 key; keep them secret */
export function agentOf(seed: Uint8Array, suite: Suite = nobleSuite): Agent {
  const signer = suite.signer(seed);
  const did = didOfKey(signer.publicKey);
  return { did, publicKey: did.slice('did:key:'.length), signer, suite };
}

/** Makes an agent with a new key. Its seed must be kept, and kept secret. */
export function makeAgent(suite: Suite = nobleSuite): Agent & { readonly seed: Uint8Array } {
  const seed = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  return { ...agentOf(seed, suite), seed };
}

export interface MessageContent {
  readonly type: MandateType;
  /** The node's DID, from its agent card. */
  readonly to: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly contextId?: string;
  /** Unique among this agent's messages; the same message sent again must keep it. */
  readonly id?: string;
}

/** A message with the agent's proof, ready to be sent. */
export function signMessage(agent: Agent, content: MessageContent, now: Date = new Date()): Record<string, unknown> {
  const created = now.toISOString();
  const message = { id: randomId(), ...content, from: agent.did, created };
  return signDocument(agent.suite, agent.signer, message, { created, proofPurpose: 'authentication' }).document;
}

/** The DID of a node, as a caller of the client gives it. @throws CountersignError BAD_REQUEST that names the member */
export function readNodeDid(nodeDid: string): string {
  try {
    return canonicalDid(nodeDid);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const details = [{ path: 'nodeDid', message: error.message }];
    throw new CountersignError('BAD_REQUEST', `nodeDid: ${error.message}`, { status: 0, details });
  }
}
