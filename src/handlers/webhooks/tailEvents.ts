/** A live tail of webhook events, derived from the evidence chain, so that it needs no subscription. */
import { z } from 'zod';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import type { WebhookEvent } from '../../../protocol/webhook/event.ts';
import { webhooksOf } from '../../../protocol/webhook/fromEvidence.ts';
import { EventTail, TailEvents } from '../../../protocol/webhook/subscription.ts';
import { type EvidenceRow, findChainHead, listRange } from '../../store/statements/evidence/events.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { positionOf } from '../core/paging.ts';
import { inSteps, useCase } from '../core/useCase.ts';
import { showEvent } from '../evidence/showEvidence.ts';

/** Evidence events looked at in one answer. */
const BATCH = 200;
const LOOK_MS = 200;

/** The last event that was seen; its id tells whether the chain is still the same one. */
const Place = z.object({ seq: z.int().nonnegative(), id: z.string() });
type Place = z.output<typeof Place>;

export const tailEvents = useCase({
  summary: 'Returns the webhook events since the cursor, or waits for the next one.',
  input: TailEvents,
  output: EventTail,
  permission: 'admin',
  run: inSteps<TailEvents, EventTail>(async (deps, caller, input) => {
    const { tenantId } = caller;
    const place = positionOf(Place, input.cursor);
    // A wait is no record: it takes as long whether the clock is set meanwhile or not.
    const until = performance.now() + input.wait * 1000;
    let step = await deps.store.read(() => look(deps, tenantId, place));
    while (step.events.length === 0 && performance.now() < until && !deps.stopping.aborted) {
      // Where more of the chain is behind what was looked at, there is no reason to wait.
      if (!step.more) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const { place: reached } = step;
      step = await deps.store.read(() => look(deps, tenantId, reached));
    }
    const cursor = toBase64url(new TextEncoder().encode(JSON.stringify(step.place)));
    const output: EventTail = { events: step.events, cursor, secret: deps.listenSecret(tenantId) };
    return output;
  }),
});

interface Step {
  readonly events: WebhookEvent[];
  readonly place: Place;
  readonly more: boolean;
}

function* look(deps: Deps, tenantId: string, place: Place | undefined): Script<Step> {
  if (place === undefined) return { events: [], place: yield* lastPlace(tenantId), more: false };
  let rows = yield* listRange(tenantId, place.seq, place.seq + BATCH);
  // A chain that was cleared meanwhile is followed from its beginning.
  const same = place.seq === 0 || rows[0]?.id === place.id;
  if (!same) rows = yield* listRange(tenantId, 1, BATCH);
  const fresh = same && place.seq > 0 ? rows.slice(1) : rows;
  const last = fresh.at(-1);
  return {
    events: fresh.flatMap((row) => eventsOf(deps, row)),
    place: last === undefined ? (same ? place : { seq: 0, id: '' }) : { seq: last.seq, id: last.id },
    more: fresh.length >= BATCH,
  };
}

function* lastPlace(tenantId: string): Script<Place> {
  const head = yield* findChainHead(tenantId);
  if (head === undefined) return { seq: 0, id: '' };
  const [row] = yield* listRange(tenantId, head.seq, head.seq);
  return { seq: head.seq, id: row?.id ?? '' };
}

function eventsOf(deps: Deps, row: EvidenceRow): WebhookEvent[] {
  return webhooksOf(deps.suite, showEvent(row), deps.settings.baseUrl);
}
