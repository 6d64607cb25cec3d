/** What a database error means to the caller: a fact about the data, or a store that cannot answer now. */
import { Fault } from '../../protocol/wire/fault.ts';

const UNIQUE_VIOLATIONS = new Set(['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);

/** True for the error of a statement that broke a unique index or primary key, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && UNIQUE_VIOLATIONS.has(code);
}

/** The fault for a store that cannot answer; what happened inside is kept as its cause, for the log only. */
export function unavailable(cause: unknown, message = 'The store cannot answer at the moment; try again.'): Fault {
  const fault = new Fault('UNAVAILABLE', message);
  fault.cause = cause;
  return fault;
}

export function closedStore(): Fault {
  return new Fault('UNAVAILABLE', 'The store is closed: this node is shutting down.');
}

const SQLITE_TROUBLE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|NOMEM|CORRUPT|NOTADB|PROTOCOL)/;

/** Turns an error of SQLite itself (disk full, file locked …) into a fault and leaves any other as it is. */
export function sqliteFault(error: unknown): unknown {
  return SQLITE_TROUBLE.test(codeOf(error) ?? '') ? unavailable(error) : error;
}

/** The code a database error carries: SQLSTATE, or the name of an SQLite result. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
