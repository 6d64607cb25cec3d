/** Web Push: notices that a browser shows, encrypted for it (RFC 8291) and signed by the node (RFC 8292). */
import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { checkedUrl } from '../../../domain/webhooks/changeWebhook.ts';
import type { Channel } from './channel.ts';

/** A browser that was off is told what happened within a day; what ends sooner, until then. */
const DAY_SECONDS = 24 * 3600;

const MOST_CHARACTERS = 800;

const Input = z.object({
  kind: z.literal('webPush'),
  endpoint: z.string().min(1).max(2048).describe('Of the browser’s push subscription.'),
  keys: z.object({
    p256dh: z.string().max(200).describe('The browser’s public key, as base64url.'),
    auth: z.string().max(100).describe('16 bytes that it shares, as base64url.'),
  }),
});

export const webPush = {
  kind: 'webPush',
  input: Input,
  keep(deps, { endpoint, keys }) {
    if (!isPoint(keys.p256dh)) {
      throw wrong('keys.p256dh', 'must be a point of the curve P-256, uncompressed, as base64url');
    }
    if (Buffer.from(keys.auth, 'base64url').length !== 16) throw wrong('keys.auth', 'must be 16 bytes as base64url');
    return { url: checkedUrl(deps, endpoint), keys };
  },
  show: ({ url }) => url,
  async compose(
    { settings, vapid },
    { url, keys },
    { id: _id, link: _link, act: _act, attachment: _file, ...notice },
    now,
  ) {
    // Loaded where a notice is sent, since few nodes send any.
    const { default: library } = await import('web-push');
    if (keys === undefined) throw new Error('The place has no keys.');
    const left = notice.until === undefined ? DAY_SECONDS : Math.ceil((Date.parse(notice.until) - now) / 1000);
    const text = JSON.stringify({ ...notice, body: shortened(notice.body) });
    const { headers, body } = library.generateRequestDetails({ endpoint: url, keys }, text, {
      TTL: Math.max(0, Math.min(DAY_SECONDS, left)),
      urgency: 'high',
      vapidDetails: { ...vapid, subject: subjectOf(settings.baseUrl) },
    });
    return { url: new URL(url), headers: textsOf(headers), body: body as Buffer };
  },
  // What a push service answers where the browser is there no more, or was subscribed with another key.
  removedBy: [401, 403, 404, 410],
  endedBy: [],
} as const satisfies Channel<z.output<typeof Input>>;

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

/** Whom a push service asks where a node sends too much: an address of the node that it may publish. */
function subjectOf(baseUrl: string): string {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' ? baseUrl : `mailto:countersign@${hostname}`;
}

/** A push service takes 4096 bytes in all (RFC 8030 section 7.2), and a screen shows less of a text. */
function shortened(body: string): string {
  return body.length <= MOST_CHARACTERS ? body : `${body.slice(0, MOST_CHARACTERS)}…`;
}

/** Lengths are counted when the message is sent. */
function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name !== 'Content-Length');
  return Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
