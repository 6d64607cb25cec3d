/** How a gate asks the core: in its own thread by a call, from another one by messages (link.ts). */
import type { Deps } from '../usecase/deps.ts';
import { type CallName, type Calls, calls } from './calls.ts';

type Given<Name extends CallName> = Calls[Name] extends (deps: Deps, ...given: infer Given) => unknown ? Given : never;
export type Gives<Name extends CallName> = Awaited<ReturnType<Calls[Name]>>;

export interface Core {
  /** @throws Fault, and an error without details for what the core has not foreseen */
  call<Name extends CallName>(name: Name, ...given: Given<Name>): Promise<Gives<Name>>;
}

export function coreHere(deps: Deps): Core {
  return {
    async call(name, ...given) {
      const run = calls[name] as (deps: Deps, ...given: unknown[]) => unknown;
      return (await run(deps, ...given)) as never;
    },
  };
}
