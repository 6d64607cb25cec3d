/** Runs a use case for a gate, and counts what it decided. */
import type { Caller } from '../../access/caller.ts';
import type { Deps } from './deps.ts';
import type { Answer, Envelope } from './envelope.ts';
import { table, type UseCaseName } from './table.ts';
import type { UseCase } from './useCase.ts';

export async function perform<Wire>(
  deps: Deps,
  name: UseCaseName,
  call: { readonly caller: Caller; readonly input: unknown; readonly envelope: Envelope<unknown, Wire> },
): Promise<Answer<unknown, Wire>> {
  const useCase = table[name] as UseCase;
  const answer = await useCase.run(deps, call.caller, call.input, call.envelope);
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
