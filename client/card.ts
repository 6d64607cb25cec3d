/** The node's agent card: its public address, its DID, and the address of its gateway. */
import type { AgentCard } from '../protocol/wire/agentCard.ts';
import { errorOf } from './error.ts';
import { send, type TransportOptions } from './transport.ts';

/** @param baseUrl the node's address without a trailing slash */
export async function fetchCard(baseUrl: string, options: TransportOptions = {}): Promise<AgentCard> {
  const request = { url: `${baseUrl}/.well-known/agent-card.json`, method: 'GET', headers: {} };
  const { status, headers, text } = await send(options, async () => request, true);
  if (status !== 200) throw errorOf(status, headers, text);
  return JSON.parse(text) as AgentCard;
}
