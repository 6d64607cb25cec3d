/** First start: the tenant, its policy, its first admin key, and the invitation of its first OWNER. */

import { Rules } from '../../../protocol/policy/rules.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { prefixOf } from '../../access/apiKey.ts';
import { PERMISSIONS } from '../../access/caller.ts';
import { findApiKeyByHash, insertApiKey } from '../../store/statements/callers/apiKeys.ts';
import { findSetting, putSetting, setOnce } from '../../store/statements/node/settings.ts';
import { insertTenant } from '../../store/statements/node/tenants.ts';
import { findFirstInvitedOwner } from '../../store/statements/people/invitations.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { nodeCaller } from '../../usecase/nodeCaller.ts';
import { FIRST_TENANT } from '../access/firstTenant.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';
import { invite } from '../people/invite.ts';
import { addPolicy } from '../policies/addPolicy.ts';
import { claimDatabase } from './claimDatabase.ts';
import { adoptRotations } from './rotateIssuer.ts';

/** `due` from the first start on, until its key and its link were seen: a start that dies before leaves them to the next. */
const FIRST_KEY = 'first_key';

interface BootstrapResult {
  readonly tenantId: string;
  /** The admin key this start made, to be shown once; then call recordKeyShown. */
  readonly newKey: string | undefined;
  /** The address at which the first OWNER makes a passkey, made by the first start, to be shown once as the key is. */
  readonly welcome: string | undefined;
}

/** @throws Error when the database belongs to another issuer key */
export async function bootstrap(
  deps: EventDeps & Pick<Deps, 'hashToken' | 'keys' | 'newToken' | 'policies' | 'store'>,
  options: {
    readonly makeKey: () => string;
    readonly givenKey: string | undefined;
    /** True where the start tells its reader how to become the first OWNER. */
    readonly invites: boolean;
    readonly firstPolicy: { readonly name: string; readonly rules: unknown };
  },
): Promise<BootstrapResult> {
  const tenantId = await deps.store.write('bootstrap', function* (now) {
    yield* claimDatabase(deps);
    const known = yield* findSetting(FIRST_TENANT);
    if (known !== undefined) return known;
    const id = deps.newId('tnt_');
    yield* setOnce(FIRST_TENANT, id);
    yield* putSetting(FIRST_KEY, 'due');
    yield* createTenant(deps, { id, name: 'default', policy: options.firstPolicy }, now);
    return id;
  });
  // Under the tenant's own lock: other nodes append to its evidence meanwhile.
  const first = await deps.store.write(tenantId, function* (now) {
    const newKey = yield* addFirstKey(deps, tenantId, options, now);
    const isFirst = (yield* findSetting(FIRST_KEY)) === 'due';
    if (!isFirst || !options.invites) return { newKey, welcome: undefined };
    // The user invited by an earlier start, whose link was not used yet, is the same person: a seed may have named them already.
    const userId = (yield* findFirstInvitedOwner(tenantId)) ?? deps.newId('usr_');
    const owner = { userId, role: 'OWNER' as const, name: undefined };
    return { newKey, welcome: (yield* invite(deps, nodeCaller(deps, tenantId), owner, now)).url };
  });
  await adoptRotations(deps);
  return { tenantId, ...first };
}

/** Once what a start made was printed or written, no later start makes another. */
export async function recordKeyShown(deps: Pick<Deps, 'store'>): Promise<void> {
  await deps.store.write('bootstrap', () => putSetting(FIRST_KEY, 'shown'));
}

/** Adds the key that is given, unless it is known, or makes the first one, unless one was shown. */
function* addFirstKey(
  deps: EventDeps & Pick<Deps, 'hashToken'>,
  tenantId: string,
  { givenKey, makeKey }: { readonly givenKey: string | undefined; readonly makeKey: () => string },
  now: number,
): Script<string | undefined> {
  if (givenKey !== undefined) {
    const existing = yield* findApiKeyByHash(deps.hashToken(givenKey));
    if (existing === undefined) yield* addAdminKey(deps, tenantId, 'bootstrap', givenKey, now);
    return undefined;
  }
  if ((yield* findSetting(FIRST_KEY)) !== 'due') return undefined;
  const newKey = makeKey();
  yield* addAdminKey(deps, tenantId, 'first admin key', newKey, now);
  return newKey;
}

/** Adds a tenant with the policy it starts with. */
function* createTenant(
  deps: EventDeps & Pick<Deps, 'policies'>,
  tenant: { readonly id: string; readonly name: string; readonly policy: { name: string; rules: unknown } },
  now: number,
): Script<void> {
  const rules = Rules.safeParse(tenant.policy.rules);
  if (!rules.success) throw new Fault('BAD_REQUEST', `The tenant's first policy is not valid: ${rules.error.message}`);
  yield* insertTenant({ id: tenant.id, name: tenant.name, created_at: now });
  yield* addPolicy(
    deps,
    nodeCaller(deps, tenant.id),
    { name: tenant.policy.name, rules: rules.data, activate: true },
    now,
  );
}

/** Adds a key with all permissions; the key itself is not kept. */
function* addAdminKey(
  deps: EventDeps & Pick<Deps, 'hashToken'>,
  tenantId: string,
  name: string,
  key: string,
  now: number,
): Script<void> {
  const id = deps.newId('key_');
  yield* insertApiKey({
    id,
    tenant_id: tenantId,
    name,
    hash: deps.hashToken(key),
    prefix: prefixOf(key),
    permissions: PERMISSIONS.join(' '),
    tier: 'free',
    created_at: now,
    made_by: `node ${deps.issuer.did}`,
    user_id: null,
    ceiling: null,
    agents: null,
  });
  const data = { keyId: id, name, permissions: [...PERMISSIONS] };
  yield* recordAdminEvent(deps, nodeCaller(deps, tenantId), 'KEY_CREATED', data, now);
}
