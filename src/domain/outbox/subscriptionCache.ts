/** A cache of each tenant's webhook subscriptions, and the signal that tells a worker what is due. */
import type { Subscription, SubscriptionCache, WakeSignal } from '../../usecase/services.ts';

const CAPACITY = 10_000;

/** @param isServed whether deliveries go to a subscription of that person now: those of an extension that is off get none */
export function subscriptionCache(isServed: (userId: string) => boolean): SubscriptionCache {
  // A version names one state of a tenant's subscriptions for ever, so what is remembered under it cannot be stale,
  // not even when the transaction that read it was rolled back.
  const byTenant = new Map<string, { readonly version: string; readonly subscriptions: readonly Subscription[] }>();
  return {
    recall(tenantId, version) {
      const known = byTenant.get(tenantId);
      return known?.version === version ? known.subscriptions : undefined;
    },
    remember(tenantId, version, rows) {
      // A person's place that is silent is told nothing, now or later; an owner's subscription that is paused is.
      const told = rows.filter(
        ({ user_id: userId, disabled_reason: silent }) => userId === null || (silent === null && isServed(userId)),
      );
      const subscriptions = told.map(({ id, events, status, user_id: userId, least }) => ({
        id,
        events: new Set(events.split(' ')),
        isPaused: status !== 'ACTIVE',
        userId: userId ?? undefined,
        least: least === null ? undefined : (JSON.parse(least) as Subscription['least']),
      }));
      if (byTenant.size >= CAPACITY) byTenant.clear();
      byTenant.set(tenantId, { version, subscriptions });
      return subscriptions;
    },
  };
}

export function wakeSignal(): WakeSignal {
  let listener: (id: string) => void = () => {};
  return {
    wake: (id) => listener(id),
    onWake(answer) {
      listener = answer;
    },
  };
}
