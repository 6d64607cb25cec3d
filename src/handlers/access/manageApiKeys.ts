/** API keys: made, listed and revoked. A key is shown once, by the answer that makes it. */
import { z } from 'zod';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Page, PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import { PERMISSIONS, type Permission } from '../../access/caller.ts';
import type { Tier } from '../../access/rateLimit.ts';
import {
  type ApiKeyRow,
  findApiKey,
  insertApiKey,
  revokeApiKeyRow,
  listApiKeys as selectApiKeys,
} from '../../store/statements/callers/apiKeys.ts';
import type { Deps } from '../core/deps.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneCommit, inOneRead, useCase } from '../core/useCase.ts';
import { recordEvent } from '../evidence/recordEvent.ts';

const TIER_NAMES = ['free', 'pro', 'enterprise'] as const satisfies readonly Tier[];

const CreateApiKey = z.object({
  name: z.string().min(1).max(100),
  permissions: z
    .array(z.enum(PERMISSIONS))
    .min(1)
    .transform((named) => PERMISSIONS.filter((permission) => named.includes(permission))),
  tier: z.enum(TIER_NAMES).default('free'),
});

const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  tier: z.enum(TIER_NAMES),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().optional(),
});
type ApiKey = z.infer<typeof ApiKey>;

const NewApiKey = ApiKey.pick({ id: true, name: true, permissions: true, tier: true, createdAt: true }).extend({
  key: z.string(),
});
type NewApiKey = z.infer<typeof NewApiKey>;

export const createApiKey = useCase({
  summary: 'Makes an API key; the answer is the only place where it is shown.',
  input: CreateApiKey,
  output: NewApiKey,
  permission: 'admin',
  idempotent: true,
  secretAnswer: true,
  run: inOneCommit<z.output<typeof CreateApiKey>, NewApiKey>(function* (deps, caller, input, { now }) {
    const { name, permissions, tier } = input;
    const id = deps.newId('key_');
    const key = deps.newApiKey();
    const row = { id, tenant_id: caller.tenantId, name, permissions: permissions.join(' '), tier, created_at: now };
    yield* insertApiKey({ ...row, hash: deps.hashToken(key) });
    const data = { keyId: id, name, permissions, tier };
    yield* recordEvent(deps, caller.tenantId, { eventType: 'KEY_CREATED', actorDid: deps.issuer.did, data }, now);
    return { id, name, permissions, tier, key, createdAt: new Date(now).toISOString() };
  }),
});

export const listApiKeys = useCase({
  summary: 'Lists API keys, revoked ones too, newest first; of a key itself nothing is known any more.',
  input: PageRequest,
  output: pageOf(ApiKey),
  permission: 'admin',
  run: inOneRead<PageRequest, Page<ApiKey>>(function* (deps, caller, input) {
    const before = positionOf(z.string(), input.cursor);
    const rows = yield* selectApiKeys(caller.tenantId, before, input.limit + 1);
    return toPage(
      rows,
      input.limit,
      (row) => showApiKey(deps, row),
      (row) => row.id,
    );
  }),
});

const RevokeApiKey = z.object({ id: z.string() });

export const revokeApiKey = useCase({
  summary: 'Revokes an API key; from the answer on it is refused. Revoking it again changes nothing.',
  input: RevokeApiKey,
  output: z.undefined(),
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<z.output<typeof RevokeApiKey>, undefined>(function* (deps, caller, { id }, { now }) {
    const row = yield* findApiKey(caller.tenantId, id);
    if (row === undefined) throw new Fault('NOT_FOUND', `There is no API key ${id}.`);
    if (!(yield* revokeApiKeyRow(caller.tenantId, id, now))) return undefined;
    const data = { keyId: id, name: row.name };
    yield* recordEvent(deps, caller.tenantId, { eventType: 'KEY_REVOKED', actorDid: deps.issuer.did, data }, now);
    return undefined;
  }),
});

function showApiKey(deps: Deps, row: ApiKeyRow): ApiKey {
  // A use that another node noted shows once that node has written it.
  const usedAt = Math.max(row.last_used_at ?? 0, deps.keyUse.lastUsedAt(row.id) ?? 0);
  return {
    id: row.id,
    name: row.name,
    permissions: row.permissions.split(' ') as Permission[],
    tier: row.tier as ApiKey['tier'],
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: usedAt === 0 ? null : new Date(usedAt).toISOString(),
    ...(row.revoked_at === null ? {} : { revokedAt: new Date(row.revoked_at).toISOString() }),
  };
}
