/** The two tables of the store's contract suite, and how its tests use them. */
import { fileURLToPath } from 'node:url';
import { all, get, run, type Script, type Store } from '../../src/store/store.ts';

/** Makes the tables `counters` and `notes`. */
export const CONTRACT_SCHEMA = fileURLToPath(new URL('./schema', import.meta.url));

export const NOTES_OF = 'SELECT seq FROM notes WHERE tenant_id = ? ORDER BY seq';

export function addNote(tenantId: string, seq: number, body: string | null): Script<number> {
  return run('INSERT INTO notes (tenant_id, seq, body) VALUES (?, ?, ?)', tenantId, seq, body);
}

export function setCounter(name: string, value: number): Script<number> {
  const sql =
    'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
  return run(sql, name, value);
}

export async function countOf(store: Store, tenantId: string): Promise<number> {
  const rows = await store.read(() => all(NOTES_OF, tenantId));
  return rows.length;
}

export async function noteOf(store: Store, tenantId: string, seq: number): Promise<unknown> {
  const sql = 'SELECT body FROM notes WHERE tenant_id = ? AND seq = ?';
  return (await store.read(() => get<{ body: unknown }>(sql, tenantId, seq)))?.body;
}
