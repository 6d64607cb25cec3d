/** Disables subscriptions whose endpoint said that it is gone, and those that nothing has reached for days. */
import type { Deps } from '../handlers/core/deps.ts';
import { disableWebhook } from '../handlers/webhooks/changeWebhook.ts';
import type { Endpoint } from './endpointHealth.ts';
import type { Attempt } from './recordAttempts.ts';

/** An endpoint that nothing reached for so long is disabled. */
const GIVE_UP_MS = 5 * 24 * 3600 * 1000;

type Reason = 'gone' | 'failing';

/** The endpoints that these attempts are reason to disable. */
export function endpointsToDisable(attempts: readonly Attempt[], now: number): ReadonlyMap<Endpoint, Reason> {
  const found = new Map<Endpoint, Reason>();
  for (const endpoint of new Set(attempts.filter(({ outcome }) => !outcome.ok).map((attempt) => attempt.endpoint))) {
    const own = attempts.filter((attempt) => attempt.endpoint === endpoint);
    const reason = reasonToDisable(own, endpoint.target.row.failing_since, now);
    if (reason !== undefined) found.set(endpoint, reason);
  }
  return found;
}

export async function disableEndpoints(deps: Deps, endpoints: ReadonlyMap<Endpoint, Reason>): Promise<void> {
  for (const [endpoint, reason] of endpoints) {
    const { id: webhookId, tenant_id: tenantId } = endpoint.target.row;
    const done = await deps.store.write(tenantId, (now) => disableWebhook(deps, tenantId, webhookId, reason, now));
    if (done) deps.log.warn('webhook.disabled', { webhookId, tenantId, reason });
  }
}

/**
 * @param attempts of one endpoint
 * @param failingSince when its attempts began to fail, before these; null when they had not
 */
function reasonToDisable(attempts: readonly Attempt[], failingSince: number | null, now: number): Reason | undefined {
  if (attempts.some(({ outcome }) => outcome.status === 410)) return 'gone';
  const failing = failingSince !== null && !attempts.some(({ outcome }) => outcome.ok);
  return failing && now - failingSince >= GIVE_UP_MS ? 'failing' : undefined;
}
