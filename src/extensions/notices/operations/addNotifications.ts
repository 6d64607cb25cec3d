/** Adds a place for a person's notifications, at any service that they go through. */
import { z } from 'zod';
import { CONFIRMATION } from '../../../../protocol/webhook/noticeText.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Caller } from '../../../access/caller.ts';
import { recordAdminEvent } from '../../../domain/evidence/recordEvent.ts';
import { removePersonSubscription } from '../../../domain/outbox/personSubscriptions.ts';
import {
  findPlacesAt,
  insertWebhook,
  listPlacesOf,
  setWebhooksVersion,
  type WebhookRow,
} from '../../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import { inOneCommit, useCase } from '../../../usecase/useCase.ts';
import type { Channel, ChannelAddress, NotificationChannel } from '../channels/channel.ts';
import { CHANNELS } from '../channels/channels.ts';
import { servicesOf } from '../noticeServices.ts';
import { newCode, requireFewCodes } from '../places/confirmation.ts';
import { eventsOf, factsOf, openPlace, SILENT, sealPlace } from '../places/noticePlace.ts';
import { OfUser, placeOwner } from '../places/placeOwner.ts';
import { digestOf, leastOf, NoticeChannel, showPlace, Wishes } from '../places/showPlace.ts';
import { tellPlaces } from '../sending/tellUser.ts';

/** Each event is stored once for each place. */
const MOST_OF_A_PERSON = 20;

const More = { ...Wishes, ...OfUser };

const AddNotifications = z.discriminatedUnion('kind', [
  CHANNELS.webPush.input.extend(More),
  CHANNELS.plain.input.extend(More),
  CHANNELS.email.input.extend(More),
  CHANNELS.slack.input.extend(More),
  CHANNELS.discord.input.extend(More),
  CHANNELS.teams.input.extend(More),
  CHANNELS.telegram.input.extend(More),
]);
type AddNotifications = z.output<typeof AddNotifications>;

type AddDeps = EventDeps & Pick<Deps, 'newToken' | 'operations' | 'sealer'>;

export const addNotifications = useCase({
  summary: 'Has notifications sent to a browser or an address. The same one again takes the place of the former.',
  input: AddNotifications,
  output: NoticeChannel,
  permission: 'any',
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<AddNotifications, NoticeChannel>(function* (deps: AddDeps, caller, input, { now }) {
    const userId = yield* placeOwner(caller, input.userId);
    const { url, ...kept } = keptAddress(deps, input);
    const isProven = yield* replaceFormer(deps, caller, { userId, kind: input.kind, url, ...kept }, now);
    if ((yield* listPlacesOf(caller.tenantId, userId)).length >= MOST_OF_A_PERSON) {
      throw new Fault(
        'CONFLICT',
        `Notifications go to ${MOST_OF_A_PERSON} places of a user at most; remove one first.`,
      );
    }
    const id = deps.newId('ntc_');
    const needsCode = input.kind === 'email' && !isProven;
    if (needsCode) yield* requireFewCodes(caller.tenantId, userId, now);
    const events = eventsOf(input.about);
    const place: NotificationChannel = {
      kind: input.kind,
      name: input.name,
      details: input.details,
      ...kept,
      ...(needsCode ? { unconfirmed: { ...newCode(deps, now), events } } : {}),
    };
    const row: WebhookRow = {
      id,
      tenant_id: caller.tenantId,
      url,
      events: needsCode ? '' : events,
      status: 'ACTIVE',
      disabled_reason: needsCode ? SILENT.unconfirmed : null,
      secret: sealPlace(deps, id, place),
      previous_secret: null,
      previous_until: null,
      older_secret: null,
      older_until: null,
      failing_since: null,
      created_at: now,
      resuming: 0,
      task_id: null,
      user_id: userId,
      least: leastOf(input.paymentsFrom),
      ...digestOf(input, now),
    };
    yield* insertWebhook(row);
    yield* setWebhooksVersion(row.tenant_id, deps.newId('whv_'));
    const facts = { ...factsOf(row), ...(needsCode ? { unconfirmed: true } : {}) };
    yield* recordAdminEvent(deps, caller, 'NOTIFICATIONS_ADDED', facts, now);
    if (needsCode) yield* tellPlaces(deps, row.tenant_id, [row], CONFIRMATION, now);
    return showPlace(deps, row, userId === caller.userId);
  }),
});

/** The channel is that of the input's kind, which the compiler cannot see of two unions. */
function keptAddress(deps: Pick<Deps, 'operations' | 'settings'>, input: AddNotifications): ChannelAddress {
  const { keep } = CHANNELS[input.kind] as Pick<Channel<never>, 'keep'>;
  return keep({ settings: deps.settings, mailer: servicesOf(deps).mailer }, input as never);
}

interface NewAddress extends ChannelAddress {
  readonly userId: string;
  readonly kind: NotificationChannel['kind'];
}

/** Removes what the new place takes the place of. @returns whether its user has confirmed the same address before */
function* replaceFormer(deps: AddDeps, caller: Caller, added: NewAddress, now: number): Script<boolean> {
  let isProven = false;
  for (const row of yield* findPlacesAt(caller.tenantId, added.url)) {
    const former = readable(deps, row);
    // A browser is of the person who is signed in there now; an address may be that of several people.
    const isMine = row.user_id === added.userId;
    const isSame = former === undefined || (former.address === added.address && former.kind === added.kind);
    const isTaken = added.kind === 'webPush' && former?.kind === 'webPush';
    if (!(isMine && isSame) && !isTaken) continue;
    isProven ||= former !== undefined && row.disabled_reason !== SILENT.unconfirmed;
    yield* removePersonSubscription(deps, row);
    if (!isMine) yield* recordAdminEvent(deps, caller, 'NOTIFICATIONS_REMOVED', factsOf(row), now);
  }
  return isProven;
}

/** Of what cannot be read it is not known what it is. */
function readable(deps: Pick<Deps, 'sealer'>, row: WebhookRow): NotificationChannel | undefined {
  try {
    return openPlace(deps, row);
  } catch {
    return undefined;
  }
}
