/** Speaks to the node as an agent whose key is in this page: each message and request is signed here. */
import type { A2aClient } from '../../client/a2a.ts';
import type { Client } from '../../client/rest.ts';
import { countersign } from '../../client/rest.ts';
import { interpretSchemas } from '../proofs/interpretSchemas.ts';
import { BASE_URL, NODE_DID } from './here.ts';

export interface AsAgent {
  readonly did: string;
  /** Sends a signed message, and takes only an answer that the node signed. */
  readonly send: A2aClient['send'];
  /** The API as the agent may use it. */
  readonly rest: Client;
}

/** @param seed the 32 bytes that the agent signs with */
export async function speakAs(seed: Uint8Array): Promise<AsAgent> {
  await interpretSchemas();
  const [{ connect }, { agentOf }] = await Promise.all([
    import('../../client/a2a.ts'),
    import('../../client/identity.ts'),
  ]);
  const agent = agentOf(seed);
  const { send } = await connect(BASE_URL, agent, { nodeDid: NODE_DID });
  return { did: agent.did, send, rest: countersign({ baseUrl: BASE_URL, credential: { agent } }) };
}
