/** Settings of a deployment: the issuer the database belongs to, the tenant of the first start. */
import { changed, get, type Script } from '../../store.ts';
import { insertInto, table, text, upsertInto } from '../tableDefinition.ts';

export const settings = table(
  'settings',
  ['name'],
  { name: text, value: text },
  {
    retention: { kept: 'one row each' },
    isTestData: false,
  },
);

export function* findSetting(name: string): Script<string | undefined> {
  return (yield* get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name))?.value;
}

const upsertSetting = upsertInto(settings);
const insertNewSetting = insertInto(settings, 'ON CONFLICT (name) DO NOTHING');

export function putSetting(name: string, value: string): Script<void> {
  return upsertSetting({ name, value });
}

/** Sets a setting unless it is set; true when this call set it. */
export function setOnce(name: string, value: string): Script<boolean> {
  return insertNewSetting({ name, value });
}

/** @returns false where it was not set */
export function deleteSetting(name: string): Script<boolean> {
  return changed('DELETE FROM settings WHERE name = ?', name);
}
