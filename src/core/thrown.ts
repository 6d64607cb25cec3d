/** What was thrown, as data that reaches another thread and is thrown there again. */
import { Fault, type FaultCode, type FaultDetail } from '../../protocol/wire/fault.ts';

export type Thrown =
  | { readonly kind: 'fault'; readonly code: FaultCode; readonly message: string; readonly details?: FaultDetail[] }
  /** Anything else, for the log. */
  | {
      readonly kind: 'error';
      readonly message: string;
      readonly stack?: string | undefined;
      /** What else the error says, such as the code and the port of one of the system. */
      readonly facts?: object;
    };

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

export function thrownOf(error: unknown): Thrown {
  if (error instanceof Fault) {
    const { code, message, details } = error;
    return { kind: 'fault', code, message, ...(details === undefined ? {} : { details: [...details] }) };
  }
  if (!(error instanceof Error)) return { kind: 'error', message: String(error) };
  const { message, stack } = error;
  const facts = Object.fromEntries(Object.entries(error).filter(([, fact]) => PLAIN.has(typeof fact)));
  return { kind: 'error', message, stack, facts };
}

export function revived(thrown: Thrown): Error {
  if (thrown.kind === 'fault') return new Fault(thrown.code, thrown.message, thrown.details);
  const { message, stack, facts } = thrown;
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, facts);
}
