/** A store that is opened to read, and to write only once something is written: what only reads leaves the file as it is. */
import type { Store } from './store.ts';

/** @param reading changes no byte of the file @param open opens the same file to write, after the other is closed */
export function openedToWrite(reading: Store, open: () => Store): Store {
  let current = reading;
  let opening: Promise<Store> | undefined;
  const writing = () => {
    opening ??= reading.close().then(() => {
      current = open();
      return current;
    });
    return opening;
  };
  const reader = () => opening ?? Promise.resolve(current);
  return {
    engine: reading.engine,
    write: async (tenantId, script, load) => (await writing()).write(tenantId, script, load),
    read: async (script) => (await reader()).read(script),
    readApart: async (script) => (await reader()).readApart(script),
    onSnapshot: async (work) => (await reader()).onSnapshot(work),
    stats: () => current.stats(),
    close: async () => (await reader()).close(),
  };
}
