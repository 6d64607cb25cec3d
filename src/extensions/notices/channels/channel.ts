/** What each service that notifications go through has: one file beside this one. */
import type { z } from 'zod';
import type { Notice } from '../../../../protocol/webhook/noticeText.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { Mail } from '../mail/mailer.ts';
import type { NoticeServices } from '../noticeServices.ts';

/** What is sealed of a place. */
export interface NotificationChannel {
  readonly kind: 'webPush' | 'plain' | 'email' | 'slack' | 'discord' | 'teams' | 'telegram';
  /** What its owner calls it. */
  readonly name: string;
  /** Whether notifications tell amounts and merchants. */
  readonly details: boolean;
  /** Of a browser: its public key and the secret it shares (RFC 8291), as base64url. */
  readonly keys?: { readonly p256dh: string; readonly auth: string } | undefined;
  /** Of another program: sent as a bearer token. Of Telegram: the bot's token. */
  readonly token?: string | undefined;
  /** An e-mail address, or the address of a webhook whose path is a secret; a Telegram chat. */
  readonly address?: string | undefined;
  /** Of an address that its owner has not confirmed yet. */
  readonly unconfirmed?: PendingConfirmation | undefined;
}

interface PendingConfirmation {
  readonly code: string;
  /** When the code ends, in milliseconds since the epoch. */
  readonly until: number;
  /** The types of events that are told once it is confirmed. */
  readonly events: string;
}

/** What a channel keeps of a place beside its name and its owner's wishes. */
export interface ChannelAddress extends Pick<NotificationChannel, 'keys' | 'token' | 'address'> {
  /** Stored in clear, so without a secret; of a service whose addresses are secrets, its origin. */
  readonly url: string;
}

/** What is posted of a notice. */
interface NoticeRequest {
  readonly url: URL;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface OutgoingNotice extends Notice {
  /** The same at each attempt. */
  readonly id: string;
  /** Where a person sees it: the page of an approval, or the console. */
  readonly link: string;
  /** What the link is called. */
  readonly act: string;
}

type ComposeDeps = Pick<Deps, 'settings'> & Pick<NoticeServices, 'vapid'>;

export interface Channel<Input> {
  readonly kind: NotificationChannel['kind'];
  /** What a person gives, beside a name and wishes. */
  readonly input: z.ZodType<Input>;
  /** @throws Fault BAD_REQUEST for what nothing can be sent to, CONFLICT where the node lacks a setting */
  keep(deps: Pick<Deps, 'settings'> & Pick<NoticeServices, 'mailer'>, input: Input): ChannelAddress;
  /** The place as its owner is shown it: no more of a secret than tells two of them apart. */
  show(place: NotificationChannel & { readonly url: string }): string;
  /** @param now milliseconds since the epoch @throws Error where the place cannot be sent to */
  compose(
    deps: ComposeDeps,
    place: NotificationChannel & { readonly url: string },
    notice: OutgoingNotice,
    now: number,
  ): NoticeRequest | Promise<NoticeRequest> | Mail;
  /** Statuses by which the receiver says that it is there no more, and the place is removed. */
  readonly removedBy: readonly number[];
  /** Statuses by which the receiver says that it takes nothing more; the place is kept and shown, and nothing is sent there. */
  readonly endedBy: readonly number[];
}

export function jsonRequest(url: string | URL, body: object): NoticeRequest {
  return { url: new URL(url), headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
