/** Every way of calling there is, good and bad, each as the headers it sends. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Permission } from '../../src/access/caller.ts';
import { ROLES, type Role } from '../../src/access/role.ts';
import { insertApiKey } from '../../src/store/statements/callers/apiKeys.ts';
import { insertTenant } from '../../src/store/statements/node/tenants.ts';
import { insertLogin, noteTouch } from '../../src/store/statements/people/logins.ts';
import { insertUser } from '../../src/store/statements/people/users.ts';
import { makeDidProof, type Peer } from './peer.ts';
import type { World } from './world.ts';

export interface Credential {
  readonly name: string;
  /** False where it is refused without a look into the store. */
  readonly asksStore?: false;
  /** The code that each of its requests is refused with. */
  readonly refused?: 'UNAUTHORIZED' | 'INVALID_API_KEY' | 'TOKEN_EXPIRED' | 'DID_REVOKED';
  readonly permissions: readonly Permission[];
  /** The agent that it proves. */
  readonly agent?: Peer;
  /** True where it belongs to another tenant. */
  readonly elsewhere?: true;
  /** Made for each request, since proofs serve once and logins may be ended by what is asked. */
  headers(request: { method: string; path: string; body: string }): Promise<Record<string, string>>;
}

const ALL: readonly Permission[] = ['read', 'write', 'admin'];
const OF_ROLE: Record<Role, readonly Permission[]> = {
  OWNER: ALL,
  ADMIN: ALL,
  MEMBER: ['read', 'write'],
  VIEWER: ['read'],
  PENDING: [],
};

export async function everyCredential(world: World): Promise<Credential[]> {
  const revoked = await makeKey(world, ['read', 'write', 'admin']);
  assert.equal((await world.rest('DELETE', `/ap2/admin/api-keys/${revoked.id}`)).status, 204);
  const agent = await world.newAgent('proves itself');
  const gone = await world.newAgent('was revoked');
  assert.equal((await world.rest('POST', `/ap2/admin/agents/${gone.did}/revoke`, { reason: 'test' })).status, 200);

  return [
    { name: 'no credential', asksStore: false, refused: 'UNAUTHORIZED', permissions: [], headers: async () => ({}) },
    { ...key('a malformed key', 'ak_test_short', [], 'INVALID_API_KEY'), asksStore: false },
    { ...key('no bearer', undefined, [], 'INVALID_API_KEY'), asksStore: false },
    key('an unknown key', `ak_test_${'u'.repeat(32)}`, [], 'INVALID_API_KEY'),
    key('a revoked key', revoked.key, [], 'INVALID_API_KEY'),
    { ...key('a key of the other environment', `ak_live_${'A'.repeat(32)}`, [], 'INVALID_API_KEY'), asksStore: false },
    ...(await Promise.all(
      ALL.map(async (permission) => key(`a ${permission} key`, (await makeKey(world, [permission])).key, [permission])),
    )),
    { ...key('a key of another tenant', await keyElsewhere(world), ALL), elsewhere: true },
    proof(world, 'the proof of an agent', agent),
    { ...proof(world, 'the proof of a revoked agent', gone), refused: 'DID_REVOKED', permissions: [] },
    ...ROLES.map((role) => person(world, role, 0)),
    { ...person(world, 'OWNER', 3600), name: 'an expired token', asksStore: false, refused: 'TOKEN_EXPIRED' },
  ];
}

function key(
  name: string,
  text: string | undefined,
  permissions: readonly Permission[],
  refused?: Credential['refused'],
): Credential {
  const Authorization = text === undefined ? 'Basic YTpi' : `Bearer ${text}`;
  return { name, permissions, ...(refused && { refused }), headers: async () => ({ Authorization }) };
}

function proof(world: World, name: string, agent: Peer): Credential {
  const { baseUrl } = world.node;
  return {
    name,
    permissions: ['read', 'write'],
    agent,
    headers: async (request) => ({ 'X-DID-Proof': makeDidProof(agent, { baseUrl, ...request }) }),
  };
}

/** A person with a login of their own for each request. @param touched whether it had a touch of a passkey just now */
export function person(world: World, role: Role, agoSeconds: number, touched = true): Credential {
  const { deps, tenantId } = world.node;
  return {
    name: `the token of ${role}`,
    permissions: OF_ROLE[role],
    async headers() {
      const now = Date.now();
      const issued = now - agoSeconds * 1000;
      const id = deps.newId('usr_');
      const [sid, did, email] = [deps.newId('login_'), deps.people.didOf(id), `${id}@people.example`];
      const user = {
        id,
        tenant_id: tenantId,
        issuer: 'https://people.example',
        subject: id,
        did,
        email,
        role,
        name: null,
      };
      const login = { id: sid, tenant_id: tenantId, user_id: id, created_at: issued, expires_at: now + 600_000 };
      await deps.store.write(tenantId, function* () {
        yield* insertUser({ ...user, created_at: issued, last_login_at: issued });
        yield* insertLogin({ ...login, way: 'provider', device: null });
        if (touched) yield* noteTouch(tenantId, sid, 'touched', now);
      });
      const claims = { sub: id, jti: deps.newId('at_'), sid, tenantId, role, did, email };
      const { accessToken } = await deps.access.tokens.issue(claims, issued, login.expires_at);
      return { Authorization: `Bearer ${accessToken}` };
    },
  };
}

async function makeKey(world: World, permissions: readonly Permission[]): Promise<{ id: string; key: string }> {
  const made = await world.rest('POST', '/ap2/admin/api-keys', { name: permissions.join(), permissions });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

/** A key that may do everything, in a tenant of its own. */
async function keyElsewhere(world: World): Promise<string> {
  const { deps } = world.node;
  const text = `ak_test_${randomBytes(16).toString('hex')}`;
  const tenantId = deps.newId('tnt_');
  const now = Date.now();
  await deps.store.write(tenantId, function* () {
    yield* insertTenant({ id: tenantId, name: 'elsewhere', created_at: now });
    yield* insertApiKey({
      id: deps.newId('key_'),
      tenant_id: tenantId,
      name: 'elsewhere',
      hash: createHash('sha256').update(text).digest('hex'),
      prefix: null,
      permissions: ALL.join(' '),
      tier: 'free',
      created_at: now,
      made_by: `node ${world.node.deps.issuer.did}`,
      user_id: null,
      ceiling: null,
      agents: null,
    });
  });
  return text;
}
