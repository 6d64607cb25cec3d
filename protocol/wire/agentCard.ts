/** The agent card: how other agents discover this node. */
import { z } from 'zod';
import { asciiTexts } from '../a2a/asciiText.ts';

/** Below an address: the site's, or that of an endpoint (RFC 8615, A2A section 8.2). */
export const CARD_PATH = '/.well-known/agent-card.json';

export interface CardFacts {
  /** The node's public address without a slash at its end. */
  readonly baseUrl: string;
  /** Under which the node signs. */
  readonly did: string;
  readonly version: string;
}

export const AgentCard = z.object({
  '@context': z.string(),
  '@type': z.string(),
  did: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  url: z.string(),
  provider: z.object({ '@type': z.string(), name: z.string() }),
  capabilities: z.array(z.string()),
  protocols: z.array(z.string()),
  endpoints: z.object({ a2a: z.string(), discovery: z.string() }),
  authentication: z.object({ methods: z.array(z.string()) }),
});
export type AgentCard = z.infer<typeof AgentCard>;

/** Completes the template. @param template agent-card.json */
export function buildAgentCard(template: object, facts: CardFacts): AgentCard {
  const card = {
    ...asciiTexts(template),
    did: facts.did,
    version: facts.version,
    url: facts.baseUrl,
    endpoints: { a2a: `${facts.baseUrl}/a2a/gateway`, discovery: facts.baseUrl + CARD_PATH },
  };
  // Once in a process: to compile code for it takes longer than the check itself.
  return AgentCard.parse(card, { jitless: true });
}
