/** Sends a notice to one place of a person, by the service that the place is at. */
import { approvalUrl } from '../../../../protocol/approval.ts';
import type { Notice } from '../../../../protocol/webhook/noticeText.ts';
import type { HttpExchange } from '../../../fetch/safeClient.ts';
import type { Outcome, Send } from '../../../usecase/deliveryKind.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { outcomeOf, post, UNSIGNABLE } from '../../../webhooks/postEvent.ts';
import type { Channel, NotificationChannel, OutgoingNotice } from '../channels/channel.ts';
import { channelOf } from '../channels/channels.ts';
import type { Mail, MailReply } from '../mail/mailer.ts';
import type { NoticeServices } from '../noticeServices.ts';

/** A notice that comes later than this is of no use. */
const MOST_ASKED_SECONDS = 3600;

/** @param placeId of the place: one event may go to several, and each mail has an id of its own */
export function sendNotice(
  deps: Pick<Deps, 'settings'> & NoticeServices,
  place: NotificationChannel & { readonly url: string },
  placeId: string,
): Send {
  const channel = channelOf(place.kind);
  return async (client, { id, body }, now) => {
    try {
      const notice = outgoing(deps.settings, `${id}.${placeId}`, JSON.parse(body) as Notice);
      const made = await channel.compose(deps, place, notice, now);
      if ('to' in made) return await mail(deps, made);
      return outcomeOfPost(channel, await post(client, made.url, made));
    } catch {
      return UNSIGNABLE;
    }
  };
}

/** The page of an approval needs no login, so that a phone on which its person never signed in decides too. */
function outgoing({ baseUrl }: Deps['settings'], id: string, notice: Notice): OutgoingNotice {
  const { approvalId, path } = notice;
  if (approvalId === undefined) return { ...notice, id, link: `${baseUrl}/console/#${path}`, act: 'Open the console' };
  return { ...notice, id, link: approvalUrl(baseUrl, approvalId), act: 'Open the approval' };
}

/** A service is waited for as long as it asks. Nothing is kept of its answer: an ntfy server repeats its topic, which is a secret. */
function outcomeOfPost(
  { removedBy, endedBy }: Pick<Channel<never>, 'removedBy' | 'endedBy'>,
  exchange: HttpExchange,
): Outcome {
  const { status, retryAfterSeconds = 0 } = exchange;
  const end = removedBy.includes(status) ? 'gone' : endedBy.includes(status) ? 'closed' : undefined;
  return { ...outcomeOf(exchange), answer: '', waitSeconds: Math.min(retryAfterSeconds, MOST_ASKED_SECONDS), end };
}

const NO_SERVER: Outcome = { ok: false, status: 0, durationMs: 0, error: 'settings', answer: '' };

async function mail({ mailer }: Pick<NoticeServices, 'mailer'>, made: Mail): Promise<Outcome> {
  return mailer === undefined ? NO_SERVER : outcomeOfMail(await mailer.send(made));
}

function outcomeOfMail({ code, durationMs, failure, refusesRecipient }: MailReply): Outcome {
  return {
    ok: failure === undefined,
    status: code,
    durationMs: Math.round(durationMs),
    error: failure,
    answer: '',
    end: refusesRecipient ? 'closed' : undefined,
  };
}
