/** Every route of a node without a use case behind it: those of the facade and of extensions, and the documents that describe them. */

import { discoveryRoutes } from '../../documents/discoveryRoutes.ts';
import { documentRoutes } from '../../documents/documentRoutes.ts';
import { extensions } from '../../extensions/list.ts';
import { openRoutes } from '../../gates/pages/openRoutes.ts';
import type { OpenRoute } from '../../gates/rest/openRoute.ts';
import { railEventRoute } from '../../gates/rest/railEventRoute.ts';
import type { Gate } from '../../gates/shell/gate.ts';

export function nodeRoutes(gate: Gate): readonly OpenRoute[] {
  const { baseUrl, did, environment, version } = gate.settings;
  const on = extensions.filter(({ name }) => gate.settings.extensions.includes(name));
  const ofExtensions = on.flatMap(({ notifications, routes }) => [
    ...(notifications === undefined ? [] : [railEventRoute(gate, notifications)]),
    ...(routes?.(gate.settings) ?? []),
  ]);
  const guides = on.flatMap(({ guide }) => guide?.(baseUrl) ?? []);
  const open = [...openRoutes(gate), ...ofExtensions, ...discoveryRoutes(baseUrl, guides)];
  return [...open, ...documentRoutes({ baseUrl, version, did, isSandbox: environment === 'sandbox' }, open)];
}

/** The paths of extensions that the node does not run with, each with the name of its extension. */
export function absentPaths({ settings }: Gate): ReadonlyMap<string, string> {
  const absent = extensions.filter(({ name }) => !settings.extensions.includes(name));
  return new Map(
    absent.flatMap(({ name, doors = [], notifications, routes }) => {
      const paths = [...doors, ...(notifications ? [notifications] : []), ...(routes?.(settings) ?? [])];
      return paths.map(({ path }) => [path, name] as const);
    }),
  );
}
