/** Ends the trust in a mandate issuer, and takes back what its chains have not paid: tokens, and touches of the person with them. */

import { listUnpaidIntentsOfIssuer } from '../../store/statements/purchases/mandateUses.ts';
import { deleteMandateIssuer, type MandateIssuerRow } from '../../store/statements/registry/mandateIssuers.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { endIntent } from '../intents/endIntent.ts';

/** Tokens live for minutes, so that few are. */
const MOST_AT_ONCE = 1000;

/** @param now milliseconds since the epoch */
export function* endMandateIssuer(
  deps: EventDeps,
  { tenant_id: tenantId, id }: MandateIssuerRow,
  now: number,
): Script<void> {
  yield* deleteMandateIssuer(tenantId, id);
  for (const { mandate_id: mandateId } of yield* listUnpaidIntentsOfIssuer(tenantId, id, MOST_AT_ONCE)) {
    yield* endIntent(deps, { tenantId, mandateId }, 'revoked', now);
  }
}
