/** Every route of a node without a use case behind it: those of the facade, and the documents that describe them. */

import { discoveryRoutes } from '../../documents/discoveryRoutes.ts';
import { documentRoutes } from '../../documents/documentRoutes.ts';
import { extensions } from '../../extensions/list.ts';
import { openRoutes } from '../../gates/pages/openRoutes.ts';
import type { OpenRoute } from '../../gates/rest/openRoute.ts';
import { railEventRoute } from '../../gates/rest/railEventRoute.ts';
import type { Gate } from '../../gates/shell/gate.ts';

export function nodeRoutes(gate: Gate): readonly OpenRoute[] {
  const { baseUrl, did, environment, version } = gate.settings;
  const open = [...openRoutes(gate), ...extensionRoutes(gate), ...discoveryRoutes(gate.settings)];
  return [...open, ...documentRoutes({ baseUrl, version, did, isSandbox: environment === 'sandbox' }, open)];
}

/** The routes of extensions that the node runs with. */
function extensionRoutes(gate: Gate): OpenRoute[] {
  return extensions.flatMap(({ name, notifications }) =>
    notifications === undefined || !gate.settings.extensions.includes(name)
      ? []
      : [railEventRoute(gate, notifications)],
  );
}

/** At the addresses of extensions that the node does not run with, it says so. */
export function absentPaths(on: readonly string[]): ReadonlyMap<string, string> {
  const absent = extensions.filter(({ name }) => !on.includes(name));
  return new Map(absent.flatMap(({ name, notifications }) => (notifications ? [[notifications.path, name]] : [])));
}
