/** Remembers a rail's notification, so that it counts once. */
import type { RailEvent } from '../../rails/notice.ts';
import { insertRailEvent } from '../../store/statements/purchases/railEvents.ts';
import type { Script } from '../../store/store.ts';

/** @returns false for a repetition; a notification without an id always counts, and its content decides */
export function* rememberRailEvent(
  event: Pick<RailEvent, 'id' | 'type'>,
  tenantId: string,
  now: number,
): Script<boolean> {
  if (event.id === undefined) return true;
  return yield* insertRailEvent({ event_id: event.id, tenant_id: tenantId, event_type: event.type, created_at: now });
}
