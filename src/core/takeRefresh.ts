/** The renewal of a login: charged to its person, as their other calls are, and to an address where there is none. */

import { refreshLogin } from '../domain/access/startLogin.ts';
import type { Deps } from '../usecase/deps.ts';
import { type Taken, take } from './taken.ts';

/** @param device what the browser says that it is @returns Tokens, as JSON */
export function takeRefresh(deps: Deps, address: string, token: string, device: string | undefined): Promise<Taken> {
  return take(deps, address, async (standing) => {
    const tokens = await refreshLogin(deps, token, device, (caller) => {
      standing.know(caller);
      standing.charge();
    });
    return JSON.stringify(tokens);
  });
}
