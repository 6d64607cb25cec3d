/** Asks a rail, and turns every way of not answering into the outcome "unknown". */
import type { Rail, RailAttempt, RailOutcome } from '../../rails/rail.ts';
import type { RailAttemptRow } from '../../store/statements/purchases/railAttempts.ts';
import type { Deps } from '../core/deps.ts';
import { requestOf } from './railAttempt.ts';

/** After this many tries without an answer the rail is asked what became of the attempt, before it is sent again. */
const LOOKUP_AFTER_TRIES = 3;
export async function askRail(deps: Deps, railId: string, row: RailAttemptRow): Promise<RailOutcome> {
  const { timeoutSeconds } = deps.settings.rail;
  const rail = deps.rails.get(railId);
  if (rail === undefined) return { kind: 'unknown', reason: `The rail ${railId} is not configured.` };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<RailOutcome>((resolve) => {
    timer = setTimeout(
      () => resolve({ kind: 'unknown', reason: `No answer within ${timeoutSeconds} s.` }),
      timeoutSeconds * 1000,
    );
  });
  const outcome = await Promise.race([ask(deps, rail, row), timeout]).catch((error: unknown): RailOutcome => {
    deps.log.warn('rail.failed', { rail: railId, attempt: row.attempt_key, error: String(error) });
    return { kind: 'unknown', reason: 'The rail could not be reached.' };
  });
  clearTimeout(timer);
  deps.metrics.rail(railId, row.operation, outcome.kind);
  return outcome;
}

/**
 * Sends the attempt, or looks it up. A rail remembers a key for a day: before that is over the same bytes are sent
 * again and have one effect; after it they might have a second one, so that only looking is left.
 */
async function ask(deps: Deps, rail: Rail, row: RailAttemptRow): Promise<RailOutcome> {
  const { resendSeconds, giveUpSeconds } = deps.settings.rail;
  const request = requestOf(row);
  const { attempt_key: key, operation, created_at: createdAt } = row;
  const attempt: RailAttempt = { key, operation, request, createdAt };
  const ageSeconds = (deps.clock() - createdAt) / 1000;
  // A hold that is canceled twice is canceled once; and where no caller asked for it, no caller asks again.
  const maySend = ageSeconds < resendSeconds || request.reason !== undefined;
  if (row.tries >= LOOKUP_AFTER_TRIES || !maySend) {
    const found = await rail.status(attempt);
    if (found !== undefined) return found;
  }
  if (maySend) return rail[operation](key, request);
  if (ageSeconds < giveUpSeconds) return { kind: 'unknown', reason: 'The rail does not know of it so far.' };
  return { kind: 'declined', code: 'no_answer', message: 'The rail never answered, and knows nothing of it.' };
}
