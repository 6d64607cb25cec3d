/** Discord: a channel's webhook, which takes an embed and a button that is a link. */
import { z } from 'zod';
import { type Channel, jsonRequest } from './channel.ts';
import { keptWebhook, shortened } from './serviceAddress.ts';

const SERVICE = {
  name: 'Discord',
  hosts: ['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'],
  path: /^\/api(\/v\d+)?\/webhooks\/\d+\/./,
  example: 'https://discord.com/api/webhooks/1234/…',
};

const Input = z.object({
  kind: z.literal('discord'),
  url: z.string().min(1).max(2048).describe('Of a webhook of a Discord channel. It is a secret, and shown no more.'),
});

/** The numbers of Discord's components: a row, a button, and the style of a button that is a link. */
const ROW = 1;
const BUTTON = 2;
const LINK = 5;

export const discord = {
  kind: 'discord',
  input: Input,
  keep: (deps, { url }) => keptWebhook(deps, url, SERVICE),
  show: ({ url, address }) => shortened(url, address),
  compose: (_deps, { address }, { title, body, link, act }) => {
    const url = new URL(address as string);
    // With `wait` it answers once the message is there; without `with_components` it leaves buttons out.
    url.searchParams.set('wait', 'true');
    url.searchParams.set('with_components', 'true');
    return jsonRequest(url, {
      embeds: [{ title, description: escaped(body), url: link }],
      components: [{ type: ROW, components: [{ type: BUTTON, style: LINK, label: act, url: link }] }],
      allowed_mentions: { parse: [] },
    });
  },
  removedBy: [],
  // Unknown webhook, or unknown token of it. Discord shuts out who goes on.
  endedBy: [401, 404, 410],
} as const satisfies Channel<z.output<typeof Input>>;

/** An agent's name is no markup. */
function escaped(text: string): string {
  return text.replace(/[\\`*_~|[\]()<>#@:-]/g, '\\$&');
}
