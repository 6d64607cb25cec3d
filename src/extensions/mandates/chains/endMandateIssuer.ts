/** Ends the trust in a mandate issuer, and takes back what its chains have not paid: tokens, and touches of the person with them. */

import type { Caller } from '../../../access/caller.ts';
import { recordAdminEvent } from '../../../domain/evidence/recordEvent.ts';
import { endIntent } from '../../../domain/intents/endIntent.ts';
import { listUnpaidIntentsOfIssuer } from '../../../store/statements/purchases/mandateUses.ts';
import {
  deleteMandateIssuer,
  listTouchIssuersMadeBy,
  type MandateIssuerRow,
} from '../../../store/statements/registry/mandateIssuers.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';

/** Tokens live for minutes, so that few are. */
const MOST_AT_ONCE = 1000;

/** @param now milliseconds since the epoch */
export function* endMandateIssuer(
  deps: EventDeps & Pick<Deps, 'operations'>,
  { tenant_id: tenantId, id }: MandateIssuerRow,
  now: number,
): Script<void> {
  yield* deleteMandateIssuer(tenantId, id);
  for (const { mandate_id: mandateId } of yield* listUnpaidIntentsOfIssuer(tenantId, id, MOST_AT_ONCE)) {
    yield* endIntent(deps, { tenantId, mandateId }, 'revoked', now);
  }
}

/** Trust in people's credentials that a key added: their signatures count as touches. */
export function* endCredentialsOfKey(
  deps: EventDeps & Pick<Deps, 'operations'>,
  caller: Caller,
  keyId: string,
  now: number,
): Script<void> {
  for (const row of yield* listTouchIssuersMadeBy(caller.tenantId, `key ${keyId}`)) {
    yield* endMandateIssuer(deps, row, now);
    const facts = { mandateIssuerId: row.id, name: row.name, kind: row.kind, trusts: row.trusts, endedWith: keyId };
    yield* recordAdminEvent(deps, caller, 'MANDATE_ISSUER_REMOVED', facts, now);
  }
}
