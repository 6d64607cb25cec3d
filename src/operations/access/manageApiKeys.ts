/** API keys: made, listed and revoked. A key is shown once, by the answer that makes it. */

import { z } from 'zod';
import { Did } from '../../../protocol/credential/did.ts';
import { IdempotencyKey } from '../../../protocol/intent.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { prefixOf } from '../../access/apiKey.ts';
import { type Caller, PERMISSIONS, type Permission } from '../../access/caller.ts';
import type { Tier } from '../../access/rateLimit.ts';
import { endKey } from '../../domain/access/endKey.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { actedBy, recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import {
  type ApiKeyRow,
  findApiKey,
  insertApiKey,
  isOfNode,
  listApiKeys as selectApiKeys,
} from '../../store/statements/callers/apiKeys.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { byId, listing } from '../../usecase/list/listing.ts';
import { requireStanding } from '../../usecase/standing.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const TIER_NAMES = ['free', 'pro', 'enterprise'] as const satisfies readonly Tier[];

/** More agents than one program acts for. */
const MOST_AGENTS = 20;

const CreateApiKey = z
  .strictObject({
    name: z.string().min(1).max(100),
    permissions: z
      .array(z.enum(PERMISSIONS))
      .min(1)
      .transform((named) => PERMISSIONS.filter((permission) => named.includes(permission))),
    tier: z.enum(TIER_NAMES).default('free'),
    agents: z
      .array(Did)
      .min(1, 'must name an agent; leave it out for a key that acts for all of them')
      .max(MOST_AGENTS)
      .optional()
      .describe('It acts for these agents alone, and sees their own alone.'),
    idempotencyKey: IdempotencyKey.optional(),
  })
  .refine(
    ({ agents, permissions }) => agents === undefined || !permissions.includes('admin'),
    'A key that is bound to agents cannot have the permission admin.',
  );

const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  tier: z.enum(TIER_NAMES),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().optional(),
  agents: z.array(z.string()).optional().describe('The agents that it acts for alone.'),
  prefix: z.string().optional().describe('How it begins. Absent for keys of earlier versions.'),
  madeBy: z.string().optional().describe('Who made it: `user`, `key` or `node`, and the id.'),
});
type ApiKey = z.infer<typeof ApiKey>;

const NewApiKey = ApiKey.pick({
  id: true,
  name: true,
  permissions: true,
  tier: true,
  agents: true,
  createdAt: true,
}).extend({
  key: z.string(),
});
type NewApiKey = z.infer<typeof NewApiKey>;

export const createApiKey = useCase({
  summary: 'Creates an API key, which has at most what its maker has, and ends with it. Only this answer shows it.',
  input: CreateApiKey,
  output: NewApiKey,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND'],
  idempotent: true,
  secretAnswer: true,
  run: inOneCommit<z.output<typeof CreateApiKey>, NewApiKey>(function* (
    deps: EventDeps & Pick<Deps, 'access' | 'hashToken'>,
    caller,
    input,
    { now },
  ) {
    const { name, permissions, tier, agents } = input;
    for (const did of agents ?? []) yield* loadAgent(caller.tenantId, did);
    const { maker, mostTier } = yield* makerOf(caller, now);
    requireWithin(caller, mostTier, input);
    const id = deps.newId('key_');
    const key = deps.access.newApiKey();
    yield* insertApiKey({
      id,
      tenant_id: caller.tenantId,
      name,
      hash: deps.hashToken(key),
      prefix: prefixOf(key),
      permissions: permissions.join(' '),
      tier,
      created_at: now,
      ...maker,
      agents: agents?.join(' ') ?? null,
    });
    const data = compact({ keyId: id, name, permissions, tier, agents });
    yield* recordAdminEvent(deps, caller, 'KEY_CREATED', data, now);
    return compact({ id, name, permissions, tier, agents, key, createdAt: isoTime(now) });
  }),
});

/** @throws Fault FORBIDDEN for a permission, a tier or an agent that its maker does not have */
function requireWithin(caller: Caller, mostTier: Tier, asked: z.output<typeof CreateApiKey>): void {
  const lacking = asked.permissions.filter((permission) => !caller.permissions.has(permission));
  if (lacking.length > 0) {
    throw new Fault('FORBIDDEN', `A key cannot do more than its maker, who may not ${lacking.join(', ')}.`);
  }
  if (TIER_NAMES.indexOf(asked.tier) > TIER_NAMES.indexOf(mostTier)) {
    throw new Fault('FORBIDDEN', `A key has at most the tier of the key that makes it, which is the tier ${mostTier}.`);
  }
  const { agents } = caller;
  if (agents === undefined || asked.agents?.every((did) => agents.has(did)) === true) return;
  throw new Fault('FORBIDDEN', 'A key that is bound to agents makes keys for these agents alone.');
}

interface Maker {
  readonly maker: Pick<ApiKeyRow, 'made_by' | 'user_id' | 'ceiling'>;
  /** A person has no tier, and neither has the node, which its own keys stand for. */
  readonly mostTier: Tier;
}

/** Who makes a key, and whose role bounds it: a person, or the person behind the key that makes it. */
function* makerOf(caller: Caller, now: number): Script<Maker> {
  const { kind, id } = actedBy(caller);
  const made_by = `${kind} ${id}`;
  if (caller.userId !== undefined) {
    const ceiling = [...caller.permissions].join(' ');
    return { maker: { made_by, user_id: caller.userId, ceiling }, mostTier: 'enterprise' };
  }
  // A key that was revoked while it asked would live on in the one it makes.
  yield* requireStanding(caller, now);
  const parent = yield* findApiKey(caller.tenantId, caller.id);
  const maker = { made_by, user_id: parent?.user_id ?? null, ceiling: parent?.ceiling ?? null };
  const mostTier = parent === undefined || isOfNode(parent) ? 'enterprise' : tierOf(parent);
  return { maker, mostTier };
}

export const listApiKeys = listing({
  summary: 'Lists API keys, revoked ones too, newest first. A key itself is never shown again.',
  input: PageRequest,
  item: ApiKey,
  permission: 'admin',
  order: byId,
  select: ({ tenantId }, _input, before, limit) => selectApiKeys(tenantId, before, limit),
  show: showApiKey,
});

const RevokeApiKey = z.object({ id: z.string() });

export const revokeApiKey = useCase({
  summary:
    'Revokes an API key, every key that it made, links of theirs that were not used yet, and passkeys that they enrolled; from the answer on they are refused. Revoking it again changes nothing.',
  input: RevokeApiKey,
  output: z.undefined(),
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<z.output<typeof RevokeApiKey>, undefined>(function* (
    deps: EventDeps & Pick<Deps, 'operations'>,
    caller,
    { id },
    { now },
  ) {
    const key = yield* findApiKey(caller.tenantId, id);
    if (key === undefined) throw new Fault('NOT_FOUND', `There is no API key ${id}.`);
    yield* endKey(deps, caller, key, now);
    return undefined;
  }),
});

function showApiKey(row: ApiKeyRow, _now: number, deps: Pick<Deps, 'access'>): ApiKey {
  // Another node's record of a use becomes visible when that node has written it.
  const usedAt = Math.max(row.last_used_at ?? 0, deps.access.keyUse.lastUsedAt(row.id) ?? 0);
  return compact({
    id: row.id,
    name: row.name,
    prefix: row.prefix ?? undefined,
    permissions: row.permissions.split(' ') as Permission[],
    tier: tierOf(row),
    createdAt: isoTime(row.created_at),
    lastUsedAt: usedAt === 0 ? null : isoTime(usedAt),
    revokedAt: isoTime(row.revoked_at),
    agents: row.agents?.split(' '),
    madeBy: row.made_by ?? undefined,
  });
}

function tierOf({ tier }: Pick<ApiKeyRow, 'tier'>): Tier {
  return tier as Tier;
}
