/** The pages on which a person approves a purchase or enrolls a passkey, and the requests that these pages make. */
import type { Context } from 'koa';
import { z } from 'zod';
import { ApprovalAnswer, ApprovalView, DenyByLink, FollowApproval } from '../../../protocol/approval.ts';
import {
  CompletePresence,
  DeviceName,
  EnrollmentView,
  Passkey,
  PresenceOptions,
  RegistrationCredential,
  RegistrationOptions,
} from '../../../protocol/passkey.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { PersonalLink } from '../../core/takeLink.ts';
import { membersOf, parseInput } from '../../usecase/useCase.ts';
import type { OpenRoute } from '../rest/openRoute.ts';
import { readOpenBody, readQuery } from '../rest/request.ts';
import { answerJson } from '../rest/respond.ts';
import type { Gate } from '../shell/gate.ts';
import { escaped } from './escaped.ts';
import { readPageFile } from './pageFiles.ts';
import { PAGE_POLICY } from './pagePolicy.ts';

/** The file of a page, its title, and what it runs scripts for. */
interface Page {
  readonly name: string;
  readonly title: string;
  readonly use: string;
}

const APPROVAL_PAGE: Page = { name: 'approve', title: 'Approve a purchase', use: 'to use your passkey' };
const ENROLLMENT_PAGE: Page = { name: 'enroll', title: 'Enroll a passkey', use: 'to make a passkey' };

const BeginDecision = z.object({ decision: ApprovalAnswer.describe('What the touch is going to mean.') });
const BeginEnrollment = z.object({ deviceName: DeviceName });
const CompleteEnrollment = z.object({ credential: RegistrationCredential });

export function personRoutes(gate: Gate): readonly OpenRoute[] {
  return [...approvalRoutes(gate), ...enrollmentRoutes(gate)];
}

function approvalRoutes(gate: Gate): readonly OpenRoute[] {
  const id = (context: Context) => param(context, 'id');
  const link = (context: Context): PersonalLink => ({ kind: 'approval', secret: id(context) });
  const routes: readonly OpenRoute[] = [
    page(gate, '/approve/:id', 'approvalPage', APPROVAL_PAGE, (context) =>
      gate.core.call('followApproval', id(context), { wait: 0 }),
    ),
    {
      ...data('GET', '/approve/:id/purchase', ApprovalView),
      name: 'viewPurchase',
      summary:
        'The purchase that a person is asked to approve, at once or when it changes; the link is enough to see it.',
      query: { wait: 'Seconds to wait, at most 30, for something of it to change.' },
      errors: [400, 404, 429, 500, 503],
      async answer(context) {
        const input = parseInput(FollowApproval, readQuery(context, membersOf(FollowApproval)));
        answerJson(context, await gate.core.call('followApproval', id(context), input));
      },
    },
    {
      ...data('POST', '/approve/:id/begin', PresenceOptions, BeginDecision),
      name: 'beginDecision',
      summary: 'Begins the assertion that approves or denies: options for the browser.',
      async answer(context) {
        const { decision } = parseInput(BeginDecision, await readOpenBody(gate, context));
        answerJson(context, await gate.core.call('beginDecision', id(context), decision));
      },
    },
    {
      ...data('POST', '/approve/:id/complete', ApprovalView, CompletePresence),
      name: 'completeDecision',
      summary:
        'Approves or denies by an assertion of a passkey that is enrolled for whose money it is, or for the agent.',
      async answer(context) {
        const input = parseInput(CompletePresence, await readOpenBody(gate, context));
        answerJson(context, await gate.core.call('completeDecision', id(context), input));
      },
    },
    {
      ...data('POST', '/approve/:id/deny', ApprovalView, DenyByLink),
      name: 'denyByLink',
      summary: 'Denies without a passkey, where the policy lets a holder of the link do so (context.deny_by_link).',
      errors: [400, 403, 404, 409, 413, 415, 429, 500, 503],
      async answer(context) {
        parseInput(DenyByLink, await readOpenBody(gate, context));
        answerJson(context, await gate.core.call('denyByLink', id(context)));
      },
    },
  ];
  return routes.map((route) => ({ ...route, link }));
}

function enrollmentRoutes(gate: Gate): readonly OpenRoute[] {
  const token = (context: Context) => param(context, 'token');
  const link = (context: Context): PersonalLink => ({ kind: 'enrollment', secret: token(context) });
  const routes: readonly OpenRoute[] = [
    page(gate, '/enroll/:token', 'enrollmentPage', ENROLLMENT_PAGE, (context) =>
      gate.core.call('viewEnrollment', token(context)),
    ),
    {
      ...data('GET', '/enroll/:token/link', EnrollmentView),
      name: 'viewEnrollment',
      summary: 'What an enrollment link is for.',
      answer: async (context) => answerJson(context, await gate.core.call('viewEnrollment', token(context))),
    },
    {
      ...data('POST', '/enroll/:token/begin', RegistrationOptions, BeginEnrollment),
      name: 'beginEnrollment',
      summary: 'Begins to enroll a passkey by a link: options for the browser.',
      async answer(context) {
        const { deviceName } = parseInput(BeginEnrollment, await readOpenBody(gate, context));
        answerJson(context, await gate.core.call('beginEnrollment', token(context), deviceName));
      },
    },
    {
      ...data('POST', '/enroll/:token/complete', Passkey, CompleteEnrollment),
      name: 'completeEnrollment',
      summary: 'Enrolls the passkey that the browser made; the link is used up by it.',
      async answer(context) {
        const { credential } = parseInput(CompleteEnrollment, await readOpenBody(gate, context));
        answerJson(context, await gate.core.call('completeEnrollment', token(context), credential));
      },
    },
  ];
  return routes.map((route) => ({ ...route, link }));
}

/** @param exists throws NOT_FOUND when there is nothing behind the link; the page then says so */
function page(
  gate: Gate,
  path: string,
  name: string,
  shown: Page,
  exists: (context: Context) => Promise<unknown>,
): OpenRoute {
  const html = inEnvironment(framed(shown, path), gate);
  return {
    method: 'GET',
    path,
    name,
    summary: 'A page for a person.',
    answers: {
      200: { description: 'The page.', media: 'text/html' },
      404: { description: 'The page, which says that the link leads nowhere.', media: 'text/html' },
    },
    errors: [429, 500, 503],
    async answer(context) {
      const found = await exists(context).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Fault && error.code === 'NOT_FOUND') return false;
          throw error;
        },
      );
      context.set('Content-Security-Policy', PAGE_POLICY);
      context.status = found ? 200 : 404;
      context.type = 'text/html; charset=utf-8';
      context.body = html;
    },
  };
}

/** The page in the frame that all of them share. Its links are relative, since the node may be at home under a path. */
function framed({ name, title, use }: Page, path: string): string {
  const up = '../'.repeat(path.split('/').length - 2);
  return readPageFile('frame.html')
    .replaceAll('{{page}}', name)
    .replaceAll('{{title}}', title)
    .replaceAll('{{use}}', use)
    .replaceAll('{{up}}', up)
    .replace('{{main}}', () => readPageFile(`${name}.html`));
}

/** A page with what it says of its node: where it is at home, and whether money moves. */
function inEnvironment(html: string, { settings: { baseUrl, environment } }: Gate): string {
  const sandbox =
    environment === 'sandbox'
      ? '<strong class="sandbox">Sandbox<span class="unseen">: no money moves</span></strong>'
      : '';
  return html
    .replaceAll('{{home}}', escaped(baseUrl))
    .replaceAll('{{node}}', escaped(new URL(baseUrl).host))
    .replaceAll('{{sandbox}}', sandbox);
}

/** A request that a page makes. */
function data(method: OpenRoute['method'], path: string, schema: z.ZodType, body?: z.ZodType) {
  return {
    method,
    path,
    answers: { 200: { description: 'The answer.', schema } },
    ...(body === undefined
      ? { errors: [404, 429, 500, 503] }
      : { body, errors: [400, 404, 409, 413, 415, 429, 500, 503] }),
  };
}

function param(context: Context, name: string): string {
  return String((context.params as Record<string, string | undefined>)[name]);
}
