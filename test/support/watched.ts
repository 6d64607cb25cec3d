/** A store that notes the statements that are run on it, for tests of what is asked of the database and how. */
import { type Script, type Statement, type Store, statementsOf, type TimedScript } from '../../src/store/store.ts';

/** Not what a script puts into the row cache itself. */
function isAsked({ known }: Statement): boolean {
  return known === undefined;
}

/** @param statements where each is noted, those that a row cache may answer as well */
export function watched(store: Store, statements: Statement[]): Store {
  const noting = <T>(script: TimedScript<T>): TimedScript<T> =>
    function* (now): Script<T> {
      const inner = script(now);
      let step = inner.next();
      while (!step.done) {
        statements.push(...statementsOf(step.value).filter(isAsked));
        step = inner.next(yield step.value);
      }
      return step.value;
    };
  const overrides: Partial<Store> = {
    read: (script) => store.read(noting(script)),
    readApart: (script) => store.readApart(noting(script)),
    write: (tenantId, script, load) => store.write(tenantId, noting(script), load),
    stats: () => store.stats(),
  };
  return Object.assign(Object.create(store), overrides);
}
