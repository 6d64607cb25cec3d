/** Events of rails that were taken in. */
import { run, type Script } from '../../store.ts';

interface RailEventRow {
  readonly event_id: string;
  readonly tenant_id: string;
  readonly event_type: string;
  readonly created_at: number;
}

/** @returns false for an event that was taken in before */
export function* insertRailEvent(event: RailEventRow): Script<boolean> {
  const changes = yield* run(
    `INSERT INTO rail_events (event_id, tenant_id, event_type, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (event_id) DO NOTHING`,
    event.event_id,
    event.tenant_id,
    event.event_type,
    event.created_at,
  );
  return changes === 1;
}

export function* deleteRailEventsBefore(time: number): Script<void> {
  yield* run('DELETE FROM rail_events WHERE created_at < ?', time);
}
