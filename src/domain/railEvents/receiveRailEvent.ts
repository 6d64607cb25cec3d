/** Receives a notification as it came: the rail's signature over its bytes vouches for it. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Verdict } from '../../access/rateLimit.ts';
import type { Deps } from '../../usecase/deps.ts';
import { handleRailEvent } from './handleRailEvent.ts';

/**
 * @param railId the rail that Stripe stands behind
 * @param signature the header that signs the body
 * @returns where the rail stands, which is not limited
 * @throws Fault UNAVAILABLE where no such rail is configured, and what `read` and `handleRailEvent` throw
 */
export async function receiveRailEvent(
  deps: Deps,
  railId: string,
  body: Uint8Array,
  signature: string | undefined,
): Promise<Verdict> {
  if (deps.stripeEvents === undefined) {
    const remedy = 'set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET';
    throw new Fault('UNAVAILABLE', `Stripe is not configured on this node; ${remedy}.`);
  }
  const event = deps.stripeEvents.read(body, signature, deps.clock());
  const verdict = deps.limits.peek('rail stripe', 'enterprise', deps.clock());
  await handleRailEvent(deps, railId, event);
  return verdict;
}
