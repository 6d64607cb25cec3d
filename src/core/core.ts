/** How a gate asks the core: in its own thread by a call, from another one by messages (link.ts). */
import type { Deps } from '../usecase/deps.ts';
import { type CallName, type Calls, calls } from './calls.ts';
import type { RestRequest } from './takeRequest.ts';

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
      if (deps.tracing?.current() === undefined) return (await run(deps, ...given)) as never;
      return deps.tracing.span(spanOf(name, given), 'internal', async () => run(deps, ...given)) as never;
    },
  };
}

/** A request is named for its operation. */
function spanOf(name: CallName, given: readonly unknown[]): string {
  return `core ${name === 'takeRequest' ? (given[0] as RestRequest).name : name}`;
}
