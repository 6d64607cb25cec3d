/** The sandbox rail's own memory. */
import { get, run, type Script } from '../../store.ts';

export interface SandboxRailRow {
  readonly attempt_key: string;
  readonly parameters: string;
  readonly outcome: string;
  readonly created_at: number;
}

export function* findSandboxEntry(attemptKey: string): Script<SandboxRailRow | undefined> {
  return yield* get<SandboxRailRow>('SELECT * FROM sandbox_rail WHERE attempt_key = ?', attemptKey);
}

export function* insertSandboxEntry(entry: SandboxRailRow): Script<void> {
  yield* run(
    'INSERT INTO sandbox_rail (attempt_key, parameters, outcome, created_at) VALUES (?, ?, ?, ?)',
    entry.attempt_key,
    entry.parameters,
    entry.outcome,
    entry.created_at,
  );
}
