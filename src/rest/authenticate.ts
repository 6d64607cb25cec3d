/** Finds out who calls the facade: a bearer key, or an agent's DID proof. */

import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { Did } from '../../protocol/credential/did.ts';
import { Fault } from '../../protocol/fault.ts';
import { callerOfApiKey } from '../access/apiKey.ts';
import type { Caller } from '../access/caller.ts';
import { verifyDidProof } from '../access/didProof.ts';
import type { Deps } from '../handlers/deps.ts';
import { findAgentAnywhere } from '../store/statements/agents.ts';
import { findApiKeyByHash } from '../store/statements/apiKeys.ts';
import { burnProof } from '../store/statements/proofs.ts';

/** @throws Fault UNAUTHORIZED without a credential, and what each kind of credential throws when it fails */
export async function authenticate(deps: Deps, context: Context, body: Buffer, requestId: string): Promise<Caller> {
  const { authorization } = context.headers;
  const proof = context.headers['x-did-proof'];
  if (authorization !== undefined && proof !== undefined) {
    throw new Fault('BAD_REQUEST', 'Send one credential: Authorization or X-DID-Proof.');
  }
  if (proof !== undefined) return authenticateAgent(deps, context, String(proof), body, requestId);
  if (authorization === undefined) {
    throw new Fault('UNAUTHORIZED', 'Send a credential: "Authorization: Bearer <API key>", or X-DID-Proof.');
  }
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer === undefined)
    throw new Fault('INVALID_API_KEY', 'The header must read "Authorization: Bearer <API key>".');
  return callerOfApiKey(bearer, deps.settings.environment, async (key) => {
    const row = await deps.store.read(() => findApiKeyByHash(deps.hashToken(key)));
    if (row === undefined) return undefined;
    return { id: row.id, tenantId: row.tenant_id, permissions: row.permissions, revoked: row.revoked_at !== null };
  });
}

async function authenticateAgent(
  deps: Deps,
  context: Context,
  token: string,
  body: Buffer,
  requestId: string,
): Promise<Caller> {
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
  const caller = await callerOfAgent(deps, proof.did);
  const fresh = await deps.store.write(caller.tenantId, () =>
    burnProof(proof.did, proof.jti, requestId, proof.expiresAt),
  );
  if (!fresh) throw new Fault('UNVERIFIED', 'This X-DID-Proof was used before; make a new one for each request.');
  return caller;
}

/** The caller a proven DID stands for. @throws Fault AGENT_UNKNOWN or DID_REVOKED */
export async function callerOfAgent(deps: Deps, did: string): Promise<Caller> {
  const agent = await deps.store.read(() => findAgentAnywhere(did));
  if (agent === undefined) throw new Fault('UNVERIFIED', `No agent ${did} is registered here.`);
  if (agent.status === 'REVOKED') throw new Fault('DID_REVOKED', 'This agent was revoked.');
  return { id: did, kind: 'did', tenantId: agent.tenant_id, permissions: AGENT_PERMISSIONS, did };
}

const AGENT_PERMISSIONS = new Set(['write'] as const);
