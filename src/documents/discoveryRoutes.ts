/** What programs and models find a node by: its JSON-LD contexts, and llms.txt. */
import { z } from 'zod';
import {
  ENROLMENTS_CONTEXT,
  ENROLMENTS_CONTEXT_PATH,
  FIRST_ENROLMENTS_CONTEXT,
  FIRST_ENROLMENTS_CONTEXT_PATH,
} from '../../protocol/approvals/passkeyEnrolment.ts';
import { MANDATES_CONTEXT, MANDATES_CONTEXT_PATH } from '../../protocol/credential/mandatesContext.ts';
import type { OpenRoute } from '../gates/rest/openRoute.ts';
import { everyOrigin } from '../gates/rest/respond.ts';

/** @param guides of extensions: a line of llms.txt each, which says how a model connects by it */
export function discoveryRoutes(baseUrl: string, guides: readonly string[]): readonly OpenRoute[] {
  const contexts = [
    contextRoute('mandates', MANDATES_CONTEXT_PATH, MANDATES_CONTEXT),
    contextRoute('enrolments', ENROLMENTS_CONTEXT_PATH, ENROLMENTS_CONTEXT),
    contextRoute('firstEnrolments', FIRST_ENROLMENTS_CONTEXT_PATH, FIRST_ENROLMENTS_CONTEXT),
  ];
  return [...contexts, llms(baseUrl, guides)];
}

const Context = z.looseObject({ '@context': z.looseObject({}) });

const WORDS = { mandates: 'mandates', enrolments: 'enrolments', firstEnrolments: 'the first enrolments' } as const;

/** Verifiers of signatures load no context; it is for processors of JSON-LD. @param what its terms are of */
function contextRoute(
  what: 'mandates' | 'enrolments' | 'firstEnrolments',
  path: string,
  document: z.infer<typeof Context>,
): OpenRoute {
  return {
    method: 'GET',
    path,
    name: `${what}Context`,
    summary: `Says what the members of ${WORDS[what]} mean (JSON-LD 1.1). It never changes.`,
    answers: {
      200: { description: 'The context.', media: 'application/ld+json', schema: Context, example: document },
    },
    answer(context) {
      everyOrigin(context);
      context.set('Cache-Control', 'public, max-age=31536000, immutable');
      context.body = JSON.stringify(document);
      context.type = 'application/ld+json';
    },
  };
}

/** https://llmstxt.org: what a model that reads this node's address needs to know of it. */
function llms(baseUrl: string, guides: readonly string[]): OpenRoute {
  const text = `# Countersign

> The payment authorization node for AI agents. Ask it before you spend a person's money: it checks the request against their
> policy, asks them for a passkey touch where the policy says so, pays, and can prove every step.

A purchase goes: ask for an intent (permission to spend up to an amount), have the merchant's signed cart checked, pay. A refusal
has \`allowed: false\`, reason codes and a sentence for each: tell the person, and do not look for a way around it.

## Connect

${guides.map((guide) => `${guide}\n`).join('')}- [REST](${baseUrl}/openapi.json): the same as OpenAPI 3.1, shown at [/docs/api](${baseUrl}/docs/api).
- [Signed messages](${baseUrl}/openrpc.json): for agents that sign each message by their DID, as OpenRPC describes it.

## Reference

- [Errors and reasons](${baseUrl}/docs/errors.md): every code with its cause and remedy.
- [Policies](${baseUrl}/docs/policies.md), [limits](${baseUrl}/docs/limits.md), [webhooks](${baseUrl}/docs/webhooks.md),
  [an agent that buys](${baseUrl}/docs/tutorial-agent.md). Each page of [/docs](${baseUrl}/docs) is Markdown at its address with \`.md\`;
  [all of them](${baseUrl}/llms-full.txt) are one text.
`;
  return {
    method: 'GET',
    path: '/llms.txt',
    name: 'llms',
    summary: 'Tells a language model what this node is for and how to use it.',
    answers: { 200: { description: 'Markdown.', media: 'text/plain' } },
    answer(context) {
      context.type = 'text/plain; charset=utf-8';
      context.body = text;
    },
  };
}
