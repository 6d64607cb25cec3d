/** Runs a script on an engine: executes each statement it yields and passes the result back to it. */
import { Fault } from '../../protocol/wire/fault.ts';
import {
  type Load,
  type Result,
  type Script,
  type Statement,
  type Step,
  statementsOf,
  type TimedScript,
} from './store.ts';

/** A script in the queue, with the functions that settle its caller's promise. */
export interface QueuedScript {
  readonly script: TimedScript<unknown>;
  /** What it will read before anything else, on an engine that asks for it. */
  readonly load?: readonly Statement[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs a script on an engine with synchronous results, which is SQLite.
 * @throws what the script throws; the error of a failed statement is thrown into the script, which may translate it but
 *   not continue, since PostgreSQL could not
 */
export function pumpSync<T>(script: Script<T>, execute: (statement: Statement) => Result): T {
  let step = script.next();
  while (!step.done) {
    let result: Result;
    try {
      result = executeStep(step.value, execute);
    } catch (error) {
      throw translated(script, error);
    }
    step = script.next(result);
  }
  return step.value;
}

function executeStep(step: Step, execute: (statement: Statement) => Result): Result {
  // Most steps are of one statement, which needs no list around it.
  if (!('sql' in step)) return resultOf(step, checked(step).map(execute));
  checkArguments(step);
  return execute(step);
}

/** As pumpSync, on an engine with asynchronous results, which is given the statements of one step. */
export async function pump<T>(
  script: Script<T>,
  execute: (statements: readonly Statement[]) => Promise<readonly Result[]>,
): Promise<T> {
  let step = script.next();
  while (!step.done) {
    let result: Result;
    try {
      result = resultOf(step.value, await execute(checked(step.value)));
    } catch (error) {
      throw translated(script, error);
    }
    step = script.next(result);
  }
  return step.value;
}

/** The first statements of what a script loads: none where that cannot be loaded, since the script will learn of it itself. */
export function firstStatements(load: Load | undefined): readonly Statement[] {
  try {
    const steps = (load?.() ?? []).map((script) => script.next());
    return steps.flatMap(({ done, value }) => (done === true ? [] : checked(value as Step)));
  } catch {
    return [];
  }
}

function translated<T>(script: Script<T>, error: unknown): unknown {
  try {
    script.throw(error);
  } catch (translation) {
    return translation;
  }
  return error;
}

function resultOf(step: Step, results: readonly Result[]): Result {
  return 'sql' in step ? (results[0] as Result) : { rows: results, changes: 0 };
}

/** Refuses arguments that the types should have excluded, were it not for casts and missing columns. */
function checked(step: Step): readonly Statement[] {
  const statements = statementsOf(step);
  for (const statement of statements) checkArguments(statement);
  return statements;
}

function checkArguments({ sql, args }: { readonly sql: string; readonly args: readonly unknown[] }): void {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (typeof arg === 'string') refuseNul(arg);
    else if (arg !== null && !Number.isSafeInteger(arg)) {
      const found = typeof arg === 'number' ? 'a number that is no safe integer' : typeof arg;
      throw new TypeError(`Argument ${index + 1} is ${found}, not text, a safe integer or null: ${sql}`);
    }
  }
}

/** PostgreSQL cannot store this character, unlike SQLite. Only callers send such text. */
function refuseNul(text: string): void {
  if (text.includes('\0')) throw new Fault('BAD_REQUEST', 'Text may not contain the character U+0000.');
}
