/** Passkeys of users: each manages their own; an OWNER sees and removes those of others. */

import { z } from 'zod';
import { DeviceName, PasskeyMaker, RegistrationCredential, RegistrationOptions } from '../../../protocol/passkey.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { type Caller, requireTouch, TOUCH_SECONDS } from '../../access/caller.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { namedHolder, userBehind } from '../../domain/passkeys/holder.ts';
import { checkMade, keepPasskey, openRegistration } from '../../domain/passkeys/passkeyRegistration.ts';
import { shownMaker } from '../../domain/passkeys/touchPerson.ts';
import { findManagedUser } from '../../domain/people/findManagedUser.ts';
import { loadSelf, requireLogin } from '../../domain/people/loadSelf.ts';
import { findLogin, forgetTouches, noteTouch } from '../../store/statements/people/logins.ts';
import {
  deletePasskey,
  findPasskey,
  type Holder,
  listPasskeysAbout,
  listPasskeysOf,
  type PasskeyRow,
  renamePasskey,
  listPasskeys as selectPasskeys,
} from '../../store/statements/people/passkeys.ts';
import { BY_PASSKEY, findUser, type UserRow } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { byId, listing } from '../../usecase/list/listing.ts';
import { requireStanding } from '../../usecase/standing.ts';
import { inOneCommit, inSteps, useCase } from '../../usecase/useCase.ts';

/** All of them are read for a touch, and named to the browser. Also who waits to be let in may add some. */
const MOST_OF_A_PERSON = 50;

const UserPasskey = z.object({
  id: z.string(),
  name: z.string(),
  credentialId: z.string(),
  synced: z.boolean().describe('Whether the passkey’s provider keeps a copy and may have it on other devices.'),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  agentDid: z
    .string()
    .optional()
    .describe('An agent that the user owns, which it was enrolled for: no user signs in with it.'),
  principalDid: z.string().optional().describe('The user as whose money it is: the same DID.'),
  madeBy: PasskeyMaker.optional(),
});
type UserPasskey = z.infer<typeof UserPasskey>;

function show(row: PasskeyRow): UserPasskey {
  const { agentDid, principalDid } = namedHolder({ kind: row.holder_kind, did: row.holder_did });
  return compact({
    id: row.id,
    name: row.device_name,
    credentialId: row.credential_id,
    synced: row.is_synced === 1,
    createdAt: isoTime(row.created_at),
    lastUsedAt: isoTime(row.last_used_at) ?? null,
    agentDid,
    principalDid,
    madeBy: shownMaker(row.made_by),
  });
}

function holderOf({ did }: UserRow): Holder {
  return { kind: 'user', did };
}

export const listOwnPasskeys = listing({
  summary:
    'Lists the caller’s own passkeys, newest first, and those that links or keys enrolled for agents of theirs, and for them as whose money it is.',
  input: PageRequest,
  item: UserPasskey,
  permission: 'self',
  faults: ['FORBIDDEN'],
  order: byId,
  *select(caller, _input, before, limit) {
    return yield* listPasskeysAbout(caller.tenantId, yield* loadSelf(caller), before, limit);
  },
  show,
});

const BeginOwn = z.object({ name: DeviceName });

export const beginOwnPasskey = useCase({
  summary: 'Begins to add a passkey to the caller: options for the browser.',
  input: BeginOwn,
  output: RegistrationOptions,
  permission: 'self',
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inOneCommit<z.output<typeof BeginOwn>, RegistrationOptions>(function* (
    deps: Pick<Deps, 'newId' | 'newToken' | 'settings' | 'suite'>,
    caller,
    { name },
    { now },
  ) {
    const user = yield* loadSelf(caller);
    yield* requireMayAdd(caller, user, now);
    const { loginId: subjectId } = requireLogin(caller);
    const facts = { tenantId: caller.tenantId, holder: holderOf(user), deviceName: name, subjectId };
    return yield* openRegistration(deps, facts, now);
  }),
});

const CompleteOwn = z.object({ credential: RegistrationCredential });

export const completeOwnPasskey = useCase({
  summary: 'Adds the passkey that the browser made to the caller.',
  input: CompleteOwn,
  output: UserPasskey,
  permission: 'self',
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inSteps<z.output<typeof CompleteOwn>, UserPasskey>(
    async (deps: EventDeps & Pick<Deps, 'operations' | 'store'>, caller, { credential }) => {
      const { tenantId } = caller;
      const { loginId: subjectId } = requireLogin(caller);
      const holder = holderOf(await deps.store.read(() => loadSelf(caller)));
      const made = await checkMade(deps, { tenantId, holder, subjectId }, credential);
      return deps.store.write(tenantId, function* (now) {
        yield* requireStanding(caller, now);
        yield* requireMayAdd(caller, yield* loadSelf(caller), now);
        const row = yield* keepPasskey(deps, { holder, caller }, made, {}, now);
        // A person who makes a passkey touches it.
        yield* noteTouch(tenantId, subjectId, row.credential_id, now);
        return show(row);
      });
    },
  ),
});

/**
 * Who has a passkey touches it before they add another. Who has none must have come by the identity provider just now: a token
 * that was stolen is to get no passkey of its own. A login by a passkey proves nothing here: that passkey was removed since,
 * perhaps because another person has it.
 */
function* requireMayAdd(caller: Caller, user: UserRow, now: number): Script<void> {
  const passkeys = yield* listPasskeysOf(caller.tenantId, holderOf(user));
  if (passkeys.length >= MOST_OF_A_PERSON) {
    throw new Fault('CONFLICT', `You have ${MOST_OF_A_PERSON} passkeys, and nobody has more; remove one first.`);
  }
  if (passkeys.length > 0) return requireTouch(caller, now);
  const login = yield* findLogin(caller.tenantId, requireLogin(caller).loginId);
  if (login?.way === 'passkey') {
    throw new Fault(
      'STEP_UP_REQUIRED',
      'The passkey of this login was removed, and you have no other one; ask an OWNER for an invitation, or log in at /ap2/auth/login.',
    );
  }
  if (login !== undefined && login.created_at + TOUCH_SECONDS * 1000 > now) return;
  throw new Fault(
    'STEP_UP_REQUIRED',
    `Your first passkey takes a login that is not older than ${TOUCH_SECONDS / 60} minutes; log in again at /ap2/auth/login.`,
  );
}

const RenameOwn = z.object({ id: z.string(), name: DeviceName });

export const renameOwnPasskey = useCase({
  summary: 'Calls one of the caller’s own passkeys something else.',
  input: RenameOwn,
  output: UserPasskey,
  permission: 'self',
  faults: ['FORBIDDEN', 'NOT_FOUND'],
  run: inOneCommit<z.output<typeof RenameOwn>, UserPasskey>(function* (_deps, caller, { id, name }) {
    const row = yield* loadPasskey(yield* loadSelf(caller), id);
    yield* renamePasskey(caller.tenantId, id, name);
    return show({ ...row, device_name: name });
  }),
});

const RemoveOwn = z.object({ id: z.string() });

export const removeOwnPasskey = useCase({
  summary: 'Removes one of the caller’s own passkeys; from then on nothing is signed in or approved with it.',
  input: RemoveOwn,
  output: z.undefined(),
  permission: 'self',
  stepUp: true,
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof RemoveOwn>, undefined>(function* (deps, caller, { id }, { now }) {
    const user = yield* loadSelf(caller);
    const about = yield* findAbout(user, id);
    if (about !== undefined) {
      yield* deletePasskey(caller.tenantId, about.id);
      yield* recordRemoved(deps, caller, about, now);
      return undefined;
    }
    const row = yield* loadPasskey(user, id);
    const others = (yield* listPasskeysOf(caller.tenantId, holderOf(user))).length - 1;
    if (others === 0 && user.issuer === BY_PASSKEY) {
      throw new Fault('CONFLICT', 'This is your last passkey, and nothing else lets you in; add another one first.');
    }
    yield* dropPasskey(deps, caller, { user, row }, now);
    return undefined;
  }),
});

const OfUser = PageRequest.extend({ id: z.string() });

export const listUserPasskeys = listing({
  summary: 'Lists the passkeys of a user, newest first.',
  input: OfUser,
  item: UserPasskey,
  permission: 'admin',
  faults: ['NOT_FOUND'],
  order: byId,
  *select({ tenantId }, { id }, before, limit) {
    const user = yield* findUser(tenantId, id);
    if (user === undefined) throw new Fault('NOT_FOUND', `There is no user ${id}.`);
    return yield* selectPasskeys(tenantId, holderOf(user), before, limit);
  },
  show,
});

const RemoveOfUser = z.object({ id: z.string(), passkeyId: z.string() });

export const removeUserPasskey = useCase({
  summary: 'Removes a passkey of a user, as an OWNER who has logged in; an invitation gives them another one.',
  input: RemoveOfUser,
  output: z.undefined(),
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof RemoveOfUser>, undefined>(function* (deps, caller, input, { now }) {
    const user = yield* findManagedUser(caller, input.id);
    // No person locks themselves out by this way, which does not look whether it is the last one.
    if (user.id === caller.userId) throw new Fault('CONFLICT', 'Your own are removed at /ap2/auth/passkeys/:id.');
    yield* dropPasskey(deps, caller, { user, row: yield* loadPasskey(user, input.passkeyId) }, now);
    return undefined;
  }),
});

function* loadPasskey(user: UserRow, id: string): Script<PasskeyRow> {
  const row = yield* findPasskey(user.tenant_id, id);
  if (row?.holder_kind === 'user' && row.holder_did === user.did) return row;
  throw new Fault('NOT_FOUND', `There is no passkey ${id} of this user.`);
}

function* dropPasskey(
  deps: EventDeps,
  caller: Caller,
  { user, row }: { readonly user: UserRow; readonly row: PasskeyRow },
  now: number,
): Script<void> {
  yield* deletePasskey(caller.tenantId, row.id);
  // What it touched before vouches for no person any more.
  yield* forgetTouches(caller.tenantId, user.id, row.credential_id);
  yield* recordRemoved(deps, caller, row, now);
}

/** A passkey that was enrolled for an agent or a principal of the user. */
function* findAbout(user: UserRow, id: string): Script<PasskeyRow | undefined> {
  const row = yield* findPasskey(user.tenant_id, id);
  if (row === undefined || row.holder_kind === 'user') return undefined;
  const concerned = yield* userBehind(user.tenant_id, { kind: row.holder_kind, did: row.holder_did });
  return concerned?.id === user.id ? row : undefined;
}

function* recordRemoved(deps: EventDeps, caller: Caller, row: PasskeyRow, now: number): Script<void> {
  const holder = namedHolder({ kind: row.holder_kind, did: row.holder_did });
  const data = { ...holder, passkeyId: row.id, credentialId: row.credential_id, deviceName: row.device_name };
  yield* recordAdminEvent(deps, caller, 'HP_REMOVED', data, now);
}
