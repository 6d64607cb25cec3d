/**
 * Which rows of the ledger its views are of: a setting that changes when rows are deleted, whose places new ones may take. Views
 * of another generation are made anew.
 */
import { run, type Script } from '../../store.ts';

export const VIEWS_GENERATION = 'views_generation';

/** Ends the generation, in the commit that deletes rows which views are of. */
export function* endViewsGeneration(): Script<void> {
  yield* run(
    `INSERT INTO settings (name, value) VALUES (?, '1')
     ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(settings.value AS BIGINT) + 1 AS TEXT)`,
    VIEWS_GENERATION,
  );
}
