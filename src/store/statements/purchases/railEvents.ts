/** Events of rails that were processed, so that each counts once. */
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { DAY_MS, insertInto, integer, table, text } from '../tableDefinition.ts';

export const railEvents = table(
  'rail_events',
  ['event_id'],
  {
    event_id: text,
    tenant_id: text,
    event_type: text,
    created_at: integer,
  },
  {
    // Rails repeat a notification for some days.
    retention: { goes: 'after 30 days', purges: [(limit, now) => deleteRailEventsBefore(limit, now - 30 * DAY_MS)] },
    isTestData: false,
  },
);

/** False for an event that was processed before. */
export const insertRailEvent = insertInto(railEvents, 'ON CONFLICT (event_id) DO NOTHING');

const deleteRailEventsBefore: DeleteOldest = deleteOldest(railEvents, 'created_at < ?', 'created_at');
