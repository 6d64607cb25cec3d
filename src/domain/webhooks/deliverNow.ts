/** Has something delivered at once, and waits for how that went. */
import type { WebhookLog } from '../../../protocol/webhook/subscription.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { firstIdAt } from '../../../protocol/wire/id.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { type AttemptRow, findAttemptOf } from '../../store/statements/webhooks/attempts.ts';
import { insertDelivery } from '../../store/statements/webhooks/deliveries.ts';
import type { WebhookRow } from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, type Run } from '../../usecase/useCase.ts';
import { storeEvent } from '../outbox/storeEvent.ts';

/** The longest an exchange takes, and its wait in the queue. */
const PATIENCE_MS = 35_000;
const LOOK_MS = 50;

interface ImmediateDelivery {
  readonly webhook: WebhookRow;
  readonly eventId: string;
  readonly eventType: string;
  /** The event as JSON, where it is made for this delivery and not stored yet. */
  readonly body?: string;
}

/** Puts a delivery with a single attempt at the head of the queue, and waits until a worker of any node has tried it. */
export function deliverNow<Input>(
  choose: (
    deps: Pick<Deps, 'newId' | 'stopping' | 'store' | 'wake'>,
    caller: Caller,
    input: Input,
    now: number,
  ) => Script<ImmediateDelivery>,
): Run<Input, WebhookLog> {
  return inSteps(async (deps, caller, input) => {
    const delivery = await deps.store.write(caller.tenantId, function* (now) {
      const { webhook, eventId, eventType, body } = yield* choose(deps, caller, input, now);
      if (webhook.status !== 'ACTIVE') throw new Fault('CONFLICT', 'This webhook is disabled; activate it first.');
      if (body !== undefined) yield* storeEvent(deps, { id: eventId, tenantId: caller.tenantId, body });
      const id = deps.newId('whd_');
      yield* insertDelivery({
        id,
        tenant_id: caller.tenantId,
        webhook_id: webhook.id,
        event_id: eventId,
        event_type: eventType,
        state: 'PENDING',
        attempts: 0,
        max_attempts: 1,
        next_at: 0,
        leased_by: null,
        created_at: now,
      });
      deps.wake.deliveries.wake(webhook.id);
      return { id, since: firstIdAt('whl_', now) };
    });
    const attempt = await attemptOf(deps, caller.tenantId, delivery);
    if (attempt === undefined) {
      throw new Fault('UNAVAILABLE', 'The delivery still waits for its turn; the log will tell.');
    }
    return showAttempt(attempt);
  });
}

async function attemptOf(
  deps: Pick<Deps, 'stopping' | 'store'>,
  tenantId: string,
  delivery: { readonly id: string; readonly since: string },
): Promise<AttemptRow | undefined> {
  for (let waited = 0; waited < PATIENCE_MS && !deps.stopping.aborted; waited += LOOK_MS) {
    const attempt = await deps.store.read(() => findAttemptOf(tenantId, delivery.id, delivery.since));
    if (attempt !== undefined) return attempt;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return undefined;
}

export function showAttempt(row: AttemptRow): WebhookLog {
  return compact({
    id: row.id,
    eventType: row.event_type,
    url: row.url,
    status: row.status,
    duration: row.duration_ms,
    deliveredAt: isoTime(row.delivered_at),
    webhookId: row.webhook_id,
    eventId: row.event_id,
    attempt: row.attempt,
    outcome: row.outcome,
    error: (row.error as WebhookLog['error'] | null) ?? undefined,
    ...(row.answer === null || row.answer === '' ? {} : { answer: row.answer }),
  });
}
