/** Classifies database errors: a fact about the data, or a store that is unavailable. */
import { Fault } from '../../protocol/wire/fault.ts';

const UNIQUE_VIOLATIONS = new Set(['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);

/** True for a violation of a unique index or primary key, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && UNIQUE_VIOLATIONS.has(code);
}

/** The fault for a store that is unavailable. @param cause for the log; callers do not see it */
export function unavailable(cause: unknown, message = 'The store cannot answer at the moment; try again.'): Fault {
  const fault = new Fault('UNAVAILABLE', message);
  fault.cause = cause;
  return fault;
}

/** The fault for a commit that may or may not have happened. */
export function outcomeUnknown(cause: unknown): Fault {
  return unavailable(cause, 'The outcome of this request is unknown; ask again.');
}

export function closedStore(): Fault {
  return new Fault('UNAVAILABLE', 'The store is closed: this node is shutting down.');
}

const SQLITE_UNAVAILABLE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|NOMEM|CORRUPT|NOTADB|PROTOCOL)/;

/** Converts an error of SQLite itself (disk full, file locked …) to a fault and returns any other unchanged. */
export function sqliteFault(error: unknown): unknown {
  return SQLITE_UNAVAILABLE.test(codeOf(error) ?? '') ? unavailable(error) : error;
}

/** The code of a database error: SQLSTATE, or the name of an SQLite result code. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The error of the database that a fault is about. */
export function causeOf(error: unknown): Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** Whether SQLite says of an error, or of what caused it, that it cannot use a page. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(causeOf(error)) ?? '');
}
