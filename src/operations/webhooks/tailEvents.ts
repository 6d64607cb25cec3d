/** A live tail of webhook events, derived from the evidence chain, so that it needs no subscription. */

import { EventTail, TailEvents } from '../../../protocol/webhook/subscription.ts';
import { ChainCursor, cursorOf, readOn } from '../../domain/evidence/chainTail.ts';
import { eventsOf } from '../../domain/webhooks/eventsOf.ts';
import type { Deps } from '../../usecase/deps.ts';
import { positionOf } from '../../usecase/list/paging.ts';
import { requireStanding } from '../../usecase/standing.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

const LOOK_MS = 200;

export const tailEvents = useCase({
  summary: 'Returns the webhook events since the cursor, or waits for the next one.',
  input: TailEvents,
  output: EventTail,
  permission: 'admin',
  run: inSteps<TailEvents, EventTail>(
    async (deps: Pick<Deps, 'settings' | 'stopping' | 'store' | 'suite'>, caller, input) => {
      const { tenantId } = caller;
      const place = positionOf(ChainCursor, input.cursor);
      // A wait is no record: it takes as long whether the clock is set meanwhile or not.
      const until = performance.now() + input.wait * 1000;
      let step = await deps.store.read(() => readOn(tenantId, place));
      let events = step.rows.flatMap((row) => eventsOf(deps, row));
      while (events.length === 0 && performance.now() < until && !deps.stopping.aborted) {
        // Where more of the chain is behind what was looked at, there is no reason to wait.
        if (!step.more) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        const { place: reached } = step;
        step = await deps.store.read(() => readOn(tenantId, reached));
        events = step.rows.flatMap((row) => eventsOf(deps, row));
      }
      // A person who was removed while they waited is told of nothing that happened since.
      if (input.wait > 0) await deps.store.read((now) => requireStanding(caller, now));
      return { events, cursor: cursorOf(step.place) };
    },
  ),
});
