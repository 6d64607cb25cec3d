/** Who a credential stands for: an API key, an access token, or an agent's DID proof, as a gate has read it. */
import { compact } from '../../protocol/wire/compact.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { callerOfStoredKey } from '../access/apiKey.ts';
import type { Caller } from '../access/caller.ts';
import { type CarriedProof, requireFresh } from '../access/didProof.ts';
import type { Bearer, Person } from '../access/loginProvider.ts';
import { permissionsOf, Role } from '../access/role.ts';
import { FIRST_TENANT } from '../domain/access/firstTenant.ts';
import { whomToAsk } from '../domain/access/whomToAsk.ts';
import { loadAgentCaller } from '../domain/agents/loadAgent.ts';
import { findApiKeyByHash } from '../store/statements/callers/apiKeys.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import { findUserOfLogin } from '../store/statements/people/logins.ts';
import { findUserBySubject, type UserRow } from '../store/statements/people/users.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from '../usecase/deps.ts';
import { spendProof } from '../usecase/exchange.ts';

export type RequestCredential =
  /** @see callerOfStoredKey */
  | { readonly kind: 'apiKey'; readonly hash: string }
  /** @see AccessTokens; for MCP one of the identity provider's will do as well, if it is meant for that address. */
  | { readonly kind: 'token'; readonly token: string; readonly resource?: string | undefined }
  /** One whose signature holds. */
  | { readonly kind: 'proof'; readonly proof: CarriedProof }
  /** The DID that signed the message which is sent with it, and nothing else. */
  | { readonly kind: 'signature'; readonly did: string };

/** Uses a proof up. @throws Fault that says what is wrong with this kind of credential */
export async function callerOf(deps: Deps, credential: RequestCredential): Promise<Caller> {
  const caller = await identify(deps, credential);
  if (credential.kind === 'proof') await deps.store.write(caller.tenantId, () => spendProof(credential.proof));
  return caller;
}

/** As `callerOf`, but a proof is not used up: code that acts for the caller calls `callerOf` first. */
export async function identify(deps: Deps, credential: RequestCredential): Promise<Caller> {
  if (credential.kind === 'apiKey') return callerOfKey(deps, credential.hash);
  if (credential.kind === 'token') return callerOfToken(deps, credential.token, credential.resource);
  if (credential.kind === 'proof') requireFresh(credential.proof, deps.clock());
  const { did } = credential.kind === 'proof' ? credential.proof : credential;
  return deps.store.read(() => loadAgentCaller(did, 'UNVERIFIED'));
}

async function callerOfKey(deps: Deps, hash: string): Promise<Caller> {
  const row = await deps.store.read(() => findApiKeyByHash(hash));
  const caller = callerOfStoredKey(row);
  deps.access.keyUse.note(caller.id, deps.clock());
  return caller;
}

/** The person a token was issued to, with the permissions that the person has now. */
async function callerOfToken(deps: Deps, token: string, resource: string | undefined): Promise<Caller> {
  const now = deps.clock();
  if (resource !== undefined && deps.people.login?.hasIssued(token) === true) {
    return callerOfProvider(deps, await deps.people.login.verify(token, deps.settings.baseUrl + resource, now));
  }
  const { sid, tenantId } = await deps.access.tokens.verify(token, now);
  const user = await deps.store.read(() => findUserOfLogin(tenantId, sid, now));
  if (user === undefined) throw new Fault('UNAUTHORIZED', 'This login has ended; log in again.');
  const role = Role.parse(user.role);
  const caller = { id: user.id, kind: 'session' as const, tenantId, userId: user.id, loginId: sid };
  const waiting = role === 'PENDING' ? await deps.store.read(() => whomToAsk(tenantId)) : undefined;
  const touch = user.touched_at === null ? undefined : { at: user.touched_at, credentialId: String(user.touched_with) };
  return { ...caller, permissions: permissionsOf(role), ...compact({ waiting, touch }) };
}

/**
 * The person whom the identity provider's token names: one who has logged in here before. It permits what both their role and
 * its scope do: a client gets no more than the person let it have.
 */
async function callerOfProvider(deps: Deps, person: Bearer): Promise<Caller> {
  const found = await deps.store.read(() => findPerson(person));
  if (found === undefined) {
    throw new Fault('UNAUTHORIZED', 'Nobody here is known by this token; log in once at /ap2/auth/login.');
  }
  const { user } = found;
  const role = Role.parse(user.role);
  return {
    id: user.id,
    kind: 'session',
    tenantId: user.tenant_id,
    userId: user.id,
    permissions: new Set([...permissionsOf(role)].filter((permission) => person.scope.includes(permission))),
    ...(role === 'PENDING' ? { waiting: found.waiting } : {}),
  };
}

type Subject = Pick<Person, 'issuer' | 'subject'>;

function* findPerson({
  issuer,
  subject,
}: Subject): Script<{ readonly user: UserRow; readonly waiting: string } | undefined> {
  const tenantId = yield* findSetting(FIRST_TENANT);
  const user = tenantId === undefined ? undefined : yield* findUserBySubject(tenantId, issuer, subject);
  if (user === undefined || user.removed_at !== null) return undefined;
  return { user, waiting: yield* whomToAsk(user.tenant_id) };
}
