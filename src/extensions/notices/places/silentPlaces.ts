/** Places for notifications at which nothing arrives: only the person whose they are can mend them. */
import type { AttentionItem } from '../../../../protocol/overview/needsPerson.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { listSilentPlaces, type WebhookRow } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Reader, Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { type Finding, ok, warning } from '../../../usecase/finding.ts';
import type { NoticeReader } from '../../../usecase/hooks.ts';
import { openPlace, originOf } from './noticePlace.ts';

const HOUR_MS = 3_600_000;
const MOST_COUNTED = 1000;
/** Of one person. */
const MOST_ITEMS = 20;

/** The last moment at which a place that needs attention now began to fail: what is short mends itself. */
function silentBefore(now: number): number {
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

/** Those of one person, in sentences. */
export function* silentPlacesOf(
  deps: Pick<Deps, 'sealer'>,
  { tenantId, userId }: NoticeReader,
  now: number,
): Script<readonly Pick<AttentionItem, 'message' | 'since'>[]> {
  const rows = yield* listSilentPlaces({ tenantId, userId }, silentBefore(now), MOST_ITEMS);
  return rows.map((row) =>
    compact({
      message: `No notifications reach you by ${nameOf(deps, row)}.`,
      since: isoTime(row.failing_since) ?? undefined,
    }),
  );
}

function nameOf(deps: Pick<Deps, 'sealer'>, row: WebhookRow): string {
  try {
    return openPlace(deps, row).name;
  } catch {
    return originOf(row);
  }
}
