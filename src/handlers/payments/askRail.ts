/** Asks a rail. A rail that does not answer, in whatever way, gives the outcome `unknown`. */
import type { Rail, RailAttempt, RailOutcome } from '../../rails/rail.ts';
import type { RailAttemptRow } from '../../store/statements/purchases/railAttempts.ts';
import type { Deps } from '../core/deps.ts';
import { requestOf } from './railAttempt.ts';

/** After this many tries without an answer, the attempt is looked up at the rail before it is sent again. */
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
 * Sends the attempt, or looks it up. A rail remembers an idempotency key for a day: within it, sending the same bytes
 * again has one effect; after it, sending could charge twice, so the attempt is only looked up.
 */
async function ask(deps: Deps, rail: Rail, row: RailAttemptRow): Promise<RailOutcome> {
  const { resendSeconds, giveUpSeconds } = deps.settings.rail;
  const request = requestOf(row);
  const { attempt_key: key, operation, created_at: createdAt } = row;
  const attempt: RailAttempt = { key, operation, request, createdAt };
  const ageSeconds = (deps.clock() - createdAt) / 1000;
  // Canceling a hold twice has one effect, and no caller will ask again for a cancellation that the node began.
  const maySend = ageSeconds < resendSeconds || request.reason !== undefined;
  if (row.tries >= LOOKUP_AFTER_TRIES || !maySend) {
    const found = await rail.status(attempt);
    if (found !== undefined) return found;
  }
  if (maySend) return rail[operation](key, request);
  if (ageSeconds < giveUpSeconds) return { kind: 'unknown', reason: 'The rail does not know of it so far.' };
  return { kind: 'declined', code: 'no_answer', message: 'The rail never answered, and knows nothing of it.' };
}
