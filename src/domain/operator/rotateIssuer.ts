/** A new issuer key takes over: every chain records it, signed by the key before. */

import { findSetting, putSetting } from '../../store/statements/node/settings.ts';
import { listTenants } from '../../store/statements/node/tenants.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { type Deps, firstIssuer, issuersOf } from '../../usecase/deps.ts';
import { recordEvent } from '../evidence/recordEvent.ts';
import { CURRENT_ISSUER } from './claimDatabase.ts';

/** Records the rotations that the key file has and the database does not. What a crash interrupts goes on next time. */
export async function adoptRotations(deps: EventDeps & Pick<Deps, 'store'>): Promise<void> {
  const { known, tenants } = await deps.store.read(function* () {
    return { known: yield* findSetting(CURRENT_ISSUER), tenants: yield* listTenants() };
  });
  if ((known ?? firstIssuer(deps)) === deps.issuer.did) return;
  for (const { id } of tenants) await deps.store.write(id, (now) => recordRotations(deps, id, now));
  await deps.store.write('bootstrap', () => putSetting(CURRENT_ISSUER, deps.issuer.did));
}

function* recordRotations(deps: EventDeps, tenantId: string, now: number): Script<void> {
  const recorded = `issuer_of ${tenantId}`;
  const dids = issuersOf(deps);
  const first = dids.indexOf((yield* findSetting(recorded)) ?? firstIssuer(deps));
  for (const rotation of deps.evidence.rotations.slice(first)) {
    const { from, to } = rotation;
    const data = { from, to, rotation };
    yield* recordEvent(deps, tenantId, { eventType: 'ISSUER_ROTATED', actorDid: from, data }, now);
  }
  yield* putSetting(recorded, deps.issuer.did);
}
