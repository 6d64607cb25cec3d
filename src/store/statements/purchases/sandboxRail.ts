/** What the sandbox rail has answered, which a real rail would keep in its own database. */
import { get, type Script } from '../../store.ts';
import { deleteOldest } from '../queries.ts';
import { insertInto, integer, type RowOf, table, text } from '../tableDefinition.ts';

export const sandboxEntries = table('sandbox_rail', ['attempt_key'], {
  attempt_key: text,
  parameters: text,
  outcome: text,
  created_at: integer,
});
type SandboxRailRow = RowOf<typeof sandboxEntries>;

export function findSandboxEntry(attemptKey: string): Script<SandboxRailRow | undefined> {
  return get('SELECT * FROM sandbox_rail WHERE attempt_key = ?', attemptKey);
}

const insertEntry = insertInto(sandboxEntries);

/**
 * Stores an entry unless there is one under its key. An attempt is of one tenant, whose lock keeps others away in between.
 * @returns the one that is there then
 */
export function* keepSandboxEntry(entry: SandboxRailRow): Script<SandboxRailRow> {
  const kept = yield* findSandboxEntry(entry.attempt_key);
  if (kept !== undefined) return kept;
  yield* insertEntry(entry);
  return entry;
}

/**
 * Deletes entries of old payments, unless they were asked for lately. A key begins with its payment's id, so keys are
 * ordered by time. @param args the smallest key that stays, and the time
 */
export const deleteSandboxEntriesBefore = deleteOldest(
  sandboxEntries,
  'attempt_key < ? AND created_at < ?',
  'attempt_key',
);
