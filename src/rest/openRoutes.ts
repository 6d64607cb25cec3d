/** Every route without a use case behind it. */
import type { Gate } from '../core/gate.ts';
import { cardRoutes } from './cardRoutes.ts';
import { consoleRoutes } from './console/consoleRoutes.ts';
import { homeRoutes } from './homeRoutes.ts';
import { loginRoutes } from './login/loginRoutes.ts';
import { signInRoutes } from './login/signInRoutes.ts';
import type { OpenRoute } from './openRoute.ts';
import { pageFiles } from './pageFiles.ts';
import { personRoutes } from './pageRoutes.ts';
import { publicRoutes } from './publicRoutes.ts';
import { railEventRoutes } from './railEventRoutes.ts';

export function openRoutes(gate: Gate): readonly OpenRoute[] {
  return [
    ...cardRoutes(gate),
    ...homeRoutes(gate),
    ...publicRoutes(gate),
    ...loginRoutes(gate),
    ...signInRoutes(gate),
    ...personRoutes(gate),
    ...railEventRoutes(gate, 'CARD_RAIL'),
    ...consoleRoutes(gate),
    ...pageFiles(),
  ];
}

/** The OpenAPI document is about what programs call, and not about what the node's own pages are made of. */
export function isDocumented({ path }: OpenRoute): boolean {
  return !/^\/(docs|pages|console)\/./.test(path);
}
