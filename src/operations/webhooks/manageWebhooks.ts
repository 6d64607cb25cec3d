/** Webhook subscriptions: made, listed, changed and deleted. A secret is shown once, by the answer that makes it. */

import { z } from 'zod';
import { WEBHOOK_EVENTS, type WebhookEventType } from '../../../protocol/webhook/event.ts';
import {
  CreateWebhook,
  failingBefore,
  NewWebhook,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookRecord,
} from '../../../protocol/webhook/subscription.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import {
  checkedUrl,
  loadWebhook,
  recordChange,
  secretContext,
  writeWebhook,
} from '../../domain/webhooks/changeWebhook.ts';
import { countHeld, countPending, dropDeliveries } from '../../store/statements/webhooks/deliveries.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  insertWebhook,
  listWebhooks as selectWebhooks,
  type WebhookRow,
} from '../../store/statements/webhooks/subscriptions.ts';
import type { Deps } from '../../usecase/deps.ts';
import { byId, listing } from '../../usecase/list/listing.ts';
import { inOneCommit, inOneRead, useCase } from '../../usecase/useCase.ts';

/** Each event is stored once for each subscription, so their number is bounded. */
const MAX_WEBHOOKS = 1000;
const MOST_COUNTED = 1000;
/** How long the former secret signs beside the new one. */
const ROTATION_MS = 24 * 3600 * 1000;

const ById = z.object({ id: z.string() });
type ById = z.output<typeof ById>;

export const createWebhook = useCase({
  summary: 'Subscribes a URL to events. Only this answer shows the secret.',
  input: CreateWebhook,
  output: NewWebhook,
  permission: 'admin',
  faults: ['CONFLICT'],
  idempotent: true,
  secretAnswer: true,
  run: inOneCommit<CreateWebhook, NewWebhook>(function* (deps, caller, input, { now }) {
    if ((yield* countWebhooks(caller.tenantId)) >= MAX_WEBHOOKS) {
      throw new Fault('CONFLICT', `There can be at most ${MAX_WEBHOOKS} webhooks; delete one first.`);
    }
    const id = deps.newId('wh_');
    const secret = input.secret ?? newSecret(deps);
    const row: WebhookRow = {
      id,
      tenant_id: caller.tenantId,
      url: checkedUrl(deps, input.url),
      events: ordered(input.events),
      status: 'ACTIVE',
      disabled_reason: null,
      secret: deps.sealer.seal(secret, secretContext(id)),
      previous_secret: null,
      previous_until: null,
      older_secret: null,
      older_until: null,
      failing_since: null,
      created_at: now,
      resuming: 0,
      task_id: null,
      user_id: null,
      least: null,
      digest: null,
      digest_at: null,
    };
    yield* insertWebhook(row);
    yield* recordChange(deps, caller, row, 'WEBHOOK_CREATED', now);
    return { ...showWebhook(row, now), secret };
  }),
});

export const listWebhooks = listing({
  summary: 'Lists webhook subscriptions, newest first.',
  input: PageRequest,
  item: Webhook,
  permission: 'admin',
  order: byId,
  select: ({ tenantId }, _input, before, limit) => selectWebhooks(tenantId, before, limit),
  show: showWebhook,
});

export const getWebhook = useCase({
  summary: 'Shows a webhook subscription, and how many deliveries wait.',
  input: ById,
  output: WebhookRecord,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneRead<ById, WebhookRecord>(function* (_deps, caller, { id }, now) {
    const shown = showWebhook(yield* loadWebhook(caller.tenantId, id), now);
    const waiting = {
      pending: yield* countPending(id, MOST_COUNTED),
      held: yield* countHeld(id, MOST_COUNTED),
    };
    return { ...shown, waiting };
  }),
});

export const updateWebhook = useCase({
  summary:
    'Changes the URL or the events of a subscription, pauses it (its events are kept for 7 days), or resumes it.',
  input: UpdateWebhook,
  output: Webhook,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<UpdateWebhook, Webhook>(function* (deps, caller, input, { now }) {
    const row = yield* loadWebhook(caller.tenantId, input.id);
    const status = input.status ?? row.status;
    const after: WebhookRow = {
      ...row,
      url: input.url === undefined ? row.url : checkedUrl(deps, input.url),
      events: input.events === undefined ? row.events : ordered(input.events),
      status,
      disabled_reason: status === 'ACTIVE' ? null : (row.disabled_reason ?? 'paused'),
      failing_since: status === 'ACTIVE' && row.status === 'DISABLED' ? null : row.failing_since,
    };
    yield* writeWebhook(deps, caller, { before: row, after }, now);
    return showWebhook(after, now);
  }),
});

export const rotateWebhookSecret = useCase({
  summary:
    'Rotates the secret of a subscription. For 24 hours the former secret signs too; of several rotations within them, the last two.',
  input: RotateWebhookSecret,
  output: NewWebhook,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  idempotent: true,
  secretAnswer: true,
  run: inOneCommit<RotateWebhookSecret, NewWebhook>(function* (deps, caller, input, { now }) {
    const row = yield* loadWebhook(caller.tenantId, input.id);
    const secret = input.secret ?? newSecret(deps);
    const after: WebhookRow = {
      ...row,
      secret: deps.sealer.seal(secret, secretContext(row.id)),
      previous_secret: row.secret,
      previous_until: now + ROTATION_MS,
      // Of three secrets at once the oldest goes with the next rotation.
      older_secret: row.previous_secret,
      older_until: row.previous_until,
    };
    yield* writeWebhook(deps, caller, { before: row, after }, now);
    return { ...showWebhook(after, now), secret };
  }),
});

export const deleteWebhook = useCase({
  summary: 'Deletes a subscription and its pending deliveries. Its log remains.',
  input: ById,
  output: z.undefined(),
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<ById, undefined>(function* (deps, caller, { id }, { now }) {
    const row = yield* loadWebhook(caller.tenantId, id);
    // In the order of the delivery worker, which locks a delivery before its subscription.
    yield* dropDeliveries(id);
    yield* deleteWebhookRow(caller.tenantId, id);
    yield* recordChange(deps, caller, row, 'WEBHOOK_DELETED', now);
    return undefined;
  }),
});

function newSecret(deps: Deps): string {
  return `whsec_${Buffer.from(deps.newToken(''), 'base64url').toString('base64')}`;
}

function ordered(events: readonly WebhookEventType[]): string {
  return WEBHOOK_EVENTS.filter((type) => events.includes(type)).join(' ');
}

function showWebhook(row: WebhookRow, now: number): Webhook {
  const { disabled_reason: reason, failing_since: failing, previous_until: until } = row;
  const isFailing = row.status === 'ACTIVE' && failing !== null && failing <= failingBefore(now);
  return compact({
    id: row.id,
    url: row.url,
    events: row.events.split(' ') as WebhookEventType[],
    status: row.status,
    createdAt: isoTime(row.created_at),
    disabledReason: (reason as Webhook['disabledReason'] | null) ?? undefined,
    failingSince: isoTime(failing),
    attention: isFailing ? ('failing' as const) : undefined,
    ...(until === null || until <= now ? {} : { previousSecretUntil: isoTime(until) }),
  });
}
