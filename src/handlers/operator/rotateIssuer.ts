/** A new issuer key takes over: every chain records it, signed by the key before. */
import { signRotation } from '../../../protocol/evidence/rotation.ts';
import { findSetting, putSetting } from '../../store/statements/node/settings.ts';
import { listTenants } from '../../store/statements/node/tenants.ts';
import type { Script } from '../../store/store.ts';
import { type Deps, firstIssuer, issuersOf } from '../core/deps.ts';
import { recordEvent } from '../evidence/recordEvent.ts';

/** The DID that signs now; missing until the first rotation. */
export const CURRENT_ISSUER = 'issuer_current';

/** Records the rotations that the key file has and the database does not. What a crash interrupts goes on next time. */
export async function adoptRotations(deps: Deps): Promise<void> {
  const { known, tenants } = await deps.store.read(function* () {
    return { known: yield* findSetting(CURRENT_ISSUER), tenants: yield* listTenants() };
  });
  if ((known ?? firstIssuer(deps)) === deps.issuer.did) return;
  for (const { id } of tenants) await deps.store.write(id, (now) => recordRotations(deps, id, now));
  await deps.store.write('bootstrap', () => putSetting(CURRENT_ISSUER, deps.issuer.did));
}

function* recordRotations(deps: Deps, tenantId: string, now: number): Script<void> {
  const recorded = `issuer_of ${tenantId}`;
  const dids = issuersOf(deps);
  const first = dids.indexOf((yield* findSetting(recorded)) ?? firstIssuer(deps));
  for (const [index, from] of deps.retired.entries()) {
    if (index < first) continue;
    const to = dids[index + 1] as string;
    const data = { from: from.did, to, rotation: signRotation(deps.suite, from, to, now) };
    yield* recordEvent(deps, tenantId, { eventType: 'ISSUER_ROTATED', actorDid: from.did, data }, now);
  }
  yield* putSetting(recorded, deps.issuer.did);
}
