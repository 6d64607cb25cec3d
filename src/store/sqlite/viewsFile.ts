/** Where the views of an SQLite database lie, and how a connection reads them. */
import { dirname, join } from 'node:path';
import { VIEWS } from '../views/views.ts';
import { readView } from './viewsSql.ts';

const VIEWS_FILE = 'views.db';

/** The file and its journals. */
export function viewsFilesOf(database: string): string[] {
  const file = join(dirname(database), VIEWS_FILE);
  return [file, `${file}-wal`, `${file}-shm`];
}

/** Statements by which a connection to the ledger reads its views. */
export function viewsSetup(database: string): string[] {
  const [file = ''] = viewsFilesOf(database);
  return [`ATTACH '${file.replaceAll("'", "''")}' AS views`, ...VIEWS.map(readView)];
}

/** The first statement of a snapshot: taken in this order, the ledger has each row that views have. */
export const VIEWS_FIRST = 'SELECT generation FROM views.state';
