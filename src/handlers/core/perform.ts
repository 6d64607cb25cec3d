/** Runs a use case for a gate, and counts what it decided. */
import { requireTouch } from '../../access/caller.ts';
import type { Answer, Call } from './call.ts';
import type { Deps } from './deps.ts';
import { table, type UseCaseName } from './table.ts';
import type { UseCase } from './useCase.ts';

/** @param input as the use case's schema gives it */
export async function perform(deps: Deps, name: UseCaseName, call: Call, input: unknown): Promise<Answer> {
  const useCase: UseCase = table[name] as UseCase;
  if (useCase.stepUp === true) requireTouch(call.caller, deps.clock());
  const answer = await useCase.run(deps, call, input);
  const decided = answer.output as Decided | undefined;
  if (DECISIONS.has(name) && decided !== undefined) {
    deps.metrics.decision(name, decided.allowed === false ? decided.reasonCodes : undefined);
  }
  return answer;
}

/** An answer that was stored before is no new decision: it has no output. */
interface Decided {
  readonly allowed?: boolean;
  readonly reasonCodes?: readonly string[];
}

const DECISIONS: ReadonlySet<UseCaseName> = new Set(['issueIntent', 'validateCart', 'mandatePayment'] as const);
