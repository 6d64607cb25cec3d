/** Clears what test purchases left behind. Agents, policies, keys and merchants stay. */

import { z } from 'zod';
import { Fault } from '../../../protocol/wire/fault.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { listOpenAttempts } from '../../store/statements/purchases/railAttempts.ts';
import { clearTestData } from '../../store/statements/reset.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

/** Operations under way that the event of a reset names at most. */
const MOST_NAMED = 200;

const Reset = z.object({});

export const resetTestData = useCase({
  summary: 'Clears intents, carts, payments, evidence and velocity. A new evidence chain starts.',
  input: Reset,
  output: z.undefined(),
  permission: 'admin',
  sandboxOnly: true,
  run: inOneCommit<z.output<typeof Reset>, undefined>(function* (
    deps: EventDeps & Pick<Deps, 'keys'>,
    caller,
    _input,
    { now },
  ) {
    if (deps.keys.demo === undefined) throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
    // What a rail is being asked goes on there, and nothing here will tell how it ended: the new chain names it.
    const open = yield* listOpenAttempts(caller.tenantId, MOST_NAMED);
    const underWay = open.map(({ payment_id: mandateId, operation }) => ({ mandateId, operation }));
    yield* clearTestData(caller.tenantId, now);
    const data = underWay.length === 0 ? {} : { underWay };
    yield* recordAdminEvent(deps, caller, 'TEST_DATA_RESET', data, now);
    return undefined;
  }),
});
