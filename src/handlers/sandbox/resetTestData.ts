/** Clears what test purchases left behind. Agents, policies, keys and merchants stay. */
import { z } from 'zod';
import { Fault } from '../../../protocol/wire/fault.ts';
import { clearTestData } from '../../store/statements/node/reset.ts';
import { inOneCommit, useCase } from '../core/useCase.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';

const Reset = z.object({});

export const resetTestData = useCase({
  summary: 'Clears intents, carts, payments, evidence and velocity. A new evidence chain starts.',
  input: Reset,
  output: z.undefined(),
  permission: 'admin',
  sandboxOnly: true,
  run: inOneCommit<z.output<typeof Reset>, undefined>(function* (deps, caller, _input, { now }) {
    if (deps.demo === undefined) throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
    yield* clearTestData(caller.tenantId);
    yield* recordAdminEvent(deps, caller, 'TEST_DATA_RESET', {}, now);
    return undefined;
  }),
});
