/** The node's address itself: a browser is sent to the console, a program is told where everything is. */
import { z } from 'zod';
import { CARD_PATH } from '../../../protocol/wire/agentCard.ts';
import { answerFixed, fixedText } from '../rest/fixedText.ts';
import type { OpenRoute } from '../rest/openRoute.ts';
import { answerJson } from '../rest/respond.ts';
import type { Gate } from '../shell/gate.ts';
import { readPageFile } from './pageFiles.ts';
import { redirect, sendTo } from './redirect.ts';

/** Where things are, from the node's public address on. */
const PATHS = {
  console: '/console/',
  rest: '/ap2',
  gateway: '/a2a/gateway',
  agentCard: CARD_PATH,
  docs: '/docs',
  openapi: '/openapi.json',
  openrpc: '/openrpc.json',
  health: '/healthz',
} as const;

const Home = z.object({
  name: z.string(),
  version: z.string(),
  environment: z.enum(['sandbox', 'production']),
  did: z.string().describe('The DID that the node signs as.'),
  links: z.record(z.string(), z.string()).describe('Addresses by what is there.'),
});

export function homeRoutes({ settings }: Gate): readonly OpenRoute[] {
  const { baseUrl, version, environment, did, links: more } = settings;
  const links = Object.fromEntries(Object.entries({ ...PATHS, ...more }).map(([what, path]) => [what, baseUrl + path]));
  const home: z.infer<typeof Home> = { name: 'Countersign', version, environment, did, links };
  const mark = fixedText(readPageFile('mark.svg'));
  return [
    {
      method: 'GET',
      path: '/',
      name: 'home',
      summary: 'Names the node, its version and where everything is; sends a browser to the console.',
      answers: {
        200: { description: 'The node.', schema: Home, example: home },
        302: { description: 'A redirect to the console, for a browser that asked for a page.' },
      },
      answer(context) {
        context.vary('Accept');
        if (context.accepts('json', 'html') === 'html') sendTo(context, 'console/');
        else answerJson(context, home);
      },
    },
    redirect('/ap2', 'restHome', 'Sends a browser to the page of the REST operations.', 'docs/api'),
    redirect('/docs/', 'docsHome', 'Sends a browser to the documents.', '../docs'),
    {
      method: 'GET',
      path: '/favicon.ico',
      name: 'favicon',
      summary: 'The mark of the pages, for browsers that ask for it by themselves.',
      answers: { 200: { description: 'The picture.', media: 'image/svg+xml' } },
      answer(context) {
        answerFixed(context, mark, 'image/svg+xml; charset=utf-8');
      },
    },
  ];
}
