/** Drives a script over an engine: hands each statement over and gives the script what came of it. */
import { Fault } from '../../protocol/wire/fault.ts';
import type { Result, Script, Statement, TimedScript } from './store.ts';

/** A script in the queue, with the two ends of the promise its caller holds. */
export interface Waiting {
  readonly script: TimedScript<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs a script over an engine that answers at once.
 * @throws what the script throws; a failed statement is thrown into the script, which may translate the error but
 *   not go on after it, since one of the engines could not
 */
export function pumpSync<T>(script: Script<T>, execute: (statement: Statement) => Result): T {
  let step = script.next();
  while (!step.done) {
    let result: Result;
    try {
      result = execute(checked(step.value));
    } catch (error) {
      throw translated(script, error);
    }
    step = script.next(result);
  }
  return step.value;
}

/** Runs a script over an engine that answers later; otherwise as pumpSync. */
export async function pump<T>(script: Script<T>, execute: (statement: Statement) => Promise<Result>): Promise<T> {
  let step = script.next();
  while (!step.done) {
    let result: Result;
    try {
      result = await execute(checked(step.value));
    } catch (error) {
      throw translated(script, error);
    }
    step = script.next(result);
  }
  return step.value;
}

function translated<T>(script: Script<T>, error: unknown): unknown {
  try {
    script.throw(error);
  } catch (translation) {
    return translation;
  }
  return error;
}

/** Types keep most wrong arguments out; this catches what a cast or a missing column lets through. */
function checked(statement: Statement): Statement {
  const args: readonly unknown[] = statement.args;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (typeof arg === 'string') refuseNul(arg);
    else if (arg !== null && !Number.isSafeInteger(arg)) {
      const found = typeof arg === 'number' ? 'a number that is no safe integer' : typeof arg;
      throw new TypeError(`Argument ${index + 1} is ${found}, not text, a safe integer or null: ${statement.sql}`);
    }
  }
  return statement;
}

/** PostgreSQL cannot hold this character and SQLite can; such text comes from a caller only. */
function refuseNul(text: string): void {
  if (text.includes('\0')) throw new Fault('BAD_REQUEST', 'Text may not contain the character U+0000.');
}
