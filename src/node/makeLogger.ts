/** The log: a line of JSON for an event, on standard error, secrets hidden. */
import pino, { type Logger } from 'pino';
import type { Log } from '../usecase/deps.ts';
import type { Tracing } from '../usecase/tracing.ts';

/** @param traceIds of what runs, where traces are made */
export function makeLogger(level: string, traceIds: Tracing['ids'] = () => undefined): Logger {
  const redact = { paths: ['*.authorization', '*.apiKey', '*.approvalToken', '*.key', '*.secret'], censor: '(hidden)' };
  return pino(
    { level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin: () => traceIds() ?? {} },
    pino.destination({ dest: 2, sync: false }),
  );
}

export function logTo(logger: Logger): Log {
  return {
    info: (event, facts) => logger.info(facts, event),
    warn: (event, facts) => logger.warn(facts, event),
    error: (event, facts) => logger.error(facts, event),
  };
}
