/** Challenges of passkey ceremonies: made when a ceremony begins, consumed by their first use, successful or not. */
import { canonical } from '../../../protocol/credential/canonical.ts';
import { fromBase64url, toBase64url } from '../../../protocol/credential/encodings.ts';
import { isTransport } from '../../../protocol/passkey.ts';
import { CHALLENGE_SECONDS, type PresenceBinding, presenceChallenge } from '../../../protocol/presence.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { KnownPasskey } from '../../access/presence/assertion.ts';
import type { Holder, PasskeyRow } from '../../store/statements/people/passkeys.ts';
import {
  insertPresenceChallenge,
  type PresenceChallengeRow,
} from '../../store/statements/people/presenceChallenges.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

export interface ChallengeFacts {
  readonly tenantId: string;
  readonly purpose: PresenceChallengeRow['purpose'];
  /** Whose passkeys may answer, or whose the new one will be. */
  readonly holder: Holder;
  readonly binding: Partial<PresenceBinding>;
  readonly subjectId?: string | undefined;
  readonly deviceName?: string | undefined;
}

export function* openChallenge(
  deps: Pick<Deps, 'newId' | 'newToken' | 'suite'>,
  facts: ChallengeFacts,
  now: number,
): Script<PresenceChallengeRow> {
  const random = deps.newToken('');
  const row: PresenceChallengeRow = {
    id: deps.newId('hpc_'),
    tenant_id: facts.tenantId,
    purpose: facts.purpose,
    holder_did: facts.holder.did,
    holder_kind: facts.holder.kind,
    random,
    challenge: toBase64url(presenceChallenge(deps.suite, fromBase64url(random) as Uint8Array, facts.binding)),
    binding: canonical(facts.binding),
    subject_id: facts.subjectId ?? null,
    device_name: facts.deviceName ?? null,
    created_at: now,
    expires_at: now + CHALLENGE_SECONDS * 1000,
  };
  yield* insertPresenceChallenge(row);
  return row;
}

/**
 * Consumes a challenge in a commit of its own, so that it cannot be used again even when the ceremony fails.
 * @param fits whether the challenge was made for this purpose
 * @throws Fault BAD_REQUEST when it is unknown, used, expired or made for another purpose
 */
export async function consumeChallenge(
  deps: Pick<Deps, 'store'>,
  tenantId: string,
  take: () => Script<PresenceChallengeRow | undefined>,
  fits: (challenge: PresenceChallengeRow) => boolean,
): Promise<PresenceChallengeRow> {
  const { challenge, now } = await deps.store.write(tenantId, function* (now) {
    return { challenge: yield* take(), now };
  });
  if (challenge === undefined) throw failed('its challenge is unknown, or was used before');
  if (challenge.expires_at <= now) {
    throw failed(`its challenge has expired; the assertion must arrive within ${CHALLENGE_SECONDS} s`);
  }
  if (!fits(challenge)) throw failed('its challenge was made for something else');
  return challenge;
}

/** A ceremony that failed, and at which check. */
export function failed(reason: string): Fault {
  return new Fault('BAD_REQUEST', `The passkey was not accepted: ${reason.replace(/\.$/, '')}. Begin again.`);
}

export function knownPasskey(row: PasskeyRow): KnownPasskey {
  return {
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports.split(' ').filter(isTransport),
  };
}
