/** Places for notifications at which nothing arrives: only the person whose they are can mend them. */
import { listSilentPlaces } from '../../store/statements/webhooks/subscriptions.ts';
import type { Reader } from '../../store/store.ts';
import { type Finding, ok, warning } from '../../usecase/finding.ts';

const HOUR_MS = 3_600_000;
const MOST_COUNTED = 1000;

/** The last moment at which a place that needs attention now began to fail: what is short mends itself. */
export function silentBefore(now: number): number {
  return now - HOUR_MS;
}

/** @param tenantId of whose people; of all tenants where it is not given */
export async function checkPlaces(store: Reader, now: number, tenantId?: string): Promise<Finding> {
  const check = 'notifications';
  const rows = await store.read(() => listSilentPlaces({ tenantId }, silentBefore(now), MOST_COUNTED));
  const [first] = rows;
  if (first === undefined) return ok(check, 'Notifications arrive wherever people want them.');
  const places = rows.length === 1 ? 'One place' : `${rows.length} places`;
  return warning(
    check,
    `${places} for notifications, of ${first.user_id} first, ${rows.length === 1 ? 'gets' : 'get'} none: people are not told of approvals there.`,
    `see which: countersign notify list --user ${first.user_id}; its person mends it in Settings`,
  );
}
