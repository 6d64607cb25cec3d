/** Stores when API keys were last used. */

import { recordApiKeyUse } from '../store/statements/callers/apiKeys.ts';
import type { Deps } from '../usecase/deps.ts';

export async function storeKeyUse(deps: Deps): Promise<void> {
  const uses = deps.access.keyUse.pending();
  if (uses.size === 0) return;
  await deps.store.write('housekeeping', function* () {
    for (const [keyId, usedAt] of uses) yield* recordApiKeyUse(keyId, usedAt);
  });
  deps.access.keyUse.written(uses);
}
