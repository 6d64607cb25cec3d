/** Enrolls a passkey: for an agent's owner, a principal or a user, by a credential of theirs or by a one-time link. */

import { z } from 'zod';
import { BeginRegistration, CompleteRegistration, Passkey, RegistrationOptions } from '../../../protocol/passkey.ts';
import { holderIn } from '../../domain/passkeys/holder.ts';
import { finishRegistration, openRegistration } from '../../domain/passkeys/passkeyRegistration.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, inSteps, useCase } from '../../usecase/useCase.ts';

export const beginPasskeyRegistration = useCase({
  summary:
    'Begins to enroll a passkey, for an agent, or for the person or company whose money it is: options for the browser.',
  input: BeginRegistration,
  output: RegistrationOptions,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<BeginRegistration, RegistrationOptions>(function* (
    deps: Pick<Deps, 'newId' | 'newToken' | 'settings' | 'suite'>,
    caller,
    input,
    { now },
  ) {
    const owner = { tenantId: caller.tenantId, holder: holderIn(input) };
    return yield* openRegistration(deps, { ...owner, deviceName: input.deviceName }, now);
  }),
});

export const completePasskeyRegistration = useCase({
  summary: 'Enrolls the passkey that the browser made.',
  input: CompleteRegistration,
  output: z.object({ verified: z.literal(true), passkey: Passkey }),
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inSteps<CompleteRegistration, { verified: true; passkey: Passkey }>(
    async (deps: EventDeps & Pick<Deps, 'operations' | 'store'>, caller, input) => {
      const owner = { tenantId: caller.tenantId, holder: holderIn(input), caller };
      const passkey = await finishRegistration(deps, owner, input.credential);
      const output = { verified: true as const, passkey };
      return output;
    },
  ),
});
