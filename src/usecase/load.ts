/** What a use case reads before it decides: declared once, by name, for both engines. */

import { findRequest } from '../store/statements/callers/requests.ts';
import { type Load, type Script, together } from '../store/store.ts';
import type { Call } from './call.ts';
import type { Deps } from './deps.ts';
import { keysOf } from './exchange.ts';

/** A loader of each fact. None needs what another one gives. */
export type Loaders<Facts> = { readonly [Name in keyof Facts]: Script<Facts[Name]> };

/** Runs loaders together, and then the script that they load for. @throws what they throw */
export function* loadThen<Facts extends object, Output>(
  loaders: () => Loaders<Facts>,
  script: (facts: Facts) => Script<Output>,
): Script<Output> {
  const named = loaders();
  const names = Object.keys(named) as (keyof Facts)[];
  const values = yield* together(...names.map((name) => named[name]));
  const facts: Partial<Facts> = {};
  for (let index = 0; index < names.length; index++) facts[names[index] as keyof Facts] = values[index] as never;
  return yield* script(facts as Facts);
}

/** What the first commit of a call reads: its stored answer, what the hooks read of it, and what the use case loads. */
export function loadOf({ operations: { hooks } }: Pick<Deps, 'operations'>, call: Call, loaders: () => object): Load {
  return () => [
    ...keysOf(call).map(({ tenantId, scope, key }) => findRequest(tenantId, scope, key)),
    ...hooks.loadsOfCall.flatMap((loads) => loads(call)),
    ...(Object.values(loaders()) as Script<unknown>[]),
  ];
}
