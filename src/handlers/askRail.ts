/** Asks a rail, and turns every way of not answering into the outcome "unknown". */
import { RAIL_TIMEOUT_SECONDS, type RailOutcome, RailRequest } from '../rails/rail.ts';
import type { RailAttemptRow } from '../store/statements/railAttempts.ts';
import type { Deps } from './deps.ts';

/** After this many tries without an answer the rail is asked what became of the attempt, before it is sent again. */
const LOOKUP_AFTER_TRIES = 3;

export async function askRail(
  deps: Deps,
  railId: string,
  attempt: Pick<RailAttemptRow, 'attempt_key' | 'operation' | 'parameters' | 'tries'>,
): Promise<RailOutcome> {
  const rail = deps.rails.get(railId);
  if (rail === undefined) return { kind: 'unknown', reason: `The rail ${railId} is not configured.` };
  const request = RailRequest.parse(JSON.parse(attempt.parameters));
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<RailOutcome>((resolve) => {
    timer = setTimeout(
      () => resolve({ kind: 'unknown', reason: `No answer within ${RAIL_TIMEOUT_SECONDS} s.` }),
      RAIL_TIMEOUT_SECONDS * 1000,
    );
  });
  const outcome = await Promise.race([ask(), timeout]).catch((error: unknown): RailOutcome => {
    deps.log('rail.failed', { rail: railId, attempt: attempt.attempt_key, error: String(error) });
    return { kind: 'unknown', reason: 'The rail could not be reached.' };
  });
  clearTimeout(timer);
  deps.metrics.rail(railId, attempt.operation, outcome.kind);
  return outcome;

  async function ask(): Promise<RailOutcome> {
    if (attempt.tries >= LOOKUP_AFTER_TRIES) {
      const found = await rail?.status(attempt.attempt_key);
      if (found !== undefined) return found;
    }
    return (rail as NonNullable<typeof rail>)[attempt.operation](attempt.attempt_key, request);
  }
}
