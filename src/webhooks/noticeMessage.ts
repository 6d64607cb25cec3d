/** A notice as its receiver takes it: encrypted for a browser (RFC 8291), or as a plain text (as ntfy takes it). */
import type { Notice } from '../../protocol/webhook/noticeText.ts';
import type { KeptPlace } from '../domain/notifications/noticePlace.ts';
import type { Deps } from '../usecase/deps.ts';
import type { Message } from './postEvent.ts';

/** A browser that was off is told what happened within a day; what ends sooner, until then. */
const DAY_SECONDS = 24 * 3600;

/** What a push service answers where the browser is there no more, or was subscribed with another key. */
export const GONE: readonly number[] = [401, 403, 404, 410];

/** @param text a Notice as JSON @param now milliseconds since the epoch @throws Error for keys that nothing can be encrypted for */
export async function noticeMessage(
  deps: Pick<Deps, 'settings' | 'vapid'>,
  place: KeptPlace & { readonly url: string },
  text: string,
  now: number,
): Promise<Message> {
  const notice = JSON.parse(text) as Notice;
  return place.kind === 'webPush' ? encrypted(deps, place, notice, text, now) : plain(deps, place, notice);
}

async function encrypted(
  { settings, vapid }: Pick<Deps, 'settings' | 'vapid'>,
  { url, keys }: KeptPlace & { readonly url: string },
  notice: Notice,
  text: string,
  now: number,
): Promise<Message> {
  // Loaded where a notice is sent, since few nodes send any.
  const { default: webPush } = await import('web-push');
  if (keys === undefined) throw new Error('The place has no keys.');
  const left = notice.until === undefined ? DAY_SECONDS : Math.ceil((Date.parse(notice.until) - now) / 1000);
  const { headers, body } = webPush.generateRequestDetails({ endpoint: url, keys }, text, {
    TTL: Math.max(0, Math.min(DAY_SECONDS, left)),
    urgency: 'high',
    vapidDetails: { ...vapid, subject: subjectOf(settings.baseUrl) },
  });
  return { headers: textsOf(headers), body: body as Buffer };
}

/** Whom a push service asks where a node sends too much: an address of the node that it may publish. */
function subjectOf(baseUrl: string): string {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' ? baseUrl : `mailto:countersign@${hostname}`;
}

/** Lengths are counted when the message is sent. */
function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name !== 'Content-Length');
  return Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function plain({ settings }: Pick<Deps, 'settings'>, { token }: KeptPlace, notice: Notice): Message {
  const link = `${settings.baseUrl}/console/#${notice.path}`;
  return {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: notice.title,
      click: link,
      ...(notice.until === undefined ? {} : { priority: 'high' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: `${notice.body}\n${link}\n`,
  };
}
