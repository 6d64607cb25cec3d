/** Receives a notification as it came: the rail's signature over its bytes vouches for it. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Verdict } from '../../access/rateLimit.ts';
import type { RailNotifications } from '../../rails/notice.ts';
import type { Deps } from '../../usecase/deps.ts';
import { handleRailEvent } from './handleRailEvent.ts';

/**
 * @param signature the header that signs the body
 * @returns where the rail stands, which is not limited
 * @throws Fault UNAVAILABLE where no such rail is configured, and what `read` and `handleRailEvent` throw
 */
export async function receiveRailEvent(
  deps: Deps,
  { rail, unconfigured }: Pick<RailNotifications, 'rail' | 'unconfigured'>,
  body: Uint8Array,
  signature: string | undefined,
): Promise<Verdict> {
  const events = deps.rails.get(rail)?.events;
  if (events === undefined) throw new Fault('UNAVAILABLE', unconfigured);
  const event = events.read(body, signature, deps.clock());
  const verdict = deps.access.limits.peek(`rail ${rail}`, 'enterprise', deps.clock());
  await handleRailEvent(deps, rail, event);
  return verdict;
}
