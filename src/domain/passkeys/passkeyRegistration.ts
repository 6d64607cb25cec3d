/** The registration of a passkey: its options, the check of what an authenticator made, and its row. */

import { readClientData } from '../../../protocol/credential/clientData.ts';
import { readCoseKey } from '../../../protocol/credential/coseKey.ts';
import { fromBase64url, toBase64url } from '../../../protocol/credential/encodings.ts';
import { thumbprint } from '../../../protocol/jwk/jwk.ts';
import type { Passkey, RegistrationCredential, RegistrationOptions } from '../../../protocol/passkey.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import type { KnownPasskey } from '../../access/presence/assertion.ts';
import { checkRegistration, registrationOptions } from '../../access/presence/registration.ts';
import { relyingPartyOf } from '../../access/presence/relyingParty.ts';
import { type EnrollmentRow, markEnrollmentUsed } from '../../store/statements/people/enrollments.ts';
import { type Holder, insertPasskey, listPasskeysOf, type PasskeyRow } from '../../store/statements/people/passkeys.ts';
import {
  consumePresenceChallengeByValue,
  type PresenceChallengeRow,
} from '../../store/statements/people/presenceChallenges.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { requireStanding } from '../../usecase/standing.ts';
import { actedBy, recordNodeEvent } from '../evidence/recordEvent.ts';
import { govern } from '../principals/governance.ts';
import { namedHolder, nameOfHolder } from './holder.ts';
import { consumeChallenge, failed, knownPasskey, openChallenge } from './presenceChallenge.ts';
import { showPasskey } from './showPasskey.ts';
import { tellOfPasskey } from './tellOfPasskey.ts';
import { shownMaker } from './touchPerson.ts';

interface Owner {
  readonly tenantId: string;
  readonly holder: Holder;
}

/** What a ceremony is for: the link that it goes by, or nothing more than its holder. */
interface Registration extends Owner {
  readonly deviceName: string;
  readonly subjectId?: string | undefined;
  /** What the browser shows as the account; the holder's name where it is not given. */
  readonly accountName?: string;
}

/** @throws Fault AGENT_UNKNOWN, CONFLICT for an agent that was revoked */
export function* openRegistration(
  deps: Pick<Deps, 'newId' | 'newToken' | 'settings' | 'suite'>,
  facts: Registration,
  now: number,
): Script<RegistrationOptions> {
  const { tenantId, holder, deviceName, subjectId } = facts;
  const accountName = facts.accountName ?? (yield* nameOfHolder(tenantId, holder));
  const purpose = 'register';
  const challenge = yield* openChallenge(
    deps,
    { tenantId, purpose, holder, binding: namedHolder(holder), subjectId, deviceName },
    now,
  );
  const enrolled = yield* listPasskeysOf(tenantId, holder);
  return registrationOptions(relyingPartyOf(deps.settings.baseUrl), {
    challenge: challenge.challenge,
    // One account for each holder, which may have several passkeys.
    userHandle: toBase64url(
      deps.suite.sha256(`${tenantId}\n${holder.kind === 'agent' ? '' : `${holder.kind}\n`}${holder.did}`),
    ),
    accountName,
    enrolled: enrolled.map(knownPasskey),
    // Users sign in without saying first who they are.
    discoverable: holder.kind === 'user',
  });
}

/** A passkey that a browser made for a challenge of this node, not stored yet. */
export interface MadePasskey {
  readonly challenge: PresenceChallengeRow;
  readonly passkey: KnownPasskey & { readonly synced: boolean };
}

/**
 * Consumes the challenge of a registration and checks what the browser made of it.
 * @throws Fault BAD_REQUEST when the ceremony failed
 */
export async function checkMade(
  deps: Pick<Deps, 'settings' | 'store'>,
  { tenantId, holder, subjectId }: Owner & { readonly subjectId?: string | undefined },
  credential: RegistrationCredential,
): Promise<MadePasskey> {
  const { challenge: named } = readClientData(credential.response.clientDataJSON);
  if (named === undefined) throw failed('its client data cannot be read');
  const challenge = await consumeChallenge(
    deps,
    tenantId,
    () => consumePresenceChallengeByValue(tenantId, named),
    (taken) =>
      taken.purpose === 'register' &&
      taken.holder_kind === holder.kind &&
      taken.holder_did === holder.did &&
      taken.subject_id === (subjectId ?? null),
  );
  const check = await checkRegistration(relyingPartyOf(deps.settings.baseUrl), credential, challenge.challenge);
  if (!check.ok) throw failed(check.reason);
  return { challenge, passkey: check.passkey };
}

/** For whom a passkey is stored, and by whom it was enrolled. */
interface EnrollmentInfo {
  readonly holder: Holder;
  readonly caller: Caller;
  /** The link that it came by. */
  readonly enrollment?: EnrollmentRow | undefined;
}

/**
 * Stores a passkey and records it.
 * @param more of the event
 * @throws Fault CONFLICT when the passkey is known already, for any holder
 */
export function* keepPasskey(
  deps: EventDeps & Pick<Deps, 'operations'>,
  { holder, caller, enrollment }: EnrollmentInfo,
  { challenge, passkey }: MadePasskey,
  more: Readonly<Record<string, unknown>>,
  now: number,
): Script<PasskeyRow> {
  const { kind, id } = actedBy(caller);
  const madeBy = enrollment === undefined ? `${kind} ${id}` : enrollment.made_by;
  const isUsers = holder.kind === 'user';
  const row = {
    id: deps.newId('psk_'),
    tenant_id: caller.tenantId,
    holder_did: holder.did,
    holder_kind: holder.kind,
    credential_id: passkey.credentialId,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: passkey.transports.join(' '),
    device_name: challenge.device_name ?? 'passkey',
    is_synced: passkey.synced ? 1 : 0,
    created_at: now,
    made_by: isUsers ? null : madeBy,
    user_id: isUsers || enrollment !== undefined ? null : (caller.userId ?? null),
  } as const;
  if (!(yield* insertPasskey(row))) throw new Fault('CONFLICT', 'This passkey is enrolled already.');
  const data = compact({
    ...namedHolder(holder),
    passkeyId: row.id,
    credentialId: row.credential_id,
    deviceName: row.device_name,
    // COSE key (RFC 9052), so that a stranger can check what this passkey signs later.
    publicKey: row.public_key,
    jwkThumbprint: thumbprintOfKey(deps, row.public_key),
    enrollmentId: enrollment?.id,
    madeBy: shownMaker(row.made_by),
    ...more,
    // Who used a link the node does not know: the link itself stands for them.
    by: enrollment === undefined ? actedBy(caller) : { kind: 'link', id: enrollment.id },
  });
  yield* recordNodeEvent(deps, caller.tenantId, 'HP_REGISTERED', data, now);
  const kept = { ...row, last_used_at: null };
  yield* tellOfPasskey(deps, kept, now);
  return kept;
}

/** RFC 7638; @param publicKey COSE key, base64url */
function thumbprintOfKey({ suite }: Pick<Deps, 'suite'>, publicKey: string): string | undefined {
  const jwk = readCoseKey(fromBase64url(publicKey) ?? new Uint8Array())?.jwk;
  return jwk && thumbprint(suite, jwk);
}

/** @throws Fault BAD_REQUEST when the ceremony failed, CONFLICT when the link or the passkey was used before */
export async function finishRegistration(
  deps: EventDeps & Pick<Deps, 'operations' | 'store'>,
  owner: Owner & { readonly enrollment?: EnrollmentRow; readonly caller: Caller },
  credential: RegistrationCredential,
): Promise<Passkey> {
  const { tenantId, holder, enrollment, caller } = owner;
  const made = await checkMade(deps, { tenantId, holder, subjectId: enrollment?.id }, credential);
  return deps.store.write(tenantId, function* (now) {
    yield* requireStanding(caller, now);
    if (enrollment !== undefined && !(yield* markEnrollmentUsed(enrollment.id, now))) {
      throw new Fault('CONFLICT', 'This link was used before; ask for a new one.');
    }
    if (holder.kind === 'principal') yield* govern(deps, caller, holder.did, now);
    return showPasskey(yield* keepPasskey(deps, { holder, caller, enrollment }, made, {}, now));
  });
}
