/**
 * Views are what lists look at, and no decision: the columns of a ledger table that its lists are filtered by, under a name of
 * their own. On PostgreSQL, and in a database that no node serves, a view is a query of the ledger (data/schema). Beside the
 * SQLite file that a node serves lies a second one, views.db, where the thread that long reads have writes the
 * rows of each view with its indexes; a list reads the rows that it has not reached yet from the ledger, and is never behind.
 */

/** The rows of a ledger table that is only appended to, and whose columns named here never change. */
export interface View {
  readonly name: string;
  /** The ledger's table. */
  readonly source: string;
  /** Names and types of its columns, as the ledger has them. */
  readonly columns: Readonly<Record<string, 'TEXT' | 'TEXT NOT NULL' | 'BIGINT NOT NULL'>>;
  /** What SQLite reads out of a row's text, by the name that the column has in the view. */
  readonly readOut?: Readonly<Record<string, { readonly type: 'TEXT' | 'REAL'; readonly of: string }>>;
  /** What each index is of, with a condition where it has few of the rows. */
  readonly indexes: Readonly<Record<string, string>>;
}
