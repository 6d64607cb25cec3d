/** Tenants: each has its own agents, policies, chain and keys. */
import { all, allCached, get, type Script, send } from '../../store.ts';
import { insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const tenants = table(
  'tenants',
  ['id'],
  {
    id: text,
    name: text,
    created_at: integer,
    /** Changes with each change of the tenant's webhook subscriptions; empty while it never had one. */
    webhooks_version: later(text),
    /** Who is told of an approval that is not decided, as JSON. */
    escalation: later(nullable(text)),
  },
  {
    retention: { kept: 'whose data it is' },
    isTestData: false,
  },
);

export const insertTenant = insertInto(tenants);

export function listTenants(): Script<RowOf<typeof tenants>[]> {
  return all('SELECT * FROM tenants ORDER BY id');
}

export function findTenant(id: string): Script<RowOf<typeof tenants> | undefined> {
  return get('SELECT * FROM tenants WHERE id = ?', id);
}

const TENANTS = { tables: ['tenants'] };

export function* findEscalation(id: string): Script<string | undefined> {
  const sql = 'SELECT escalation FROM tenants WHERE id = ?';
  return (yield* allCached<{ escalation: string | null }>(TENANTS, sql, id))[0]?.escalation ?? undefined;
}

export function setEscalation(id: string, escalation: string | null): Script<void> {
  return send('UPDATE tenants SET escalation = ? WHERE id = ?', escalation, id);
}
