/** Disables subscriptions whose endpoint said that it is gone, and those that nothing has reached for days. */
import type { Deps } from '../handlers/core/deps.ts';
import { disableWebhook } from '../handlers/webhooks/changeWebhook.ts';
import type { Attempt } from './recordAttempts.ts';

/** An endpoint that nothing reached for so long is disabled. */
const GIVE_UP_MS = 5 * 24 * 3600 * 1000;

/** @param attempts that were just recorded */
export async function disableEndpoints(deps: Deps, attempts: readonly Attempt[]): Promise<void> {
  for (const endpoint of new Set(attempts.filter(({ outcome }) => !outcome.ok).map((attempt) => attempt.endpoint))) {
    const reason = reasonToDisable(
      attempts.filter((attempt) => attempt.endpoint === endpoint),
      endpoint.target.row.failing_since,
      deps.clock(),
    );
    if (reason === undefined) continue;
    const { id: webhookId, tenant_id: tenantId } = endpoint.target.row;
    const done = await deps.store.write(tenantId, (now) => disableWebhook(deps, tenantId, webhookId, reason, now));
    if (done) deps.log.warn('webhook.disabled', { webhookId, tenantId, reason });
  }
}

/**
 * @param attempts of one endpoint
 * @param failingSince when its attempts began to fail, before these; null when they had not
 */
function reasonToDisable(
  attempts: readonly Attempt[],
  failingSince: number | null,
  now: number,
): 'gone' | 'failing' | undefined {
  if (attempts.some(({ outcome }) => outcome.status === 410)) return 'gone';
  const failing = failingSince !== null && !attempts.some(({ outcome }) => outcome.ok);
  return failing && now - failingSince >= GIVE_UP_MS ? 'failing' : undefined;
}
