/** Tenants: each has its own agents, policies, chain and keys. */
import { all, get, type Script } from '../../store.ts';
import { insertInto, integer, later, type RowOf, table, text } from '../tableDefinition.ts';

export const tenants = table('tenants', ['id'], {
  id: text,
  name: text,
  created_at: integer,
  /** Changes with each change of the tenant's webhook subscriptions; empty while it never had one. */
  webhooks_version: later(text),
});

export const insertTenant = insertInto(tenants);

export function listTenants(): Script<RowOf<typeof tenants>[]> {
  return all('SELECT * FROM tenants ORDER BY id');
}

export function findTenant(id: string): Script<RowOf<typeof tenants> | undefined> {
  return get('SELECT * FROM tenants WHERE id = ?', id);
}
