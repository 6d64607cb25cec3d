/** Every route of a node without a use case behind it: those of the facade, and the documents that describe them. */

import { discoveryRoutes } from '../../documents/discoveryRoutes.ts';
import { documentRoutes } from '../../documents/documentRoutes.ts';
import { openRoutes } from '../../gates/pages/openRoutes.ts';
import type { OpenRoute } from '../../gates/rest/openRoute.ts';
import type { Gate } from '../../gates/shell/gate.ts';

export function nodeRoutes(gate: Gate): readonly OpenRoute[] {
  const { baseUrl, did, environment, version } = gate.settings;
  const open = [...openRoutes(gate), ...discoveryRoutes(gate.settings)];
  return [...open, ...documentRoutes({ baseUrl, version, did, isSandbox: environment === 'sandbox' }, open)];
}
