/** A stopped node's data folder or database with a clock that a program sets, as a seed fills it. */
import { openTable } from '../../operations/table.ts';
import { findFirstInvitedOwner } from '../../store/statements/people/invitations.ts';
import { listOwners } from '../../store/statements/people/users.ts';
import { findPrincipal } from '../../store/statements/registry/principals.ts';
import type { Deps } from '../../usecase/deps.ts';
import { expireApprovals } from '../../workers/expireApprovals.ts';
import { expireIntents } from '../../workers/expireIntents.ts';
import { signDueCheckpoints } from '../../workers/signCheckpoints.ts';
import { softAuthenticator } from '../demo/softAuthenticator.ts';

/** Milliseconds since the epoch. */
export interface SetClock {
  now: number;
}

/** Does what is due at the clock's time, as a node that runs does by itself. */
export async function doDueWork(deps: Deps): Promise<void> {
  await expireIntents(deps);
  await expireApprovals(deps);
  await signDueCheckpoints(deps);
}

export interface SeededPerson {
  /** @param url of the enrollment */
  enroll(url: string): Promise<void>;
  decide(approvalId: string, decision: 'approve' | 'deny'): Promise<void>;
}

/** A person with a phone in software, who opens no pages: the operations behind them are asked. */
export function seededPerson(deps: Deps): SeededPerson {
  const { origin, hostname } = new URL(deps.settings.baseUrl);
  const phone = softAuthenticator(() => ({ origin, rpId: hostname }));
  return {
    async enroll(url) {
      const token = url.slice(url.lastIndexOf('/') + 1);
      const { publicKey } = await openTable.beginEnrollment.run(deps, { token, deviceName: 'Phone' });
      await openTable.completeEnrollment.run(deps, { token, credential: phone.create(publicKey) });
    },
    async decide(id, decision) {
      const { challengeId, publicKey } = await openTable.beginDecision.run(deps, { id, decision });
      await openTable.completeDecision.run(deps, { id, challengeId, credential: phone.get(publicKey) });
    },
  };
}

/**
 * The DID of the first owner, or of the person who is invited to be it: a principal with it is approved for by that user's passkeys.
 * @returns undefined where that principal is registered already
 */
export async function findOwnerDid(deps: Deps, tenantId: string): Promise<string | undefined> {
  return deps.store.read(function* () {
    const [owner] = yield* listOwners(tenantId);
    const invited = owner === undefined ? yield* findFirstInvitedOwner(tenantId) : undefined;
    const did = owner?.did ?? (invited === undefined ? undefined : deps.people.didOf(invited));
    return did === undefined || (yield* findPrincipal(tenantId, did)) !== undefined ? undefined : did;
  });
}
