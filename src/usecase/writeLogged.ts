/** A commit whose script has something to say: a script may run again, or come to nothing, so its lines wait for the commit. */
import type { Load, Script } from '../store/store.ts';
import type { Deps, Log, LogLine } from './deps.ts';

/**
 * As store.write, with the dependencies that the script has to log with.
 * @param script is given them, and its time in milliseconds since the epoch
 */
export async function writeLogged<T>(
  deps: Deps,
  tenantId: string,
  script: (own: Deps, now: number) => Script<T>,
  load?: Load,
): Promise<T> {
  let lines: (() => void)[] = [];
  const later =
    (say: LogLine): LogLine =>
    (event, facts) =>
      void lines.push(() => say(event, facts));
  const log: Log = { info: later(deps.log.info), warn: later(deps.log.warn), error: later(deps.log.error) };
  const own: Deps = { ...deps, log };
  const logged = (now: number) => {
    lines = [];
    return script(own, now);
  };
  const result = await deps.store.write(tenantId, logged, load);
  for (const say of lines) say();
  return result;
}
