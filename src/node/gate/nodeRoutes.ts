/** Every route of a node without a use case behind it: those of the facade, and the documents that describe them. */
import type { Gate } from '../../core/gate.ts';
import { discoveryRoutes } from '../../documents/discoveryRoutes.ts';
import { documentRoutes } from '../../documents/documentRoutes.ts';
import type { OpenRoute } from '../../rest/openRoute.ts';
import { openRoutes } from '../../rest/openRoutes.ts';

export function nodeRoutes(gate: Gate): readonly OpenRoute[] {
  const { baseUrl, did, environment, version } = gate.settings;
  const open = [...openRoutes(gate), ...discoveryRoutes(gate.settings)];
  return [...open, ...documentRoutes({ baseUrl, version, did, isSandbox: environment === 'sandbox' }, open)];
}
