/** Stores what is to be posted, with the trace that caused it: another node may post it, much later. */
import { insertWebhookEvent } from '../../store/statements/webhooks/webhookEvents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

interface NewEvent {
  readonly id: string;
  readonly tenantId: string;
  /** JSON. */
  readonly body: string;
}

export function storeEvent({ tracing }: Pick<Deps, 'tracing'>, { id, tenantId, body }: NewEvent): Script<void> {
  const trace = tracing?.current() === undefined ? null : JSON.stringify(tracing.headers());
  return insertWebhookEvent({ id, tenant_id: tenantId, body, trace });
}
