/** The agent card: how other agents discover this node. */
import { z } from 'zod';

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

/**
 * Completes the template.
 * @param template agent-card.json
 * @param facts the node's public base URL without a trailing slash, its issuer DID and its version
 */
export function buildAgentCard(
  template: object,
  facts: { readonly baseUrl: string; readonly did: string; readonly version: string },
): AgentCard {
  return AgentCard.parse({
    ...template,
    did: facts.did,
    version: facts.version,
    url: facts.baseUrl,
    endpoints: { a2a: `${facts.baseUrl}/a2a/gateway`, discovery: `${facts.baseUrl}/.well-known/agent-card.json` },
  });
}
