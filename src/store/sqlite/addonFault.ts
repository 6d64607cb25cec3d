/** Whether SQLite's addon was compiled in a way that ends the process: see scripts/addon/objectWrap.h. */

/** What only a class with a cleanup hook for each object calls. */
const HOOKED = 'RemoveEnvironmentCleanupHook';

/**
 * @param addon the bytes of better_sqlite3.node
 * @param header the path of objectWrap.h, with which it is to be compiled
 * @returns what is wrong, with the remedy; undefined for an addon that may be loaded
 */
export function addonFault(addon: Buffer, header: string): string | undefined {
  if (!addon.includes(HOOKED)) return undefined;
  return (
    'better-sqlite3 was compiled against Node 24.19 or later as it comes, and would end this process while memory is freed ' +
    `(https://github.com/nodejs/node/issues/65446). Compile it again: CXXFLAGS='-include ${header}' ` +
    'npm_config_build_from_source=better-sqlite3 npm rebuild better-sqlite3'
  );
}
