/** Tenants: each has its own agents, policies, chain and keys. */
import { all, run, type Script } from '../../store.ts';

interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
}

export function* insertTenant(tenant: TenantRow): Script<void> {
  yield* run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', tenant.id, tenant.name, tenant.created_at);
}

export function* listTenants(): Script<TenantRow[]> {
  return yield* all<TenantRow>('SELECT * FROM tenants ORDER BY id');
}
