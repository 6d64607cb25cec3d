/** Keeps what a rail without a database of its own answers, in the commit that records the answer. */
import { RailOutcome } from '../../rails/rail.ts';
import type { RailAttemptRow } from '../../store/statements/purchases/railAttempts.ts';
import { findSandboxEntry, keepSandboxEntry } from '../../store/statements/purchases/sandboxRail.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { requestOf } from './railAttempt.ts';

/** What keepOutcome reads. */
export function outcomeAhead(deps: Deps, railId: string, { attempt_key: key }: RailAttemptRow): Script<unknown>[] {
  return deps.rails.get(railId)?.isKeptByNode === true ? [findSandboxEntry(key)] : [];
}

/**
 * The first answer under a key holds, as it does at a rail that remembers its keys: another process may have asked as well.
 * @returns the answer that holds
 */
export function* keepOutcome(
  deps: Deps,
  railId: string,
  attempt: RailAttemptRow,
  outcome: RailOutcome,
  now: number,
): Script<RailOutcome> {
  if (outcome.kind === 'unknown' || deps.rails.get(railId)?.isKeptByNode !== true) return outcome;
  const parameters = JSON.stringify(requestOf(attempt));
  const entry = { attempt_key: attempt.attempt_key, parameters, outcome: JSON.stringify(outcome), created_at: now };
  const kept = yield* keepSandboxEntry(entry);
  if (kept.parameters === parameters) return RailOutcome.parse(JSON.parse(kept.outcome));
  return { kind: 'declined', code: 'idempotency_error', message: 'This key was used for another request.' };
}
