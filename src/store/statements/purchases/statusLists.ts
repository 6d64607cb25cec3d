/** Status lists, and who signs them: one row for a list of many mandates, of all tenants. */
import { STATUS_PLACES } from '../../../../protocol/credential/statusList.ts';
import { all, changed, get, type Script, type Store, send } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { insertInto, integer, type RowOf, table, text } from '../tableDefinition.ts';

export const statusLists = table(
  'status_lists',
  ['list'],
  {
    /** Counted from 1; in the list's address. */
    list: integer,
    /** The DID that signs it: a list is by who signed the mandates in it. */
    issuer: text,
    /** How many mandates were ever given a place in it; all places once it takes no more. */
    entries: integer,
    /** When the last of them ends. */
    valid_until: integer,
  },
  {
    retention: { kept: 'one row for 65,536 mandates; no number serves twice' },
    isTestData: false,
  },
);

/** Keys that sign nothing but the lists of a former issuer. */
export const statusSigners = table(
  'status_signers',
  ['issuer'],
  {
    issuer: text,
    /** Sealed. */
    seed: text,
    ends_at: integer,
  },
  {
    // Nothing that they sign for holds by then.
    retention: {
      goes: 'when the last mandate in its lists ends',
      purges: [(limit, now) => deleteStatusSignersBefore(limit, now)],
    },
    isTestData: false,
  },
);
type StatusSignerRow = RowOf<typeof statusSigners>;

/** Lists of an issuer that take more, the oldest first; on PostgreSQL those that no other tenant's transaction holds. */
function openListsOf(engine: Store['engine']): string {
  return `SELECT list FROM status_lists WHERE issuer = ? AND entries < ? ORDER BY list LIMIT 1${
    engine === 'postgres' ? ' FOR UPDATE SKIP LOCKED' : ''
  }`;
}

/**
 * Takes a place in a list of the issuer that has less than its most entries.
 * @param validUntil when the mandate ends, in milliseconds since the epoch
 * @returns the number of the list
 */
export function* takeStatusPlace(
  engine: Store['engine'],
  issuer: string,
  validUntil: number,
  most: number,
): Script<number | undefined> {
  const sql = `UPDATE status_lists SET entries = entries + 1,
      valid_until = CASE WHEN valid_until < ? THEN ? ELSE valid_until END
    WHERE list = (${openListsOf(engine)}) RETURNING list`;
  return (yield* get<{ list: number }>(sql, validUntil, validUntil, issuer, most))?.list;
}

/** A list of the issuer that takes more; undefined where there is none. */
export function* findOpenList(issuer: string, most: number): Script<number | undefined> {
  return (yield* get<{ list: number }>(openListsOf('sqlite'), issuer, most))?.list;
}

/** Opens the next list. @returns false where another node opened it in the same moment */
export function openStatusList(issuer: string): Script<boolean> {
  const sql = `INSERT INTO status_lists (list, issuer, entries, valid_until)
    SELECT COALESCE(MAX(list), 0) + 1, ?, 0, 0 FROM status_lists WHERE true ON CONFLICT (list) DO NOTHING`;
  return changed(sql, issuer);
}

/**
 * Lists of mandates that ended before then, of the first so many by their end and those that ended with the last of these, take no
 * more: a place whose row goes would be given away again.
 */
export function closeStatusLists(limit: number, before: number): Script<void> {
  const oldest = 'SELECT expires_at FROM credential_status WHERE expires_at < ? ORDER BY expires_at LIMIT ?';
  const sql = `UPDATE status_lists SET entries = ? WHERE entries < ? AND list IN
    (SELECT list FROM credential_status WHERE expires_at <= (SELECT MAX(expires_at) FROM (${oldest}) AS oldest))`;
  return send(sql, STATUS_PLACES, STATUS_PLACES, before, limit);
}

export function findStatusList(list: number): Script<RowOf<typeof statusLists> | undefined> {
  return get('SELECT * FROM status_lists WHERE list = ?', list);
}

/** When the last mandate in the lists of an issuer ends; 0 where it has none. */
export function* lastStatusEnd(issuer: string): Script<number> {
  const sql = 'SELECT MAX(valid_until) AS ends FROM status_lists WHERE issuer = ?';
  return (yield* get<{ ends: number | null }>(sql, issuer))?.ends ?? 0;
}

const insertSigner = insertInto(statusSigners, 'ON CONFLICT (issuer) DO NOTHING');

export function* keepStatusSigner(row: StatusSignerRow): Script<void> {
  yield* insertSigner(row);
}

export function findStatusSigner(issuer: string): Script<StatusSignerRow | undefined> {
  return get('SELECT * FROM status_signers WHERE issuer = ?', issuer);
}

export function listStatusSigners(): Script<StatusSignerRow[]> {
  return all('SELECT * FROM status_signers ORDER BY issuer');
}

export function sealStatusSigner({ issuer, seed }: Pick<StatusSignerRow, 'issuer' | 'seed'>): Script<void> {
  return send('UPDATE status_signers SET seed = ? WHERE issuer = ?', seed, issuer);
}

const deleteStatusSignersBefore: DeleteOldest = deleteOldest(statusSigners, 'ends_at < ?', 'ends_at');
