/** Gives the sandbox rail its ledger: a table of its own, written apart from the node's commits. */
import type { RailOutcome } from '../rails/rail.ts';
import type { SandboxEntry, SandboxLedger } from '../rails/sandbox/sandboxRail.ts';
import {
  findSandboxEntry,
  insertSandboxEntry,
  type SandboxRailRow,
} from '../store/statements/purchases/sandboxRail.ts';
import type { Store } from '../store/store.ts';

/** Writers of the ledger form one line, as if the rail were a tenant of its own. */
const LEDGER = 'sandbox-rail';

export function sandboxLedger(store: Store, clock: () => number): SandboxLedger {
  return {
    async find(attemptKey) {
      const row = await store.read(() => findSandboxEntry(attemptKey));
      return row === undefined ? undefined : entryOf(row);
    },
    putOnce(attemptKey, entry) {
      return store.write(LEDGER, function* () {
        const row = yield* findSandboxEntry(attemptKey);
        if (row !== undefined) return entryOf(row);
        yield* insertSandboxEntry({
          attempt_key: attemptKey,
          parameters: entry.parameters,
          outcome: JSON.stringify(entry.outcome),
          created_at: clock(),
        });
        return entry;
      });
    },
  };
}

function entryOf(row: SandboxRailRow): SandboxEntry {
  return { parameters: row.parameters, outcome: JSON.parse(row.outcome) as RailOutcome };
}
