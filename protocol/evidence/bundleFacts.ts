/** What the events of a portable bundle state of its mandates. */
import { canonical } from '../credential/canonical.ts';
import type { PortableBundle, Wrong } from './bundle.ts';

export type BundleFacts = Readonly<Record<string, unknown>> | undefined;

export const wrong = (reason: string): Wrong => ({ part: 'credentials', reason });

export function factsOf(bundle: PortableBundle, eventType: string): BundleFacts {
  return bundle.events.findLast((event) => event.eventType === eventType)?.data;
}

/** Of the cart that was paid or, where none was, of the one that was approved. */
export function factsOfCart(bundle: PortableBundle): BundleFacts {
  return factsOf(bundle, 'PM_ISSUED') ?? factsOf(bundle, 'CART_VALIDATED');
}

/** Whether a mandate and an event state the same, or both nothing. */
export function sameMember(one: unknown, other: unknown): boolean {
  return one === other || (one !== undefined && other !== undefined && canonical(one) === canonical(other));
}
