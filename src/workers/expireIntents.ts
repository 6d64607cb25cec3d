/** Expires intents. */

import type { Deps } from '../handlers/core/deps.ts';
import { endIntent } from '../handlers/intents/endIntent.ts';
import { listOverdueIntents } from '../store/statements/purchases/intents.ts';

const BATCH = 200;

/** @returns how many intents were ended */
export async function expireIntents(deps: Deps): Promise<number> {
  let ended = 0;
  for (;;) {
    const overdue = await deps.store.read((now) => listOverdueIntents(now, BATCH));
    await Promise.all(
      overdue.map(({ tenant_id: tenantId, mandate_id: mandateId }) =>
        deps.store.write(tenantId, (now) => endIntent(deps, { tenantId, mandateId }, undefined, now)),
      ),
    );
    ended += overdue.length;
    if (overdue.length < BATCH) return ended;
  }
}
