/** Use cases that take something out of service by its id, and record it. Each removal is a row of what differs. */
import { z } from 'zod';
import type { OccurrenceType } from '../../../protocol/evidence/eventTypes.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, type UseCase, useCase } from '../../usecase/useCase.ts';
import { recordAdminEvent } from './recordEvent.ts';

const ById = z.object({ id: z.string() });
type ById = z.output<typeof ById>;

interface Removal<Row> {
  readonly summary: string;
  /** What it is called in the fault for an unknown id. */
  readonly noun: string;
  find(tenantId: string, id: string): Script<Row | undefined>;
  /** @returns false when nothing was left to remove; nothing is recorded then */
  remove(
    tenantId: string,
    id: string,
    now: number,
    deps: EventDeps & Pick<Deps, 'operations'>,
    row: Row,
  ): Script<unknown>;
  readonly eventType: OccurrenceType;
  readonly stepUp?: true;
  /** The data of the event. */
  facts(row: Row): Readonly<Record<string, unknown>>;
}

export function removal<Row>(removed: Removal<Row>): UseCase<typeof ById, undefined> {
  return useCase({
    summary: removed.summary,
    input: ById,
    output: z.undefined(),
    permission: 'admin',
    faults: ['NOT_FOUND'],
    ...(removed.stepUp === undefined ? {} : { stepUp: removed.stepUp }),
    run: inOneCommit<ById, undefined>(function* (deps, caller, { id }, { now }) {
      const { tenantId } = caller;
      const row = yield* removed.find(tenantId, id);
      if (row === undefined) throw new Fault('NOT_FOUND', `There is no ${removed.noun} ${id}.`);
      if ((yield* removed.remove(tenantId, id, now, deps, row)) === false) return undefined;
      yield* recordAdminEvent(deps, caller, removed.eventType, removed.facts(row), now);
      return undefined;
    }),
  });
}
