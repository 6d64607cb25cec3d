/** A place for notifications as the API shows it, and what may be wished of it. */
import { z } from 'zod';
import { Currency, fromMinor, toMinor } from '../../../../protocol/money.ts';
import { DigestSchedule, nextDigest } from '../../../../protocol/webhook/digest.ts';
import { NOTICE_TOPICS, type NoticeTopic } from '../../../../protocol/webhook/noticeText.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { visibleName } from '../../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import type { WebhookRow } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { CHANNELS, channelOf } from '../channels/channels.ts';
import { openPlace, originOf, SILENT, topicsOf } from './noticePlace.ts';

const PaymentsFrom = z
  .object({ amount: z.number().positive(), currency: Currency })
  .describe('Payments below it are not told; those in other currencies are. Without it, every payment is.');

/** What a person wishes of a place. */
export const Wishes = {
  name: visibleName(100).describe('What to call the place, such as "phone".'),
  about: z.array(z.enum(NOTICE_TOPICS)).min(1).max(NOTICE_TOPICS.length).describe('What to be told of.'),
  paymentsFrom: PaymentsFrom.nullable().optional(),
  digest: DigestSchedule.optional(),
  details: z
    .boolean()
    .default(false)
    .describe(
      'Whether notifications tell amounts and merchants, which a locked screen shows to others and a service stores.',
    ),
};

const KINDS = Object.keys(CHANNELS) as [keyof typeof CHANNELS, ...(keyof typeof CHANNELS)[]];

export const NoticeChannel = z.object({
  id: z.string(),
  kind: z.enum(KINDS),
  url: z
    .string()
    .describe(
      'Of a browser, the address at its push service; of an e-mail, its address; of a service whose addresses are secrets, its host and the last characters.',
    ),
  name: z.string(),
  about: z.array(z.enum(NOTICE_TOPICS)),
  paymentsFrom: z.object({ amount: z.number(), currency: z.string() }).optional(),
  digest: DigestSchedule.optional(),
  details: z.boolean(),
  createdAt: z.string(),
  failingSince: z.string().optional().describe('Since when nothing has arrived there.'),
  silent: z
    .enum(['unconfirmed', 'ended'])
    .optional()
    .describe(
      'Why nothing is sent there. unconfirmed: until the code that was sent there is given back. ended: its service says that it takes nothing more, until a test arrives.',
    ),
});
export type NoticeChannel = z.infer<typeof NoticeChannel>;

/** @param isOwn whether its person asks: another one is shown no address */
export function showPlace(deps: Pick<Deps, 'sealer'>, row: WebhookRow, isOwn: boolean): NoticeChannel {
  const place = openPlace(deps, row);
  const least = row.least === null ? undefined : (JSON.parse(row.least) as { minor: number; currency: string });
  return compact({
    id: row.id,
    kind: place.kind,
    url: isOwn ? channelOf(place.kind).show({ ...place, url: row.url }) : originOf(row),
    name: place.name,
    about: topicsOf({ events: place.unconfirmed?.events ?? row.events }),
    paymentsFrom: least && { amount: fromMinor(least.minor, least.currency), currency: least.currency },
    digest: row.digest === null ? undefined : (JSON.parse(row.digest) as DigestSchedule),
    details: place.details,
    createdAt: isoTime(row.created_at),
    failingSince: isoTime(row.failing_since) ?? undefined,
    silent: row.disabled_reason === null ? undefined : SILENT[row.disabled_reason as keyof typeof SILENT],
  });
}

/** When digests are sent, as it is stored; none where that is no topic. @param now milliseconds since the epoch */
export function digestOf(
  { about, digest }: { readonly about: readonly NoticeTopic[]; readonly digest?: DigestSchedule | undefined },
  now: number,
): Pick<WebhookRow, 'digest' | 'digest_at'> {
  if (!about.includes('digest')) return { digest: null, digest_at: null };
  const schedule = digest ?? DigestSchedule.parse({});
  return { digest: JSON.stringify(schedule), digest_at: nextDigest(schedule, now) };
}

/** The amount from which payments are told, as it is stored. */
export function leastOf(from: z.output<typeof PaymentsFrom> | null | undefined): string | null {
  if (from === null || from === undefined) return null;
  return JSON.stringify({ minor: toMinor(from.amount, from.currency), currency: from.currency });
}
