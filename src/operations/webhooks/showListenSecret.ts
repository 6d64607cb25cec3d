/** The secret that `countersign listen` signs what it forwards with. */

import { z } from 'zod';
import { ListenSecret } from '../../../protocol/webhook/subscription.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

export const showListenSecret = useCase({
  summary: 'Shows the secret that signs what `countersign listen` forwards; it is always the same for one tenant.',
  input: z.object({}),
  output: ListenSecret,
  permission: 'admin',
  stepUp: true,
  run: inSteps<object, ListenSecret>(async (deps: Pick<Deps, 'people'>, { tenantId }) => ({
    secret: deps.people.listenSecret(tenantId),
  })),
});
