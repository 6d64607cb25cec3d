/** Whose places for notifications a caller sees and changes. */
import { z } from 'zod';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Caller } from '../../../access/caller.ts';
import { requireOwner } from '../../../domain/people/requireOwner.ts';
import { findUser } from '../../../store/statements/people/users.ts';
import { findPlace, type WebhookRow } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../../store/store.ts';

export const OfUser = {
  userId: z
    .string()
    .max(100)
    .optional()
    .describe('The user whose places they are, named by an OWNER or a key that the node itself made; else the caller.'),
};

/**
 * The user whose places they are: the person who has logged in, or another one whom an OWNER names. Any other key that named a
 * person could silence what warns them of it.
 * @throws Fault FORBIDDEN, NOT_FOUND
 */
export function* placeOwner(caller: Caller, named: string | undefined): Script<string> {
  const self = caller.loginId === undefined ? undefined : caller.userId;
  if (named === undefined || named === self) {
    if (self !== undefined) return self;
    const remedy = 'log in, or name a user with the key that the node itself made';
    throw new Fault('FORBIDDEN', `Notifications are for people, and this caller is none: ${remedy}.`);
  }
  yield* requireOwner(caller, 'decides where the notifications of another user go');
  const user = yield* findUser(caller.tenantId, named);
  if (user === undefined || user.removed_at !== null) throw new Fault('NOT_FOUND', `There is no user ${named}.`);
  return named;
}

/** @throws Fault FORBIDDEN, NOT_FOUND */
export function* loadPlace(caller: Caller, named: string | undefined, id: string): Script<WebhookRow> {
  const row = yield* findPlace(caller.tenantId, yield* placeOwner(caller, named), id);
  if (row === undefined) throw new Fault('NOT_FOUND', `There is no place ${id} for notifications.`);
  return row;
}
