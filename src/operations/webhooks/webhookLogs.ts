/** The delivery log, and the two ways to have something delivered at once: a sample, and an event once more. */

import { z } from 'zod';
import { WebhookEventType } from '../../../protocol/webhook/event.ts';
import { exampleEvent } from '../../../protocol/webhook/exampleEvents.ts';
import { WebhookLog, WebhookLogPage, WebhookLogRecord } from '../../../protocol/webhook/subscription.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { loadWebhook } from '../../domain/webhooks/changeWebhook.ts';
import { deliverNow, showAttempt } from '../../domain/webhooks/deliverNow.ts';
import { type AttemptRow, findAttempt, listAttempts } from '../../store/statements/webhooks/attempts.ts';
import { findWebhook } from '../../store/statements/webhooks/subscriptions.ts';
import { findWebhookEvent } from '../../store/statements/webhooks/webhookEvents.ts';
import type { Script } from '../../store/store.ts';
import { byId, readPage } from '../../usecase/list/listing.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

/** A list in a query: the parameter repeated, or its values separated by commas. */
const EventIds = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(',')))])
  .pipe(z.array(z.string().min(1).max(64)).max(50));

const ListLogs = PageRequest.extend({
  webhookId: z.string().min(1).max(64).optional(),
  eventId: EventIds.optional().describe('Of an event, or of any of several: the ids, separated by commas, at most 50.'),
});
type ListLogs = z.output<typeof ListLogs>;

const ATTEMPTS = {
  order: byId,
  select: ({ tenantId }: Caller, input: ListLogs, before: string | undefined, limit: number) =>
    listAttempts(tenantId, { webhookId: input.webhookId, eventIds: input.eventId }, before, limit),
  show: showAttempt,
};

export const listWebhookLogs = useCase({
  summary: 'Lists attempts at deliveries, newest first.',
  input: ListLogs,
  output: WebhookLogPage,
  permission: 'admin',
  run: inOneRead<ListLogs, WebhookLogPage>(function* (deps, caller, input, now) {
    const { data: logs, ...rest } = yield* readPage(ATTEMPTS, deps, caller, input, now);
    return { logs, ...rest };
  }),
});

const GetWebhookLog = z.object({ id: z.string() });

export const getWebhookLog = useCase({
  summary: 'Shows one attempt at a delivery, with the body that was posted.',
  input: GetWebhookLog,
  output: WebhookLogRecord,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetWebhookLog>, WebhookLogRecord>(function* (_deps, { tenantId }, { id }) {
    const attempt = yield* loadAttempt(tenantId, id);
    // Where a person or a task is told of an event, what is posted is made of it anew each time.
    const isPosted = (yield* findWebhook(tenantId, attempt.webhook_id)) !== undefined;
    const event = isPosted ? yield* findWebhookEvent(tenantId, attempt.event_id) : undefined;
    return compact({ ...showAttempt(attempt), request: event?.body });
  }),
});

/** @throws Fault NOT_FOUND */
function* loadAttempt(tenantId: string, id: string): Script<AttemptRow> {
  const attempt = yield* findAttempt(tenantId, id);
  if (attempt === undefined) throw new Fault('NOT_FOUND', `There is no log record ${id}.`);
  return attempt;
}

const TestWebhook = z.strictObject({
  id: z.string(),
  event: WebhookEventType.optional().describe('Which event; the first that is subscribed to when not given.'),
});
type TestWebhook = z.output<typeof TestWebhook>;

export const testWebhook = useCase({
  summary:
    'Posts a signed sample once, also of an event that the subscription does not ask for, and answers how that went.',
  input: TestWebhook,
  output: WebhookLog,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: deliverNow<TestWebhook>(function* (deps, { tenantId }, { id, event }, now) {
    const webhook = yield* loadWebhook(tenantId, id);
    const type = event ?? WebhookEventType.parse(webhook.events.split(' ')[0]);
    const sample = { ...exampleEvent(type, deps.newId('evt_'), isoTime(now)), test: true };
    return { webhook, eventId: sample.id, eventType: type, body: JSON.stringify(sample) };
  }),
});

const ResendWebhook = z.object({ id: z.string() });
type ResendWebhook = z.output<typeof ResendWebhook>;

export const resendWebhook = useCase({
  summary: 'Posts the event of a log record once more, under the same event id, and answers how that went.',
  input: ResendWebhook,
  output: WebhookLog,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: deliverNow<ResendWebhook>(function* (_deps, { tenantId }, { id }) {
    const attempt = yield* loadAttempt(tenantId, id);
    const webhook = yield* loadWebhook(tenantId, attempt.webhook_id);
    const { event_id: eventId, event_type: eventType } = attempt;
    if ((yield* findWebhookEvent(tenantId, eventId)) === undefined) {
      throw new Fault('NOT_FOUND', 'The event of this record is kept no longer.');
    }
    return { webhook, eventId, eventType };
  }),
});
