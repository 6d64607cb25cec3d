/** Tells the people concerned that another passkey or credential now approves for an agent or a principal: whose money or agent it is. */
import { inertText } from '../../../protocol/wire/plainText.ts';
import type { Holder, PasskeyRow } from '../../store/statements/people/passkeys.ts';
import { listOwners } from '../../store/statements/people/users.ts';
import type { MandateIssuerRow } from '../../store/statements/registry/mandateIssuers.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { tellPerson } from '../people/tellPerson.ts';
import { nameOfHolder, userBehind } from './holder.ts';
import { isOut } from './touchPerson.ts';

type TellDeps = EventDeps & Pick<Deps, 'operations'>;

export function* tellOfPasskey(deps: TellDeps, passkey: PasskeyRow, now: number): Script<void> {
  const { tenant_id: tenantId, holder_kind: kind, holder_did: did, user_id: enrolledBy } = passkey;
  if (kind !== 'user') yield* tell(deps, { tenantId, holder: { kind, did }, what: 'passkey', by: enrolledBy }, now);
}

/** Of a wallet or card issuer whose signature counts as the touch of a principal. */
export function* tellOfCredential(deps: TellDeps, issuer: MandateIssuerRow, now: number): Script<void> {
  const { tenant_id: tenantId, kind, principal_did: did } = issuer;
  if (kind === 'agent-provider' || did === null) return;
  const holder = { kind: 'principal', did } as const;
  yield* tell(deps, { tenantId, holder, what: 'credential', by: null }, now);
}

interface NewPasskey {
  readonly tenantId: string;
  readonly holder: Holder & { readonly kind: 'agent' | 'principal' };
  readonly what: 'passkey' | 'credential';
  /** The user who added it, who knows. */
  readonly by: string | null;
}

/** The user who owns the agent or is the principal; the tenant's owners where no user does. */
function* tell(deps: TellDeps, { tenantId, holder, what, by }: NewPasskey, now: number): Script<void> {
  const user = yield* userBehind(tenantId, holder);
  const concerned = user === undefined || isOut(user) ? yield* listOwners(tenantId) : [user];
  const name = inertText(yield* nameOfHolder(tenantId, holder)) || holder.did;
  const notice = { type: 'passkey.added', name, holder, what } as const;
  for (const { id: userId } of concerned) {
    if (userId !== by) yield* tellPerson(deps, { tenantId, userId }, notice, now);
  }
}
