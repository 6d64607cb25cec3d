/** Logins: a person who signed in, by a passkey or at the identity provider, gets one, extended by rotating refresh tokens. */

import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { type Caller, TOUCH_SECONDS } from '../../access/caller.ts';
import type { Person } from '../../access/loginProvider.ts';
import { Role } from '../../access/role.ts';
import { findSetting } from '../../store/statements/node/settings.ts';
import {
  endLogin,
  findLogin,
  findRefreshToken,
  findUserOfLogin,
  insertLogin,
  insertRefreshToken,
  type LoginRow,
  markRefreshTokenUsed,
  noteTouch,
  noteUse,
  type RefreshTokenRow,
} from '../../store/statements/people/logins.ts';
import {
  countUsers,
  findUserBySubject,
  insertUser,
  recordLogin,
  setRole,
  type UserRow,
} from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { nodeCaller } from '../../usecase/nodeCaller.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';
import { FIRST_TENANT } from './firstTenant.ts';
import { CurrentUser, showPerson } from './showPerson.ts';
import { whomToAsk } from './whomToAsk.ts';

/** The longest a login lasts, however often it is extended. */
const LOGIN_SECONDS = 7 * 24 * 3600;
/** A login that is not extended for this long ends. */
export const REFRESH_SECONDS = 24 * 3600;

export const Tokens = z.object({
  accessToken: z.string(),
  expiresAt: z.int().describe('Milliseconds since the epoch, of the access token.'),
  refreshToken: z.string(),
  user: CurrentUser.describe('Who they are of, so that a page need not ask.'),
});
export type Tokens = z.output<typeof Tokens>;

/** A login that was opened or extended, for which tokens can be made (tokensOf). */
export interface OpenLogin {
  readonly user: UserRow;
  readonly login: Pick<LoginRow, 'id' | 'tenant_id' | 'expires_at' | 'touched_at'>;
  readonly refreshToken: string;
}

/** How a person signed in. */
interface SignIn {
  readonly way: NonNullable<LoginRow['way']>;
  /** What the browser says that it is. */
  readonly device: string | undefined;
  /** The passkey that was touched (credential id, base64url). */
  readonly touchedWith?: string;
}

/** Opens a login for a person. The first login makes them a user of the first tenant. */
export async function openLogin(deps: Deps, person: Person, device?: string): Promise<Tokens> {
  const tenantId = await tenantOfPeople(deps);
  // Returned, not thrown: a throw would roll back the record of the refusal.
  const standing = await deps.store.write(tenantId, function* (now): Script<OpenLogin | Fault> {
    const user = yield* findOrAddUser(deps, tenantId, person, now);
    return yield* letIn(deps, user, { way: 'provider', device }, now);
  });
  if (standing instanceof Fault) throw standing;
  return tokensOf(deps, standing);
}

/** The tenant that people belong to. */
export async function tenantOfPeople(deps: Pick<Deps, 'store'>): Promise<string> {
  const tenantId = await deps.store.read(() => findSetting(FIRST_TENANT));
  if (tenantId === undefined) throw new Error('The node was not bootstrapped.');
  return tenantId;
}

/**
 * Opens a login for a user who proved who they are.
 * @returns a fault instead of throwing it: a throw would roll back the record of the refusal
 */
export function* letIn(
  deps: EventDeps & Pick<Deps, 'hashToken' | 'newToken'>,
  user: UserRow,
  signIn: SignIn,
  now: number,
): Script<OpenLogin | Fault> {
  const { id: userId, tenant_id: tenantId } = user;
  const caller = personAsCaller(user);
  if (user.removed_at !== null) {
    yield* recordAdminEvent(deps, caller, 'LOGIN_REFUSED', { userId, reason: 'removed' }, now);
    return new Fault('FORBIDDEN', `You were removed. ${yield* whomToAsk(tenantId)}`);
  }
  const { way, touchedWith } = signIn;
  const device = deviceNamed(signIn.device);
  const expires_at = now + LOGIN_SECONDS * 1000;
  const login = { id: deps.newId('login_'), tenant_id: tenantId, user_id: userId, created_at: now, expires_at };
  yield* insertLogin({ ...login, way, device });
  if (touchedWith !== undefined) yield* noteTouch(tenantId, login.id, touchedWith, now);
  const data = compact({ userId, loginId: login.id, role: user.role, way, credentialId: touchedWith });
  yield* recordAdminEvent(deps, caller, 'LOGIN_OPENED', data, now);
  const touched = { ...login, touched_at: touchedWith === undefined ? null : now };
  return { user, login: touched, refreshToken: yield* addRefreshToken(deps, touched, now) };
}

/** What a browser says of itself is shown to its person, and is as long as it likes. */
function deviceNamed(device: string | undefined): string | null {
  return device === undefined ? null : inertText(device).slice(0, 200) || null;
}

export function personAsCaller(user: UserRow): Caller {
  return { id: user.id, kind: 'session', tenantId: user.tenant_id, permissions: new Set(), userId: user.id };
}

/**
 * Exchanges a refresh token for new tokens. A token that is used twice was stolen, so the login ends for both holders
 * (RFC 9700 section 4.14.2).
 * @param onKnown told whose login it is, before anything is done
 * @throws Fault TOKEN_EXPIRED, or UNAUTHORIZED for a token unknown or used before or of a login that ended, and what onKnown throws
 */
export async function refreshLogin(
  deps: EventDeps & Pick<Deps, 'access' | 'clock' | 'hashToken' | 'newToken' | 'store'>,
  token: string,
  device: string | undefined,
  onKnown: (caller: Caller) => void,
): Promise<Tokens> {
  const hash = deps.hashToken(token);
  const { known, user: person } = await deps.store.read(function* (now) {
    const known = yield* findRefreshToken(hash);
    const isGood = known !== undefined && known.used_at === null;
    return { known, user: isGood ? yield* findUserOfLogin(known.tenant_id, known.login_id, now) : undefined };
  });
  if (known === undefined) throw new Fault('UNAUTHORIZED', 'This refresh token is not known; log in again.');
  if (person !== undefined) onKnown(personAsCaller(person));
  // Returned, not thrown: a throw would roll back the end of the login.
  const standing = await deps.store.write(known.tenant_id, (now) => rotate(deps, known, device, now));
  if (standing instanceof Fault) throw standing;
  return tokensOf(deps, standing);
}

function* rotate(
  deps: EventDeps & Pick<Deps, 'hashToken' | 'newToken'>,
  token: RefreshTokenRow,
  device: string | undefined,
  now: number,
): Script<OpenLogin | Fault> {
  const { tenant_id: tenantId, login_id: loginId } = token;
  if (!(yield* markRefreshTokenUsed(token.hash, now))) {
    yield* endStolen(deps, tenantId, loginId, now);
    return new Fault('UNAUTHORIZED', 'This refresh token was used before, so its login was ended; log in again.');
  }
  if (token.expires_at <= now) return new Fault('TOKEN_EXPIRED', 'This refresh token has expired; log in again.');
  const user = yield* findUserOfLogin(tenantId, loginId, now);
  const login = yield* findLogin(tenantId, loginId);
  if (user === undefined || login === undefined)
    return new Fault('UNAUTHORIZED', 'This login has ended; log in again.');
  yield* noteUse(tenantId, loginId, deviceNamed(device), now);
  return { user, login, refreshToken: yield* addRefreshToken(deps, login, now) };
}

/** The operator of the node reads of it, since one of the two who had the token is not the person. */
function* endStolen(deps: EventDeps, tenantId: string, loginId: string, now: number): Script<void> {
  const login = yield* findLogin(tenantId, loginId);
  if (login === undefined || (yield* endLogin(tenantId, loginId, now)) === 0) return;
  const data = { loginId, userId: login.user_id, reason: 'cookie used twice' };
  yield* recordAdminEvent(deps, nodeCaller(deps, tenantId), 'LOGIN_ENDED', data, now);
}

function* findOrAddUser(
  deps: EventDeps & Pick<Deps, 'people'>,
  tenantId: string,
  person: Person,
  now: number,
): Script<UserRow> {
  const known = yield* findUserBySubject(tenantId, person.issuer, person.subject);
  if (known !== undefined) {
    yield* recordLogin(tenantId, known.id, person.email, now);
    const user = { ...known, email: person.email, last_login_at: now };
    const role = admittedAs(deps.settings, person);
    // Whom the settings name is let in, or made OWNER; a person who has a role that an OWNER gave keeps it.
    const raised = user.role === 'PENDING' ? role : role === 'OWNER' ? role : user.role;
    if (raised === user.role || user.removed_at !== null) return user;
    yield* setRole(tenantId, user.id, raised);
    const data = { userId: user.id, role: raised, formerRole: user.role };
    yield* recordAdminEvent(deps, nodeCaller(deps, tenantId), 'USER_ROLE_CHANGED', data, now);
    return { ...user, role: raised };
  }
  const id = deps.newId('usr_');
  const user: UserRow = {
    id,
    tenant_id: tenantId,
    issuer: person.issuer,
    subject: person.subject,
    did: deps.people.didOf(id),
    email: person.email,
    role: yield* firstRole(deps, tenantId, person),
    created_at: now,
    last_login_at: now,
    removed_at: null,
    name: null,
  };
  yield* insertUser(user);
  const data = { userId: id, role: user.role };
  yield* recordAdminEvent(deps, nodeCaller(deps, tenantId), 'USER_ADDED', data, now);
  return user;
}

/** In the sandbox the first person is OWNER, and each later one VIEWER. */
function* firstRole(deps: Pick<Deps, 'settings'>, tenantId: string, person: Person): Script<Role> {
  if (deps.settings.environment === 'production') return admittedAs(deps.settings, person);
  return (yield* countUsers(tenantId)) === 0 ? 'OWNER' : 'VIEWER';
}

/** The role that the settings of a production node give: an account at the provider alone opens nothing. */
function admittedAs({ environment, people }: Deps['settings'], { email, emailVerified }: Person): Role {
  if (environment !== 'production' || email === null || !emailVerified) return 'PENDING';
  // Of ASCII alone: other letters, such as the sign of Kelvin, would become those of another person's address.
  const address = email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (address === people.ownerEmail) return 'OWNER';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return people.allowedEmails.includes(address) || people.allowedDomains.includes(domain) ? 'VIEWER' : 'PENDING';
}

function* addRefreshToken(
  deps: Pick<Deps, 'hashToken' | 'newToken'>,
  login: OpenLogin['login'],
  now: number,
): Script<string> {
  const token = deps.newToken('rt_');
  yield* insertRefreshToken({
    hash: deps.hashToken(token),
    tenant_id: login.tenant_id,
    login_id: login.id,
    expires_at: Math.min(now + REFRESH_SECONDS * 1000, login.expires_at),
  });
  return token;
}

export async function tokensOf(
  deps: Pick<Deps, 'access' | 'clock' | 'newId'>,
  { user, login, refreshToken }: OpenLogin,
): Promise<Tokens> {
  const claims = {
    sub: user.id,
    jti: deps.newId('at_'),
    sid: login.id,
    tenantId: user.tenant_id,
    role: Role.parse(user.role),
    did: user.did,
    email: user.email,
  };
  const touchEnds = login.touched_at === null ? 0 : login.touched_at + TOUCH_SECONDS * 1000;
  const shown = showPerson(user, { loginId: login.id, touchEnds });
  return { ...(await deps.access.tokens.issue(claims, deps.clock(), login.expires_at)), refreshToken, user: shown };
}
