/** How people get in by a passkey: with one that they have, and with an invitation that makes one. */
import type { Context } from 'koa';
import { z } from 'zod';
import { PresenceOptions, RegistrationOptions } from '../../../../protocol/passkey.ts';
import {
  BeginAcceptance,
  CompleteAcceptance,
  InvitationView,
  ViewInvitation,
} from '../../../operations/people/acceptInvitation.ts';
import { CompleteProgramLogin } from '../../../operations/people/programLogin.ts';
import { CompleteSignIn, SignInWays } from '../../../operations/people/signIn.ts';
import { parseInput } from '../../../usecase/useCase.ts';
import type { Gate } from '../../shell/gate.ts';
import { chargeLink } from '../../shell/requestRecord.ts';
import type { OpenRoute } from '../openRoute.ts';
import { readOpenBody } from '../request.ts';
import { answerJson } from '../respond.ts';
import { deviceOf, giveTokens, tokens } from './loginRoutes.ts';

const SignInOptions = PresenceOptions.pick({ publicKey: true });
const ERRORS = [400, 413, 415, 429, 500, 503];

export function signInRoutes(gate: Gate): readonly OpenRoute[] {
  const read = async <Schema extends z.ZodType>(schema: Schema, context: Context): Promise<z.output<Schema>> => {
    context.set('Cache-Control', 'no-store');
    return parseInput(schema, await readOpenBody(gate, context));
  };
  return [
    {
      method: 'GET',
      path: '/ap2/auth/ways',
      name: 'listWays',
      vouched: true,
      summary: 'Shows how people get in here.',
      answers: {
        200: {
          description: 'The ways.',
          schema: SignInWays,
          example: { passkey: false, provider: false, environment: 'sandbox', welcome: true },
        },
      },
      errors: [429, 500, 503],
      async answer(context) {
        answerJson(context, await gate.core.call('listWays'));
      },
    },
    {
      ...post('/ap2/auth/passkey/begin', 'beginSignIn', z.object({})),
      vouched: true,
      summary: 'Begins to sign in by a passkey: options for the browser, which finds the passkey by itself.',
      answers: { 200: { description: 'Options for navigator.credentials.get().', schema: SignInOptions } },
      async answer(context) {
        await read(z.object({}), context);
        answerJson(context, await gate.core.call('beginSignIn'));
      },
    },
    {
      ...post('/ap2/auth/passkey/complete', 'completeSignIn', CompleteSignIn),
      vouched: true,
      summary: 'Opens a login for the user whose passkey was touched.',
      asks: 'Needs a touch of a user’s passkey, for a challenge that this node made within 5 minutes.',
      answers: { 200: tokens },
      errors: [401, 403, ...ERRORS],
      async answer(context) {
        const input = await read(CompleteSignIn, context);
        giveTokens(gate, context, await gate.core.call('completeSignIn', input, deviceOf(context)), false);
      },
    },
    programRoute(gate, read),
    ...invitationRoutes(gate, read),
  ];
}

/** Reads a body, and has no cache keep the answer. */
type Read = <Schema extends z.ZodType>(schema: Schema, context: Context) => Promise<z.output<Schema>>;

function programRoute(gate: Gate, read: Read): OpenRoute {
  return {
    ...post('/ap2/auth/programs/complete', 'completeProgramLogin', CompleteProgramLogin),
    vouched: true,
    summary: 'Opens a login of its own for a program that its person has allowed; the answer sets the refresh cookie.',
    asks: 'Needs the code of `/ap2/auth/programs/allow` within a minute, and the verifier that its challenge was made of.',
    answers: { 200: tokens },
    errors: [401, 403, ...ERRORS],
    async answer(context) {
      const input = await read(CompleteProgramLogin, context);
      giveTokens(gate, context, await gate.core.call('completeProgramLogin', input, deviceOf(context)), false);
    },
  };
}

function invitationRoutes(gate: Gate, read: Read): readonly OpenRoute[] {
  /** The token is a link's, sent in a body. */
  const readInvited = async <Schema extends z.ZodType<{ readonly token: string }>>(
    schema: Schema,
    context: Context,
  ) => {
    const input = await read(schema, context);
    await chargeLink(gate, context, { kind: 'invitation', secret: input.token });
    return input;
  };
  return [
    {
      ...post('/ap2/auth/invitations/view', 'viewInvitation', ViewInvitation),
      vouched: true,
      summary: 'What an invitation is for. Its token comes in the body, so that no log has it.',
      answers: { 200: { description: 'The invitation.', schema: InvitationView } },
      errors: [404, ...ERRORS],
      async answer(context) {
        answerJson(context, await gate.core.call('viewInvitation', await readInvited(ViewInvitation, context)));
      },
    },
    {
      ...post('/ap2/auth/invitations/begin', 'beginAcceptance', BeginAcceptance),
      vouched: true,
      summary: 'Begins to accept an invitation: options for the browser.',
      answers: { 200: { description: 'Options for navigator.credentials.create().', schema: RegistrationOptions } },
      errors: [404, ...ERRORS],
      async answer(context) {
        answerJson(context, await gate.core.call('beginAcceptance', await readInvited(BeginAcceptance, context)));
      },
    },
    {
      ...post('/ap2/auth/invitations/accept', 'completeAcceptance', CompleteAcceptance),
      vouched: true,
      summary: 'Makes the user and the passkey, and lets them in; the invitation is used up by it.',
      answers: { 200: tokens },
      errors: [403, 404, 409, ...ERRORS],
      async answer(context) {
        const input = await readInvited(CompleteAcceptance, context);
        giveTokens(gate, context, await gate.core.call('completeAcceptance', input, deviceOf(context)), false);
      },
    },
  ];
}

function post(path: string, name: string, body: z.ZodType) {
  return { method: 'POST', path, name, body, errors: ERRORS } as const;
}
