/** Enrolls a passkey for an agent's owner, by an administrator's credential or by a one-time link. */

import { z } from 'zod';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import {
  BeginRegistration,
  CompleteRegistration,
  Passkey,
  type RegistrationCredential,
  RegistrationOptions,
} from '../../../protocol/passkey.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { readClientData } from '../../presence/clientData.ts';
import { checkRegistration, registrationOptions } from '../../presence/registration.ts';
import { relyingPartyOf } from '../../presence/relyingParty.ts';
import { type EnrollmentRow, markEnrollmentUsed } from '../../store/statements/people/enrollments.ts';
import { type Holder, insertPasskey, listPasskeysOf } from '../../store/statements/people/passkeys.ts';
import { consumePresenceChallengeByValue } from '../../store/statements/people/presenceChallenges.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { inOneCommit, inSteps, useCase } from '../core/useCase.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';
import { govern } from '../principals/governance.ts';
import { holderIn, namedHolder, nameOfHolder } from './holder.ts';
import { showPasskey } from './listPasskeys.ts';
import { consumeChallenge, failed, knownPasskey, openChallenge } from './presenceChallenge.ts';

export const beginPasskeyRegistration = useCase({
  summary: 'Begins to enroll a passkey, for a principal or an agent: options for the browser.',
  input: BeginRegistration,
  output: RegistrationOptions,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<BeginRegistration, RegistrationOptions>(function* (deps, caller, input, { now }) {
    const owner = { tenantId: caller.tenantId, holder: holderIn(input) };
    return yield* openRegistration(deps, { ...owner, deviceName: input.deviceName }, now);
  }),
});

export const completePasskeyRegistration = useCase({
  summary: 'Enrolls the passkey that the browser made.',
  input: CompleteRegistration,
  output: z.object({ verified: z.literal(true), passkey: Passkey }),
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inSteps<CompleteRegistration, { verified: true; passkey: Passkey }>(async (deps, caller, input) => {
    const owner = { tenantId: caller.tenantId, holder: holderIn(input), caller };
    const passkey = await finishRegistration(deps, owner, input.credential);
    const output = { verified: true as const, passkey };
    return output;
  }),
});

interface Owner {
  readonly tenantId: string;
  readonly holder: Holder;
}

/** @throws Fault AGENT_UNKNOWN, CONFLICT for an agent that was revoked */
export function* openRegistration(
  deps: Deps,
  facts: Owner & { readonly deviceName: string; readonly enrollment?: EnrollmentRow },
  now: number,
): Script<RegistrationOptions> {
  const { tenantId, holder, deviceName, enrollment } = facts;
  const accountName = yield* nameOfHolder(tenantId, holder);
  const purpose = 'register';
  const challenge = yield* openChallenge(
    deps,
    { tenantId, purpose, holder, binding: namedHolder(holder), subjectId: enrollment?.id, deviceName },
    now,
  );
  const enrolled = yield* listPasskeysOf(tenantId, holder);
  return registrationOptions(relyingPartyOf(deps.settings.baseUrl), {
    challenge: challenge.challenge,
    // One account for each holder, which may have several passkeys.
    userHandle: toBase64url(
      deps.suite.sha256(`${tenantId}\n${holder.kind === 'agent' ? '' : 'principal\n'}${holder.did}`),
    ),
    accountName,
    enrolled: enrolled.map(knownPasskey),
  });
}

/** @throws Fault BAD_REQUEST when the ceremony failed, CONFLICT when the link or the passkey was used before */
export async function finishRegistration(
  deps: Deps,
  owner: Owner & { readonly enrollment?: EnrollmentRow; readonly caller: Caller },
  credential: RegistrationCredential,
): Promise<Passkey> {
  const { tenantId, holder, enrollment, caller } = owner;
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
      taken.subject_id === (enrollment?.id ?? null),
  );
  const check = await checkRegistration(relyingPartyOf(deps.settings.baseUrl), credential, challenge.challenge);
  if (!check.ok) throw failed(check.reason);
  const { passkey } = check;
  return deps.store.write(tenantId, function* (now) {
    if (enrollment !== undefined && !(yield* markEnrollmentUsed(enrollment.id, now))) {
      throw new Fault('CONFLICT', 'This link was used before; ask for a new one.');
    }
    const row = {
      id: deps.newId('psk_'),
      tenant_id: tenantId,
      holder_did: holder.did,
      holder_kind: holder.kind,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports.join(' '),
      device_name: challenge.device_name ?? 'passkey',
      is_synced: passkey.synced ? 1 : 0,
      created_at: now,
    } as const;
    if (!(yield* insertPasskey(row))) throw new Fault('CONFLICT', 'This passkey is enrolled already.');
    if (holder.kind === 'principal') yield* govern(deps, caller, holder.did, now);
    const data = compact({
      ...namedHolder(holder),
      passkeyId: row.id,
      credentialId: row.credential_id,
      deviceName: row.device_name,
      // COSE key (RFC 9052), so that a stranger can check what this passkey signs later.
      publicKey: row.public_key,
      enrollmentId: enrollment?.id,
    });
    yield* recordAdminEvent(deps, caller, 'HP_REGISTERED', data, now);
    return showPasskey({ ...row, last_used_at: null });
  });
}
