/** Every route without a use case behind it. */

import { cardRoute } from '../rest/cardRoute.ts';
import { loginRoutes } from '../rest/login/loginRoutes.ts';
import { signInRoutes } from '../rest/login/signInRoutes.ts';
import type { OpenRoute } from '../rest/openRoute.ts';
import { publicRoutes } from '../rest/publicRoutes.ts';
import type { Gate } from '../shell/gate.ts';
import { consoleRoutes } from './consoleRoutes.ts';
import { homeRoutes } from './homeRoutes.ts';
import { pageFiles } from './pageFiles.ts';
import { personRoutes } from './pageRoutes.ts';

export function openRoutes(gate: Gate): readonly OpenRoute[] {
  return [
    cardRoute(gate),
    ...homeRoutes(gate),
    ...publicRoutes(gate),
    ...loginRoutes(gate),
    ...signInRoutes(gate),
    ...personRoutes(gate),
    ...consoleRoutes(gate),
    ...pageFiles(),
  ];
}

/** The OpenAPI document is about what programs call, and not about what the node's own pages are made of. */
export function isDocumented({ path }: OpenRoute): boolean {
  return !/^\/(docs|pages|console)\/./.test(path);
}
