/** A use case that decides and writes in one commit, and may refuse what it records all the same. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import type { Script } from '../../store/store.ts';
import type { Answer, Call } from '../../usecase/call.ts';
import type { Deps } from '../../usecase/deps.ts';
import { closeCall, openCall, releaseCall } from '../../usecase/exchange.ts';
import { type Run, writeLogged } from '../../usecase/useCase.ts';

/**
 * As inOneCommit, for a script that has something to log, or that records what it refuses: a fault that it returns, in contrast to one
 * that it throws, is thrown once what it has written is committed. The same request may come again after it.
 */
export function inLoggedCommit<Input, Output>(
  script: (deps: Deps, caller: Caller, input: Input, now: number) => Script<Output | Fault>,
): Run<Input, Output> {
  return async (deps, call, input) => {
    const told = await writeLogged(deps, call.caller.tenantId, (own, now) =>
      commit(own, call, script(own, call.caller, input, now), now),
    );
    if (told instanceof Fault) throw told;
    return told;
  };
}

function* commit<Output>(
  deps: Deps,
  call: Call,
  script: Script<Output | Fault>,
  now: number,
): Script<Answer<Output> | Fault> {
  const stored = yield* openCall<Output>(deps, call, now);
  if (stored !== undefined) return stored;
  const output = yield* script;
  if (!(output instanceof Fault)) return yield* closeCall(deps, call, output, now);
  yield* releaseCall(call);
  return output;
}
