/** Events of rails that were processed, so that each counts once. */
import { deleteOldest } from '../queries.ts';
import { insertInto, integer, table, text } from '../tableDefinition.ts';

export const railEvents = table('rail_events', ['event_id'], {
  event_id: text,
  tenant_id: text,
  event_type: text,
  created_at: integer,
});

/** False for an event that was processed before. */
export const insertRailEvent = insertInto(railEvents, 'ON CONFLICT (event_id) DO NOTHING');

export const deleteRailEventsBefore = deleteOldest(railEvents, 'created_at < ?', 'created_at');
