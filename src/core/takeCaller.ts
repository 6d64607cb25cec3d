/** A look at a caller before the gate parses what it sent: one that is not known, or has no calls left, is refused. */
import type { Deps } from '../usecase/deps.ts';
import { type Credential, identify } from './callerOf.ts';
import { type Taken, take } from './taken.ts';

export function takeCaller(deps: Deps, address: string, credential: Credential): Promise<Taken> {
  return take(deps, address, async (standing) => {
    standing.know(await identify(deps, credential));
    standing.requireCalls();
    return '';
  });
}
