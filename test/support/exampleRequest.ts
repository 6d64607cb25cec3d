/** An example of a use case as the request it travels in. */
import { pathParameters } from '../../src/documents/openapi/split.ts';
import type { Route } from '../../src/gates/rest/routes.ts';

/** @returns the path with its query, and the body where the route has one */
export function requestOf(
  route: Pick<Route, 'method' | 'path'>,
  input: Readonly<Record<string, unknown>>,
): readonly [path: string, body: Readonly<Record<string, unknown>> | undefined] {
  const inPath = pathParameters(route.path);
  const path = route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(input[name])));
  const rest = Object.entries(input)
    .filter(([name]) => !inPath.includes(name))
    // A test has no time for what may happen meanwhile.
    .map(([name, value]) => [name, name === 'wait' ? 0 : value] as const);
  if (route.method === 'POST' || route.method === 'PUT') {
    return [path, rest.length === 0 ? undefined : Object.fromEntries(rest)];
  }
  const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)]));
  return [query.size === 0 ? path : `${path}?${query}`, undefined];
}
