/** Microsoft Teams: a workflow that posts what its webhook receives, which is an adaptive card. */
import { z } from 'zod';
import { type Channel, jsonRequest } from './channel.ts';
import { keptWebhook, shortened } from './serviceAddress.ts';

const SERVICE = {
  name: 'the Workflows of Microsoft Teams',
  hosts: [
    '.logic.azure.com',
    '.api.powerplatform.com',
    '.logic.azure.us',
    '.api.gov.powerplatform.microsoft.us',
    '.api.high.powerplatform.microsoft.us',
  ],
  path: /\/workflows\/./,
  example: 'https://….api.powerplatform.com/…/workflows/…',
};

const Input = z.object({
  kind: z.literal('teams'),
  url: z
    .string()
    .min(1)
    .max(2048)
    .describe('Of a workflow that posts what its webhook receives. It is a secret, and shown no more.'),
});

export const teams = {
  kind: 'teams',
  input: Input,
  keep: (deps, { url }) => keptWebhook(deps, url, SERVICE),
  show: ({ url, address }) => shortened(url, address),
  compose: (_deps, { address }, { title, body, link, act }) =>
    jsonRequest(address as string, {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: title, size: 'Medium', weight: 'Bolder', wrap: true },
              // Unlike a TextBlock it takes no markup, which an agent's name could have.
              ...body
                .split('\n')
                .filter((line) => line !== '')
                .map((line) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: line }] })),
            ],
            actions: [{ type: 'Action.OpenUrl', title: act, url: link }],
          },
        },
      ],
    }),
  removedBy: [],
  endedBy: [401, 403, 404, 410],
} as const satisfies Channel<z.output<typeof Input>>;
