/** Where a person wants notifications: shown, confirmed, changed, tried and removed. */
import { z } from 'zod';
import { DigestSchedule, nextDigest } from '../../../../protocol/webhook/digest.ts';
import { TRIAL } from '../../../../protocol/webhook/noticeText.ts';
import { WebhookLog } from '../../../../protocol/webhook/subscription.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Caller } from '../../../access/caller.ts';
import { recordAdminEvent } from '../../../domain/evidence/recordEvent.ts';
import { removePersonSubscription } from '../../../domain/outbox/personSubscriptions.ts';
import { deliverNow } from '../../../domain/webhooks/deliverNow.ts';
import {
  listPlacesOf,
  setSilent,
  setWebhooksVersion,
  updatePlace,
  type WebhookRow,
} from '../../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import { inOneCommit, inOneRead, useCase } from '../../../usecase/useCase.ts';
import { servicesOf } from '../noticeServices.ts';
import { isCode } from '../places/confirmation.ts';
import { eventsOf, factsOf, openPlace, SILENT, sealPlace } from '../places/noticePlace.ts';
import { loadPlace, OfUser, placeOwner } from '../places/placeOwner.ts';
import { digestOf, leastOf, NoticeChannel, showPlace, Wishes } from '../places/showPlace.ts';

const Notifications = z.object({
  applicationServerKey: z
    .string()
    .describe('What a browser subscribes to push messages with (RFC 8292), as base64url.'),
  sendsMail: z.boolean().describe('Whether the node has a mail server, so that notifications may go by e-mail.'),
  places: z.array(NoticeChannel),
});
type Notifications = z.infer<typeof Notifications>;

const OfOne = z.object(OfUser);
const ById = z.object({ id: z.string().max(100), ...OfUser });
type ById = z.output<typeof ById>;

export const showNotifications = useCase({
  summary: 'Shows where the notifications of a user go, and the key that a browser subscribes with.',
  input: OfOne,
  output: Notifications,
  permission: 'any',
  faults: ['FORBIDDEN', 'NOT_FOUND'],
  run: inOneRead<z.output<typeof OfOne>, Notifications>(function* (
    deps: Pick<Deps, 'operations' | 'sealer'>,
    caller,
    { userId: named },
  ) {
    const userId = yield* placeOwner(caller, named);
    const rows = yield* listPlacesOf(caller.tenantId, userId);
    const { mailer, vapid } = servicesOf(deps);
    return {
      applicationServerKey: vapid.publicKey,
      sendsMail: mailer !== undefined,
      places: rows.map((row) => showPlace(deps, row, userId === caller.userId)),
    };
  }),
});

const ConfirmNotifications = z.object({ ...ById.shape, code: z.string().min(1).max(40) });
type ConfirmNotifications = z.output<typeof ConfirmNotifications>;

export const confirmNotifications = useCase({
  summary: 'Confirms an e-mail address by the code that was sent there, from when on notifications go there.',
  input: ConfirmNotifications,
  output: NoticeChannel,
  permission: 'any',
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<ConfirmNotifications, NoticeChannel>(function* (
    deps: EventDeps & Pick<Deps, 'sealer'>,
    caller,
    { id, userId, code },
    { now },
  ) {
    const row = yield* loadPlace(caller, userId, id);
    const { unconfirmed, ...kept } = openPlace(deps, row);
    if (unconfirmed === undefined) return showPlace(deps, row, row.user_id === caller.userId);
    if (unconfirmed.until <= now) {
      throw new Fault('CONFLICT', 'The code has ended after a day; add the address again, for a new one.');
    }
    if (!isCode(code, unconfirmed.code)) {
      const message = 'must be the code that was sent to the address';
      throw new Fault('BAD_REQUEST', `The code ${message}.`, [{ path: 'code', message }]);
    }
    const secret = sealPlace(deps, row.id, kept);
    const digest = row.digest === null ? null : nextDigest(DigestSchedule.parse(JSON.parse(row.digest)), now);
    const told = { events: unconfirmed.events, disabled_reason: null, digest_at: digest };
    const confirmed = { ...row, ...told, secret };
    yield* updatePlace(confirmed);
    yield* recordChange(deps, caller, confirmed, { confirmed: true }, now);
    return showPlace(deps, confirmed, row.user_id === caller.userId);
  }),
});

const ChangeNotifications = z.object({ ...ById.shape, ...Wishes });
type ChangeNotifications = z.output<typeof ChangeNotifications>;

export const changeNotifications = useCase({
  summary: 'Changes what a place is told of, and how much.',
  input: ChangeNotifications,
  output: NoticeChannel,
  permission: 'any',
  faults: ['FORBIDDEN', 'NOT_FOUND'],
  run: inOneCommit<ChangeNotifications, NoticeChannel>(function* (
    deps: EventDeps & Pick<Deps, 'sealer'>,
    caller,
    input,
    { now },
  ) {
    const row = yield* loadPlace(caller, input.userId, input.id);
    const { unconfirmed, ...kept } = { ...openPlace(deps, row), name: input.name, details: input.details };
    const events = eventsOf(input.about);
    // Before its address is confirmed nothing is told there.
    const place = unconfirmed === undefined ? kept : { ...kept, unconfirmed: { ...unconfirmed, events } };
    const changed = {
      ...row,
      events: unconfirmed === undefined ? events : '',
      least: leastOf(input.paymentsFrom),
      ...digestOf(input, now),
      secret: sealPlace(deps, row.id, place),
    };
    yield* updatePlace(changed);
    yield* recordChange(deps, caller, changed, {}, now);
    return showPlace(deps, changed, row.user_id === caller.userId);
  }),
});

function* recordChange(
  deps: EventDeps,
  caller: Caller,
  row: WebhookRow,
  more: Readonly<Record<string, unknown>>,
  now: number,
): Script<void> {
  yield* setWebhooksVersion(row.tenant_id, deps.newId('whv_'));
  yield* recordAdminEvent(deps, caller, 'NOTIFICATIONS_CHANGED', { ...factsOf(row), ...more }, now);
}

export const removeNotifications = useCase({
  summary: 'Sends notifications to a place no more.',
  input: ById,
  output: z.undefined(),
  permission: 'any',
  faults: ['FORBIDDEN', 'NOT_FOUND'],
  run: inOneCommit<ById, undefined>(function* (deps: EventDeps, caller, { id, userId }, { now }) {
    const row = yield* loadPlace(caller, userId, id);
    yield* removePersonSubscription(deps, row);
    yield* recordAdminEvent(deps, caller, 'NOTIFICATIONS_REMOVED', factsOf(row), now);
    return undefined;
  }),
});

export const tryNotifications = useCase({
  summary: 'Sends a trial to a place, and answers how that went.',
  input: ById,
  output: WebhookLog,
  permission: 'any',
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: deliverNow<ById>(function* (deps, caller, { id, userId }) {
    const webhook = yield* loadPlace(caller, userId, id);
    if (webhook.disabled_reason === SILENT.unconfirmed) {
      throw new Fault('CONFLICT', 'The address is not confirmed; give the code that was sent there first.');
    }
    // A test that arrives shows that a place which had ended takes notifications again.
    if (webhook.disabled_reason === SILENT.ended) {
      yield* setSilent(webhook.tenant_id, webhook.id, null);
      yield* setWebhooksVersion(webhook.tenant_id, deps.newId('whv_'));
    }
    return { webhook, eventId: deps.newId('evt_'), eventType: TRIAL.type, body: JSON.stringify(TRIAL) };
  }),
});
