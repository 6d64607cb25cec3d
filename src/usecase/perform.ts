/** Runs a use case for a gate, and counts what it decided. */
import { requireTouch } from '../access/caller.ts';
import type { Answer, Call } from './call.ts';
import type { Deps } from './deps.ts';
import type { UseCase } from './useCase.ts';

/** @param input as the use case's schema gives it */
export async function perform(deps: Deps, name: string, call: Call, input: unknown): Promise<Answer> {
  const useCase = useCaseNamed(deps, name);
  if (useCase.stepUp === true) requireTouch(call.caller, deps.clock());
  const answer = await useCase.run(deps, call, input);
  const decided = answer.output as Decided | undefined;
  if (useCase.decides === true && decided !== undefined) {
    deps.metrics.decision(name, decided.allowed === false ? decided.reasonCodes : undefined);
  }
  return answer;
}

/** An answer that was stored before is no new decision: it has no output. */
interface Decided {
  readonly allowed?: boolean;
  readonly reasonCodes?: readonly string[];
}

/** @throws Error for a name that the node's table does not have */
export function useCaseNamed({ operations: { table: useCases } }: Pick<Deps, 'operations'>, name: string): UseCase {
  const found = useCases[name];
  if (found === undefined) throw new Error(`There is no use case ${name}.`);
  return found;
}
