/** Gives the sandbox rail its ledger: a table of its own, written apart from the node's commits. */
import { RailOutcome } from '../rails/rail.ts';
import type { SandboxEntry, SandboxLedger } from '../rails/sandbox/sandboxRail.ts';
import {
  findSandboxEntry,
  insertSandboxEntry,
  type SandboxRailRow,
} from '../store/statements/purchases/sandboxRail.ts';
import { readAhead, type Script, type Store } from '../store/store.ts';

/** The ledger's writes are ordered by a lock of their own, as a tenant's are. */
const LEDGER = 'sandbox-rail';

export function sandboxLedger(store: Store): SandboxLedger {
  return {
    async find(attemptKey) {
      const row = await store.read(() => findSandboxEntry(attemptKey));
      return row === undefined ? undefined : entryOf(row);
    },
    putOnce(attemptKey, entry) {
      const put = function* (now: number): Script<SandboxEntry> {
        const row = yield* findSandboxEntry(attemptKey);
        if (row !== undefined) return entryOf(row);
        yield* insertSandboxEntry({
          attempt_key: attemptKey,
          parameters: entry.parameters,
          outcome: JSON.stringify(entry.outcome),
          created_at: now,
        });
        return entry;
      };
      return store.write(LEDGER, put, readAhead(findSandboxEntry(attemptKey)));
    },
  };
}

function entryOf(row: SandboxRailRow): SandboxEntry {
  return { parameters: row.parameters, outcome: RailOutcome.parse(JSON.parse(row.outcome)) };
}
