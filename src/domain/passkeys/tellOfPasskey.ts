/** Tells the people concerned that a passkey now approves for an agent or a principal: whose money or agent it is. */
import { inertText } from '../../../protocol/wire/plainText.ts';
import type { PasskeyRow } from '../../store/statements/people/passkeys.ts';
import { listOwners } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { tellUser } from '../notifications/tellUser.ts';
import { nameOfHolder, userBehind } from './holder.ts';
import { isOut } from './touchPerson.ts';

/** The user who owns the agent or is the principal; the tenant's owners where no user does. */
export function* tellOfPasskey(deps: EventDeps, passkey: PasskeyRow, now: number): Script<void> {
  const { tenant_id: tenantId, holder_kind: kind, holder_did: did, user_id: enrolledBy } = passkey;
  if (kind === 'user') return;
  const user = yield* userBehind(tenantId, { kind, did });
  const concerned = user === undefined || isOut(user) ? yield* listOwners(tenantId) : [user];
  const name = inertText(yield* nameOfHolder(tenantId, { kind, did })) || did;
  const notice = { type: 'passkey.added', name, holder: { kind, did } } as const;
  for (const { id: userId } of concerned) {
    // A user who enrolled it themselves knows.
    if (userId !== enrolledBy) yield* tellUser(deps, { tenantId, userId }, notice, now);
  }
}
