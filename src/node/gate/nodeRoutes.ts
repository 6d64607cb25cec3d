/** What the facade of a node serves: the kernel's routes and those of extensions. */

import { discoveryRoutes } from '../../documents/discoveryRoutes.ts';
import { documentRoutes } from '../../documents/documentRoutes.ts';
import type { Extension } from '../../extensions/extension.ts';
import { extensions } from '../../extensions/list.ts';
import { loadApi, routesWith } from '../../extensions/nodeOperations.ts';
import { openRoutes } from '../../gates/pages/openRoutes.ts';
import type { FacadeRoutes } from '../../gates/rest/app.ts';
import type { OpenRoute } from '../../gates/rest/openRoute.ts';
import { railEventRoute } from '../../gates/rest/railEventRoute.ts';
import type { Gate } from '../../gates/shell/gate.ts';

const listed: readonly Extension[] = extensions;

export function nodeRoutes(gate: Gate): FacadeRoutes {
  return { routes: routesWith(gate.settings.extensions), open: openRoutesOf(gate), absent: absentPaths(gate) };
}

/** Every route without a use case behind it: those of the facade and of extensions, and the documents that describe them. */
export function openRoutesOf(gate: Gate): readonly OpenRoute[] {
  const { baseUrl, did, environment, version } = gate.settings;
  const on = listed.filter(({ name }) => gate.settings.extensions.includes(name));
  const ofExtensions = on.flatMap(({ notifications, openRoutes }) => [
    ...(notifications === undefined ? [] : [railEventRoute(gate, notifications)]),
    ...(openRoutes?.(gate.settings, gate.core) ?? []),
  ]);
  const guides = on.flatMap(({ guide }) => guide?.(baseUrl) ?? []);
  const replaced = new Set(ofExtensions.map(({ path }) => path));
  const kernel = openRoutes(gate).filter(({ path }) => !replaced.has(path));
  const open = [...kernel, ...ofExtensions, ...discoveryRoutes(baseUrl, guides)];
  const facts = { baseUrl, version, did, isSandbox: environment === 'sandbox' };
  return [...open, ...documentRoutes(facts, () => loadApi(gate.settings.extensions), open)];
}

function absentPaths({ settings, core }: Gate): FacadeRoutes['absent'] {
  const absent = listed.filter(({ name }) => !settings.extensions.includes(name));
  return absent.flatMap(({ name, doors = [], notifications, routes = [], openRoutes }) => {
    const told = notifications === undefined ? [] : [notifications];
    const served = [...told, ...routes, ...(openRoutes?.(settings, core) ?? [])].map(({ path }) => path);
    return [...doors.flatMap(({ paths }) => paths), ...served].map((path) => ({ path, extension: name }));
  });
}
