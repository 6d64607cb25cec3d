/** A store whose reads and writes are spans of the trace that asks for them; what asks outside of a trace is not traced. */
import { AsyncResource } from 'node:async_hooks';
import type { Script, Store, TimedScript } from '../store/store.ts';
import type { Tracing } from '../usecase/tracing.ts';

export function tracedStore(store: Store, tracing: Tracing): Store {
  const system = store.engine === 'sqlite' ? 'sqlite' : 'postgresql';
  const traced = <T>(operation: string, ask: () => Promise<T>): Promise<T> => {
    if (tracing.current() === undefined) return ask();
    return tracing.span(`store ${operation}`, 'client', (span) => {
      span.set({ 'db.system.name': system, 'db.operation.name': operation });
      return ask();
    });
  };
  return {
    engine: store.engine,
    write: (tenantId, script, load) => traced('write', () => store.write(tenantId, inContext(script), load)),
    read: (script) => traced('read', () => store.read(script)),
    readApart: (script) => traced('read', () => store.readApart(script)),
    onSnapshot: (work) => store.onSnapshot(work),
    stats: () => store.stats(),
    close: () => store.close(),
  };
}

/** A script is run by the turn that commits it; what it stores belongs to the trace that asked for it all the same. */
function inContext<T>(script: TimedScript<T>): TimedScript<T> {
  const run = AsyncResource.bind(<Answer>(act: () => Answer): Answer => act());
  return function* (now): Script<T> {
    const steps = run(() => script(now));
    let step = run(() => steps.next());
    while (step.done !== true) {
      const { value } = step;
      try {
        const result = yield value;
        step = run(() => steps.next(result));
      } catch (error) {
        step = run(() => steps.throw(error));
      }
    }
    return step.value;
  };
}
