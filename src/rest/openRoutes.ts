/** Every route without a use case behind it. */
import type { Deps } from '../handlers/core/deps.ts';
import { loginRoutes } from './loginRoutes.ts';
import type { OpenRoute } from './openRoute.ts';
import { pageFiles } from './pageFiles.ts';
import { personRoutes } from './pageRoutes.ts';
import { type PublicFacts, publicRoutes } from './publicRoutes.ts';
import { railEventRoutes } from './railEventRoutes.ts';

export function openRoutes(deps: Deps, facts: PublicFacts): readonly OpenRoute[] {
  return [
    ...publicRoutes(deps, facts),
    ...loginRoutes(deps),
    ...personRoutes(deps),
    ...railEventRoutes(deps, 'CARD_RAIL'),
    ...pageFiles(),
  ];
}

/** The OpenAPI document is about what programs call, and not about what the node's own pages are made of. */
export function isDocumented({ path }: OpenRoute): boolean {
  return !/^\/(docs|pages)\//.test(path);
}
