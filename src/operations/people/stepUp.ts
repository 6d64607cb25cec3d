/** Step-up: a person who is logged in touches a passkey anew, for what takes a fresh touch (RFC 9470). */

import { z } from 'zod';
import { readClientData } from '../../../protocol/credential/clientData.ts';
import { AssertionCredential, PresenceOptions } from '../../../protocol/passkey.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { TOUCH_SECONDS } from '../../access/caller.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { consumeChallenge, failed } from '../../domain/passkeys/presenceChallenge.ts';
import { beginAssertion, recordAssertion, verifyAssertion } from '../../domain/passkeys/verifyPresence.ts';
import { loadSelf, requireLogin } from '../../domain/people/loadSelf.ts';
import { noteTouch } from '../../store/statements/people/logins.ts';
import { consumePresenceChallengeByValue } from '../../store/statements/people/presenceChallenges.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, inSteps, useCase } from '../../usecase/useCase.ts';

const Nothing = z.object({});

const StepUpOptions = PresenceOptions.pick({ publicKey: true });

export const beginStepUp = useCase({
  summary: 'Begins a touch of one of the caller’s own passkeys: options for the browser.',
  input: Nothing,
  output: StepUpOptions,
  permission: 'self',
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inOneCommit<z.output<typeof Nothing>, z.infer<typeof StepUpOptions>>(function* (deps, caller, _input, { now }) {
    const { loginId } = requireLogin(caller);
    const user = yield* loadSelf(caller);
    const binding = { userDid: user.did, loginId };
    const holder = { kind: 'user', did: user.did } as const;
    const facts = { tenantId: caller.tenantId, purpose: 'stepUp' as const, holder, binding, subjectId: loginId };
    const { publicKey } = yield* beginAssertion(deps, facts, now);
    return { publicKey };
  }),
});

const CompleteStepUp = z.object({ credential: AssertionCredential });

const Touched = z.object({ touchedUntil: z.string().describe('Until then no new touch is asked for.') });

export const completeStepUp = useCase({
  summary: 'Takes the touch; for 5 minutes the caller’s login may do what raises a risk.',
  input: CompleteStepUp,
  output: Touched,
  permission: 'self',
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inSteps<z.output<typeof CompleteStepUp>, z.infer<typeof Touched>>(
    async (deps: EventDeps & Pick<Deps, 'store'>, caller, { credential }) => {
      const { tenantId } = caller;
      const { loginId } = requireLogin(caller);
      const { challenge: named } = readClientData(credential.response.clientDataJSON);
      if (named === undefined) throw failed('its client data cannot be read');
      const challenge = await consumeChallenge(
        deps,
        tenantId,
        () => consumePresenceChallengeByValue(tenantId, named),
        (taken) => taken.purpose === 'stepUp' && taken.subject_id === loginId,
      );
      const assertion = await verifyAssertion(deps, challenge, credential);
      return deps.store.write(tenantId, function* (now) {
        yield* recordAssertion(assertion, now);
        yield* noteTouch(tenantId, loginId, assertion.facts.credentialId, now);
        yield* recordAdminEvent(deps, caller, 'LOGIN_TOUCHED', { loginId, ...assertion.facts }, now);
        return { touchedUntil: isoTime(now + TOUCH_SECONDS * 1000) };
      });
    },
  ),
});
