/** Makes the key of an agent in this browser. The secret half is given to the person and sent nowhere. */
import { interpretSchemas } from './interpretSchemas.ts';

export interface AgentKey {
  readonly did: string;
  /** As registration takes it. */
  readonly publicKey: string;
  /** The 32 bytes that the agent signs with. */
  readonly seed: Uint8Array<ArrayBuffer>;
}

export async function makeAgentKey(): Promise<AgentKey> {
  await interpretSchemas();
  const { makeAgent } = await import('../../client/identity.ts');
  const { did, publicKey, seed } = makeAgent();
  return { did, publicKey, seed: Uint8Array.from(seed) };
}
