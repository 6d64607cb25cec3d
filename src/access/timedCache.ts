/**
 * A cache of what is fetched from the sites of others, such as keys: entries last a few minutes, so that a site is not asked for
 * every purchase. A fetch that failed is not repeated at once.
 */

const LIFE_MS = 300_000;
const AGAIN_MS = 30_000;
const CAPACITY = 1000;

interface CacheEntry<T> {
  readonly value: Promise<T | undefined>;
  readonly since: number;
  until: number;
}

/**
 * @param ask fetches what has a name, or undefined where that fails
 * @param clock milliseconds since the epoch
 * @returns a function that gives what has a name; where that does not suffice and is older than 30 s, it is asked for again
 */
export function timedCache<T>(
  ask: (name: string) => Promise<T | undefined>,
  clock: () => number,
): (name: string, suffices?: (value: T) => boolean) => Promise<T | undefined> {
  const known = new Map<string, CacheEntry<T>>();
  const fetchAnew = (name: string): Promise<T | undefined> => {
    known.delete(name);
    const oldest = known.keys().next();
    if (known.size >= CAPACITY && !oldest.done) known.delete(oldest.value);
    const entry: CacheEntry<T> = { value: ask(name).catch(() => undefined), since: clock(), until: clock() + LIFE_MS };
    known.set(name, entry);
    void entry.value.then((value) => {
      entry.until = clock() + (value === undefined ? AGAIN_MS : LIFE_MS);
    });
    return entry.value;
  };
  return async (name, suffices = () => true) => {
    const found = known.get(name);
    if (found === undefined || found.until <= clock()) return fetchAnew(name);
    const value = await found.value;
    if (value === undefined || suffices(value) || clock() - found.since < AGAIN_MS) return value;
    // Another caller may have asked again while this one waited.
    const latest = known.get(name);
    return latest === undefined || latest === found ? fetchAnew(name) : latest.value;
  };
}
