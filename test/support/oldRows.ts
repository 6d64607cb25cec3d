/** Rows of any table that are as old as a test wants, as they are left behind by a busy or a hostile year. */
import { columnNames, type Table } from '../../src/store/statements/tableDefinition.ts';
import type { Store, Value } from '../../src/store/store.ts';
import { insertAll } from './fillPurchases.ts';

const AT_ONCE = 500;

/** How a row of each table that is purged looks besides its times: what ended ones have, and ids that tell their age. */
const LOOKS: Readonly<Record<string, { readonly prefix?: string; readonly cells?: Readonly<Record<string, Value>> }>> =
  {
    approval_requests: { prefix: 'apr_', cells: { status: 'expired' } },
    approval_touches: { prefix: 'hp_' },
    approvals: { cells: { status: 'VOID' } },
    requests: { cells: { state: 'DONE', attempt_key: null } },
    sessions: { prefix: 'ses_', cells: { status: 'COMPLETED' } },
    // Those of tasks: an owner's own stay.
    webhooks: { prefix: 'task_' },
    webhook_deliveries: { prefix: 'whd_', cells: { state: 'DELIVERED' } },
    webhook_events: { prefix: 'evt_' },
    webhook_attempts: { prefix: 'whl_' },
  };

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id of that time, the number standing for its random part. */
function idAt(prefix: string, time: number, number: number): string {
  let text = '';
  for (let rest = time; text.length < 10; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return `${prefix}${text}${String(number).padStart(16, '0')}`;
}

type Cells = Readonly<Record<string, Value>> | ((number: number) => Readonly<Record<string, Value>>);

/** @param time of each of the rows, in milliseconds since the epoch */
export async function addRows(
  store: Store,
  table: Table,
  { tenantId, time, count, cells }: { tenantId: string; time: number; count: number; cells?: Cells },
): Promise<void> {
  const { prefix, cells: usual } = LOOKS[table.name] ?? {};
  const ageColumns = new Set(['id', 'attempt_key', 'place', 'task_id']);
  const cellOf = (name: string, number: number): Value => {
    const column = table.columns[name];
    if (name === 'tenant_id') return tenantId;
    if (prefix !== undefined && ageColumns.has(name)) return idAt(prefix, time, number);
    // What has no text in its key is told apart by its place.
    if (name === 'idx') return number;
    if (name === 'list') return Math.floor(time / 1000);
    if (column?.type === 'BIGINT') return time;
    return column?.nullable ? null : `${name} ${time} ${number}`;
  };
  for (let from = 0; from < count; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => ({
      ...Object.fromEntries(columnNames(table).map((name) => [name, cellOf(name, from + index)])),
      ...usual,
      ...(typeof cells === 'function' ? cells(from + index) : cells),
    }));
    await store.write(tenantId, () => insertAll(table.name, rows));
  }
}
