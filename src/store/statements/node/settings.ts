/** What a database knows about its deployment: the issuer it belongs to, the tenant of first start. */
import { get, run, type Script } from '../../store.ts';

export function* findSetting(name: string): Script<string | undefined> {
  const row = yield* get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name);
  return row?.value;
}

export function* putSetting(name: string, value: string): Script<void> {
  yield* run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );
}

/** Sets it unless it is set; true when this call set it. */
export function* setOnce(name: string, value: string): Script<boolean> {
  const changes = yield* run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
    name,
    value,
  );
  return changes === 1;
}
