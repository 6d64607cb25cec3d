/** Remembers an event of a rail, so that it counts once. */
import type { RailEvent } from '../../rails/notice.ts';
import { insertRailEvent } from '../../store/statements/purchases/railEvents.ts';
import type { Script } from '../../store/store.ts';

/** @returns false when it came before; an event without an id of its own is judged by what it says */
export function* noteRailEvent(event: RailEvent, tenantId: string, now: number): Script<boolean> {
  if (event.id === undefined) return true;
  return yield* insertRailEvent({ event_id: event.id, tenant_id: tenantId, event_type: event.type, created_at: now });
}
