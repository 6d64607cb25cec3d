/** Stores when API keys were last used, and deletes logins that have ended. */
import type { Deps } from '../handlers/core/deps.ts';
import { recordApiKeyUse } from '../store/statements/callers/apiKeys.ts';
import { deleteLoginsBefore } from '../store/statements/people/logins.ts';

export async function storeKeyUse(deps: Deps): Promise<void> {
  const uses = deps.keyUse.pending();
  if (uses.size === 0) return;
  await deps.store.write('housekeeping', function* () {
    for (const [keyId, usedAt] of uses) yield* recordApiKeyUse(keyId, usedAt);
  });
  deps.keyUse.written(uses);
}

export async function deleteOldLogins(deps: Deps): Promise<void> {
  await deps.store.write('housekeeping', (now) => deleteLoginsBefore(now));
}
