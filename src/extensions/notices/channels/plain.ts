/** A plain text by POST, as ntfy takes it. */
import { z } from 'zod';
import { checkedUrl } from '../../../domain/webhooks/changeWebhook.ts';
import type { Channel } from './channel.ts';

const Input = z.object({
  kind: z.literal('plain'),
  url: z.string().min(1).max(2048).describe('Takes a plain text by POST, as an ntfy topic does.'),
  token: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces')
    .max(500)
    .optional()
    .describe('Sent as a bearer token.'),
});

export const plain = {
  kind: 'plain',
  input: Input,
  keep: (deps, { url, token }) => ({ url: checkedUrl(deps, url), token }),
  show: ({ url }) => url,
  compose: ({ settings }, { url, token }, notice) => {
    const link = `${settings.baseUrl}/console/#${notice.path}`;
    return {
      url: new URL(url),
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        title: notice.title,
        click: link,
        ...(notice.until === undefined ? {} : { priority: 'high' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: `${notice.body}\n${link}\n`,
    };
  },
  removedBy: [],
  // Such an answer of another program may be a fault that passes.
  endedBy: [],
} as const satisfies Channel<z.output<typeof Input>>;
