/** The node's agent card: its public address, its DID, and the address of its gateway. */
import { AgentCard } from '../protocol/wire/agentCard.ts';
import { errorOf, unusable } from './error.ts';
import { send, type TransportOptions } from './transport.ts';

/** What a caller needs of it. The gateway is a path below the node: any other text after its address could name another host. */
const NodeCard = AgentCard.pick({ did: true, url: true, endpoints: true }).refine(({ url, endpoints }) =>
  endpoints.a2a.startsWith(`${url}/`),
);
export type NodeCard = Pick<AgentCard, 'did' | 'url' | 'endpoints'>;

/**
 * @param address of the node, without a slash at its end
 * @throws CountersignError when no card comes, or something else in its place
 */
export async function fetchCard(address: string, options: TransportOptions, signal?: AbortSignal): Promise<NodeCard> {
  const request = { url: `${address}/.well-known/agent-card.json`, method: 'GET', headers: {} };
  const answer = await send(options, { make: async () => request, repeatable: true, signal });
  if (answer.status !== 200) throw errorOf(answer);
  const card = NodeCard.safeParse(jsonOf(answer.text));
  if (!card.success) throw unusable(answer, `What ${request.url} answers is not a node’s agent card.`);
  return card.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
