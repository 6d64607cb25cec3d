/** Where a person who has logged in wants notifications: browsers (Web Push), and programs that take a plain text (as ntfy does). */

import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { Currency, fromMinor, toMinor } from '../../../protocol/money.ts';
import { NOTICE_TOPICS, TRIAL } from '../../../protocol/webhook/noticeText.ts';
import { WebhookLog } from '../../../protocol/webhook/subscription.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { visibleName } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import {
  eventsOf,
  factsOf,
  type KeptPlace,
  openPlace,
  removePlace,
  sealPlace,
  topicsOf,
} from '../../domain/notifications/noticePlace.ts';
import { requireLogin } from '../../domain/people/loadSelf.ts';
import { checkedUrl } from '../../domain/webhooks/changeWebhook.ts';
import { deliverNow } from '../../domain/webhooks/deliverNow.ts';
import {
  findPlace,
  findPlacesAt,
  insertWebhook,
  listPlacesOf,
  setWebhooksVersion,
  updatePlace,
  type WebhookRow,
} from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, inOneRead, useCase } from '../../usecase/useCase.ts';

/** Each event is stored once for each place. */
const MOST_OF_A_PERSON = 20;

const PaymentsFrom = z
  .object({ amount: z.number().positive(), currency: Currency })
  .describe('Payments below it are not told; those in other currencies are. Without it, every payment is.');

const Wishes = {
  name: visibleName(100).describe('What to call the place, such as "phone".'),
  about: z.array(z.enum(NOTICE_TOPICS)).min(1).max(NOTICE_TOPICS.length).describe('What to be told of.'),
  paymentsFrom: PaymentsFrom.nullable().optional(),
  details: z
    .boolean()
    .default(false)
    .describe('Whether notifications tell amounts and merchants, which a locked screen shows to others.'),
};

const AddNotifications = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('webPush'),
    endpoint: z.string().min(1).max(2048).describe('Of the browser’s push subscription.'),
    keys: z.object({
      p256dh: z.string().max(200).describe('The browser’s public key, as base64url.'),
      auth: z.string().max(100).describe('16 bytes that it shares, as base64url.'),
    }),
    ...Wishes,
  }),
  z.object({
    kind: z.literal('plain'),
    url: z.string().min(1).max(2048).describe('Takes a plain text by POST, as an ntfy topic does.'),
    token: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces')
      .max(500)
      .optional()
      .describe('Sent as a bearer token.'),
    ...Wishes,
  }),
]);
type AddNotifications = z.output<typeof AddNotifications>;

const NoticePlace = z.object({
  id: z.string(),
  kind: z.enum(['webPush', 'plain']),
  url: z.string().describe('Of a browser, the address at its push service.'),
  name: z.string(),
  about: z.array(z.enum(NOTICE_TOPICS)),
  paymentsFrom: z.object({ amount: z.number(), currency: z.string() }).optional(),
  details: z.boolean(),
  createdAt: z.string(),
  failingSince: z.string().optional().describe('Since when nothing has arrived there.'),
});
type NoticePlace = z.infer<typeof NoticePlace>;

const Notifications = z.object({
  applicationServerKey: z
    .string()
    .describe('What a browser subscribes to push messages with (RFC 8292), as base64url.'),
  places: z.array(NoticePlace),
});
type Notifications = z.infer<typeof Notifications>;

const NoInput = z.object({});
const ById = z.object({ id: z.string().max(100) });
type ById = z.output<typeof ById>;

export const showNotifications = useCase({
  summary: 'Shows where the caller’s own notifications go, and the key that a browser subscribes with.',
  input: NoInput,
  output: Notifications,
  permission: 'any',
  faults: ['FORBIDDEN'],
  run: inOneRead<z.output<typeof NoInput>, Notifications>(function* (deps, caller) {
    const { userId } = requireLogin(caller);
    const rows = yield* listPlacesOf(caller.tenantId, userId);
    return { applicationServerKey: deps.vapid.publicKey, places: rows.map((row) => showPlace(deps, row)) };
  }),
});

export const addNotifications = useCase({
  summary: 'Has notifications sent to a browser or an address. The same one again takes the place of the former.',
  input: AddNotifications,
  output: NoticePlace,
  permission: 'any',
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inOneCommit<AddNotifications, NoticePlace>(function* (
    deps: EventDeps & Pick<Deps, 'sealer'>,
    caller,
    input,
    { now },
  ) {
    const { userId } = requireLogin(caller);
    const url = addressOf(deps, input);
    for (const row of yield* findPlacesAt(caller.tenantId, url)) {
      // A browser is of the person who is signed in there now; an address may be that of several people.
      const isMine = row.user_id === userId;
      if (!isMine && !(input.kind === 'webPush' && isBrowser(deps, row))) continue;
      yield* removePlace(deps, row);
      if (!isMine) yield* recordAdminEvent(deps, caller, 'NOTIFICATIONS_REMOVED', factsOf(row), now);
    }
    if ((yield* listPlacesOf(caller.tenantId, userId)).length >= MOST_OF_A_PERSON) {
      throw new Fault('CONFLICT', `Your notifications go to ${MOST_OF_A_PERSON} places at most; remove one first.`);
    }
    const id = deps.newId('ntc_');
    const row: WebhookRow = {
      id,
      tenant_id: caller.tenantId,
      url,
      events: eventsOf(input.about),
      status: 'ACTIVE',
      disabled_reason: null,
      secret: sealPlace(deps, id, keptOf(input)),
      previous_secret: null,
      previous_until: null,
      failing_since: null,
      created_at: now,
      resuming: 0,
      task_id: null,
      user_id: userId,
      least: leastOf(input.paymentsFrom),
    };
    yield* insertWebhook(row);
    yield* record(deps, caller, row, 'NOTIFICATIONS_ADDED', now);
    return showPlace(deps, row);
  }),
});

/** Whether a place is one; of what cannot be read it is not known. */
function isBrowser(deps: Pick<Deps, 'sealer'>, row: WebhookRow): boolean {
  try {
    return openPlace(deps, row).kind === 'webPush';
  } catch {
    return false;
  }
}

const ChangeNotifications = z.object({ id: z.string().max(100), ...Wishes });
type ChangeNotifications = z.output<typeof ChangeNotifications>;

export const changeNotifications = useCase({
  summary: 'Changes what one of the caller’s places is told of, and how much.',
  input: ChangeNotifications,
  output: NoticePlace,
  permission: 'any',
  faults: ['FORBIDDEN', 'NOT_FOUND'],
  run: inOneCommit<ChangeNotifications, NoticePlace>(function* (
    deps: EventDeps & Pick<Deps, 'sealer'>,
    caller,
    input,
    { now },
  ) {
    const row = yield* loadPlace(caller, input.id);
    const kept = { ...openPlace(deps, row), name: input.name, details: input.details };
    const changed = {
      ...row,
      events: eventsOf(input.about),
      least: leastOf(input.paymentsFrom),
      secret: sealPlace(deps, row.id, kept),
    };
    yield* updatePlace(changed);
    yield* record(deps, caller, changed, 'NOTIFICATIONS_CHANGED', now);
    return showPlace(deps, changed);
  }),
});

export const removeNotifications = useCase({
  summary: 'Sends notifications to one of the caller’s places no more.',
  input: ById,
  output: z.undefined(),
  permission: 'any',
  faults: ['FORBIDDEN', 'NOT_FOUND'],
  run: inOneCommit<ById, undefined>(function* (deps: EventDeps, caller, { id }, { now }) {
    const row = yield* loadPlace(caller, id);
    yield* removePlace(deps, row);
    yield* recordAdminEvent(deps, caller, 'NOTIFICATIONS_REMOVED', factsOf(row), now);
    return undefined;
  }),
});

export const tryNotifications = useCase({
  summary: 'Sends a trial to one of the caller’s places, and answers how that went.',
  input: ById,
  output: WebhookLog,
  permission: 'any',
  faults: ['FORBIDDEN', 'NOT_FOUND'],
  run: deliverNow<ById>(function* (deps, caller, { id }) {
    const webhook = yield* loadPlace(caller, id);
    return { webhook, eventId: deps.newId('evt_'), eventType: TRIAL.type, body: JSON.stringify(TRIAL) };
  }),
});

function* loadPlace(caller: Caller, id: string): Script<WebhookRow> {
  const { userId } = requireLogin(caller);
  const row = yield* findPlace(caller.tenantId, userId, id);
  if (row === undefined) throw new Fault('NOT_FOUND', `You have no place ${id} for notifications.`);
  return row;
}

function* record(
  deps: EventDeps,
  caller: Caller,
  row: WebhookRow,
  type: 'NOTIFICATIONS_ADDED' | 'NOTIFICATIONS_CHANGED',
  now: number,
): Script<void> {
  yield* setWebhooksVersion(row.tenant_id, deps.newId('whv_'));
  yield* recordAdminEvent(deps, caller, type, factsOf(row), now);
}

/** @throws Fault BAD_REQUEST for an address that nothing may be sent to, and for keys that nothing can be encrypted for */
function addressOf(deps: Pick<Deps, 'settings'>, input: AddNotifications): string {
  if (input.kind === 'plain') return checkedUrl(deps, input.url);
  const { p256dh, auth } = input.keys;
  if (!isPoint(p256dh)) throw wrong('keys.p256dh', 'must be a point of the curve P-256, uncompressed, as base64url');
  if (Buffer.from(auth, 'base64url').length !== 16) throw wrong('keys.auth', 'must be 16 bytes as base64url');
  return checkedUrl(deps, input.endpoint);
}

function isPoint(text: string): boolean {
  try {
    const bytes = Buffer.from(text, 'base64url');
    return bytes.length === 65 && ECDH.convertKey(bytes, 'prime256v1').length === 65;
  } catch {
    return false;
  }
}

function wrong(path: string, message: string): Fault {
  return new Fault('BAD_REQUEST', `The member ${path} ${message}.`, [{ path, message }]);
}

function keptOf(input: AddNotifications): KeptPlace {
  const { kind, name, details } = input;
  return kind === 'webPush' ? { kind, name, details, keys: input.keys } : { kind, name, details, token: input.token };
}

function leastOf(from: z.output<typeof PaymentsFrom> | null | undefined): string | null {
  if (from === null || from === undefined) return null;
  return JSON.stringify({ minor: toMinor(from.amount, from.currency), currency: from.currency });
}

function showPlace(deps: Pick<Deps, 'sealer'>, row: WebhookRow): NoticePlace {
  const { kind, name, details } = openPlace(deps, row);
  const least = row.least === null ? undefined : (JSON.parse(row.least) as { minor: number; currency: string });
  return compact({
    id: row.id,
    kind,
    url: row.url,
    name,
    about: topicsOf(row),
    paymentsFrom: least && { amount: fromMinor(least.minor, least.currency), currency: least.currency },
    details,
    createdAt: isoTime(row.created_at),
    failingSince: isoTime(row.failing_since) ?? undefined,
  });
}
