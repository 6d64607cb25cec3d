/** Every route of a node without a use case behind it: those of the facade, and the documents that describe them. */
import { buildAgentCard } from '../../protocol/wire/agentCard.ts';
import { readJsonAsset } from '../assets/assets.ts';
import { documentRoutes } from '../documents/documentRoutes.ts';
import type { Deps } from '../handlers/core/deps.ts';
import type { OpenRoute } from '../rest/openRoute.ts';
import { openRoutes } from '../rest/openRoutes.ts';
import { version } from './version.ts';

/** @param isServing false from the moment the node was asked to stop */
export function nodeRoutes(deps: Deps, isServing: () => boolean): readonly OpenRoute[] {
  const { baseUrl } = deps.settings;
  const isSandbox = deps.settings.environment === 'sandbox';
  const { did } = deps.issuer;
  const card = buildAgentCard(readJsonAsset('agent-card.json'), { baseUrl, did, version });
  const open = openRoutes(deps, { card, isServing });
  return [...open, ...documentRoutes({ baseUrl, version, did, isSandbox }, open)];
}
