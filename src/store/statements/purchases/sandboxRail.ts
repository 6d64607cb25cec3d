/** What the sandbox rail remembers of the payments it was asked for, as a real rail would on its own side. */
import { get, type Script } from '../../store.ts';
import { insertInto, integer, type RowOf, table, text } from '../tableDefinition.ts';

export const sandboxEntries = table('sandbox_rail', ['attempt_key'], {
  attempt_key: text,
  parameters: text,
  outcome: text,
  created_at: integer,
});
export type SandboxRailRow = RowOf<typeof sandboxEntries>;

export function findSandboxEntry(attemptKey: string): Script<SandboxRailRow | undefined> {
  return get('SELECT * FROM sandbox_rail WHERE attempt_key = ?', attemptKey);
}

export const insertSandboxEntry = insertInto(sandboxEntries);
