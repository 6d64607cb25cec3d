/** Policies: one row a version, at most one of a tenant's rows current. */
import { all, allKept, get, run, type Script } from '../../store.ts';

export interface PolicyRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly rules: string;
  readonly hash: string;
  readonly is_active: number;
  readonly created_at: number;
}

export function* insertPolicy(policy: PolicyRow): Script<void> {
  yield* run(
    `INSERT INTO policies (tenant_id, id, version, name, rules, hash, is_active, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    policy.tenant_id,
    policy.id,
    policy.version,
    policy.name,
    policy.rules,
    policy.hash,
    policy.is_active,
    policy.created_at,
  );
}

export function* findCurrentPolicy(tenantId: string): Script<PolicyRow | undefined> {
  const current = 'SELECT * FROM policies WHERE tenant_id = ? AND is_active = 1';
  return (yield* allKept<PolicyRow>('policies', current, tenantId))[0];
}

export function* findLatestPolicy(tenantId: string, id: string): Script<PolicyRow | undefined> {
  return yield* get<PolicyRow>(
    'SELECT * FROM policies WHERE tenant_id = ? AND id = ? ORDER BY version DESC LIMIT 1',
    tenantId,
    id,
  );
}

export function* findPolicyVersion(tenantId: string, id: string, version: number): Script<PolicyRow | undefined> {
  return yield* get<PolicyRow>(
    'SELECT * FROM policies WHERE tenant_id = ? AND id = ? AND version = ?',
    tenantId,
    id,
    version,
  );
}

/** Makes room for another current policy. */
export function* deactivatePolicies(tenantId: string): Script<void> {
  yield* run('UPDATE policies SET is_active = 0 WHERE tenant_id = ? AND is_active = 1', tenantId);
}

/** Newest first by id, then by version. */
export function* listPolicies(
  tenantId: string,
  before: { readonly id: string; readonly version: number } | undefined,
  limit: number,
): Script<PolicyRow[]> {
  if (before === undefined) {
    return yield* all<PolicyRow>(
      'SELECT * FROM policies WHERE tenant_id = ? ORDER BY id DESC, version DESC LIMIT ?',
      tenantId,
      limit,
    );
  }
  return yield* all<PolicyRow>(
    'SELECT * FROM policies WHERE tenant_id = ? AND (id, version) < (?, ?) ORDER BY id DESC, version DESC LIMIT ?',
    tenantId,
    before.id,
    before.version,
    limit,
  );
}
