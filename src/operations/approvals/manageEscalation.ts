/** Whom a tenant tells of an approval that is not decided: shown and set. */
import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { Escalation, loadEscalation } from '../../domain/approvals/escalation.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { countReached } from '../../domain/outbox/personSubscriptions.ts';
import { setEscalation as storeEscalation } from '../../store/statements/node/tenants.ts';
import { findUser } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, inOneRead, useCase } from '../../usecase/useCase.ts';

const ShownEscalation = z.object({
  people: z.array(
    z.object({
      userId: z.string(),
      name: z.string().optional(),
      places: z.int().describe('At how many places the user is told; at 0 nothing reaches them.'),
    }),
  ),
  afterMinutes: z.int().optional(),
});
type ShownEscalation = z.infer<typeof ShownEscalation>;

const NoInput = z.object({});

export const getEscalation = useCase({
  summary: 'Shows who is told, one after the other, of an approval that is not decided.',
  input: NoInput,
  output: ShownEscalation,
  permission: 'admin',
  run: inOneRead<z.output<typeof NoInput>, ShownEscalation>(function* (deps: Pick<Deps, 'operations'>, { tenantId }) {
    return yield* show(deps, tenantId, yield* loadEscalation(tenantId));
  }),
});

export const setEscalation = useCase({
  summary: 'Sets who is told, one after the other, of an approval that is not decided.',
  input: Escalation,
  output: ShownEscalation,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<Escalation, ShownEscalation>(function* (
    deps: EventDeps & Pick<Deps, 'operations'>,
    caller,
    input,
    { now },
  ) {
    const { tenantId } = caller;
    const escalation: Escalation = { ...input, userIds: [...new Set(input.userIds)] };
    for (const id of escalation.userIds) {
      const user = yield* findUser(tenantId, id);
      if (user === undefined || user.removed_at !== null) throw new Fault('NOT_FOUND', `There is no user ${id}.`);
    }
    yield* storeEscalation(tenantId, escalation.userIds.length === 0 ? null : JSON.stringify(escalation));
    yield* recordAdminEvent(deps, caller, 'ESCALATION_CHANGED', compact(escalation), now);
    return yield* show(deps, tenantId, escalation);
  }),
});

function* show(
  deps: Pick<Deps, 'operations'>,
  tenantId: string,
  { userIds, afterMinutes }: Escalation,
): Script<ShownEscalation> {
  const people: ShownEscalation['people'] = [];
  for (const userId of userIds) {
    const user = yield* findUser(tenantId, userId);
    // A user who was removed since is told nothing.
    if (user === undefined || user.removed_at !== null) continue;
    const places = yield* countReached(deps, tenantId, userId);
    people.push(compact({ userId, name: user.name ?? user.email ?? undefined, places }));
  }
  return compact({ people, afterMinutes });
}
