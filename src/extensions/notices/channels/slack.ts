/** Slack: an incoming webhook, which takes a message of Block Kit. */
import { z } from 'zod';
import { type Channel, jsonRequest } from './channel.ts';
import { keptWebhook, shortened } from './serviceAddress.ts';

const SERVICE = {
  name: 'Slack',
  hosts: ['hooks.slack.com', 'hooks.slack-gov.com'],
  path: /^\/services\/./,
  example: 'https://hooks.slack.com/services/T…/B…/…',
};

const Input = z.object({
  kind: z.literal('slack'),
  url: z.string().min(1).max(2048).describe('Of an incoming webhook of Slack. It is a secret, and shown no more.'),
});

export const slack = {
  kind: 'slack',
  input: Input,
  keep: (deps, { url }) => keptWebhook(deps, url, SERVICE),
  show: ({ url, address }) => shortened(url, address),
  compose: (_deps, { address }, { title, body, link, act }) =>
    jsonRequest(address as string, {
      // What Slack's own notifications show. Unlike plain_text it is parsed, so that three characters are escaped.
      text: escaped(`${title}: ${body}`),
      blocks: [
        { type: 'header', text: plainText(title) },
        { type: 'section', text: plainText(body) },
        { type: 'actions', elements: [{ type: 'button', text: plainText(act), url: link, style: 'primary' }] },
      ],
      unfurl_links: false,
      unfurl_media: false,
    }),
  removedBy: [],
  // invalid_token, action_prohibited; no_service, channel_not_found; channel_is_archived.
  endedBy: [403, 404, 410],
} as const satisfies Channel<z.output<typeof Input>>;

function plainText(text: string) {
  return { type: 'plain_text', text, emoji: false };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
