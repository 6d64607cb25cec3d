/** Authenticates a caller of the facade: an API key, an access token, or an agent's DID proof. */

import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { Did } from '../../protocol/credential/did.ts';
import { compact } from '../../protocol/wire/compact.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { callerOfApiKey } from '../access/apiKey.ts';
import type { Caller } from '../access/caller.ts';
import { verifyDidProof } from '../access/didProof.ts';
import { permissionsOf, Role } from '../access/role.ts';
import { loadAgentCaller } from '../handlers/access/agentCaller.ts';
import { whomToAsk } from '../handlers/access/whomToAsk.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { spendProof } from '../handlers/core/exchange.ts';
import { findApiKeyByHash } from '../store/statements/callers/apiKeys.ts';
import { findUserOfLogin } from '../store/statements/people/logins.ts';

/** @throws Fault UNAUTHORIZED without a credential, and what each kind of credential throws when it fails */
export async function authenticate(deps: Deps, context: Context, body: Buffer): Promise<Caller> {
  const { authorization } = context.headers;
  const proof = context.headers['x-did-proof'];
  if (authorization !== undefined && proof !== undefined) {
    throw new Fault('BAD_REQUEST', 'Send one credential: Authorization or X-DID-Proof.');
  }
  if (proof !== undefined) return authenticateAgent(deps, context, String(proof), body);
  if (authorization === undefined) {
    throw new Fault('UNAUTHORIZED', 'Send a credential: "Authorization: Bearer <API key or token>", or X-DID-Proof.');
  }
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer === undefined)
    throw new Fault('INVALID_API_KEY', 'The header must read "Authorization: Bearer <API key>".');
  return !bearer.startsWith('ak_') && JWT.test(bearer) ? callerOfToken(deps, bearer) : callerOfKey(deps, bearer);
}

/** A bearer of any other form is treated as an API key. */
const JWT = /^[^.]*\.[^.]*\.[^.]*$/;

async function callerOfKey(deps: Deps, bearer: string): Promise<Caller> {
  const caller = await callerOfApiKey(bearer, deps.settings.environment, async (key) => {
    const row = await deps.store.read(() => findApiKeyByHash(deps.hashToken(key)));
    if (row === undefined) return undefined;
    const { id, permissions, ceiling, tier, agents } = row;
    return { id, tenantId: row.tenant_id, permissions, ceiling, tier, agents, revoked: row.revoked_at !== null };
  });
  deps.keyUse.note(caller.id, deps.clock());
  return caller;
}

/** The person a token was issued to, with the permissions that the person has now. */
async function callerOfToken(deps: Deps, token: string): Promise<Caller> {
  const now = deps.clock();
  const { sid, tenantId } = await deps.accessTokens.verify(token, now);
  const user = await deps.store.read(() => findUserOfLogin(tenantId, sid, now));
  if (user === undefined) throw new Fault('UNAUTHORIZED', 'This login has ended; log in again.');
  const role = Role.parse(user.role);
  const caller = { id: user.id, kind: 'session' as const, tenantId, userId: user.id, loginId: sid };
  const waiting = role === 'PENDING' ? await deps.store.read(() => whomToAsk(tenantId)) : undefined;
  return { ...caller, permissions: permissionsOf(role), ...compact({ waiting }) };
}

async function authenticateAgent(deps: Deps, context: Context, token: string, body: Buffer): Promise<Caller> {
  const request = {
    baseUrl: deps.settings.baseUrl,
    method: context.method,
    path: context.path,
    bodyHash: createHash('sha256').update(body).digest('base64url'),
  };
  const proof = verifyDidProof(deps.suite, token, request, deps.clock());
  const named = context.headers['x-agent-did'];
  if (named !== undefined && Did.safeParse(named).data !== proof.did) {
    throw new Fault('UNVERIFIED', 'X-Agent-DID names another DID than the proof.');
  }
  const caller = await deps.store.read(() => loadAgentCaller(proof.did, 'UNVERIFIED'));
  // An id that the node makes: a client's own would let it say that a second request is the first one.
  const requestId = deps.newId('req_');
  await deps.store.write(caller.tenantId, () => spendProof({ ...proof, requestId }));
  return caller;
}
