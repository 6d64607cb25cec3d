// How better-sqlite3 is compiled.
import { fileURLToPath } from 'node:url';

const header = fileURLToPath(new URL('objectWrap.h', import.meta.url));

/** The environment of a compilation: see objectWrap.h. Compilers that do not know the option have no such settings. */
export const COMPILER_SETTINGS = {
  CXXFLAGS: `${process.env.CXXFLAGS ?? ''} -include ${JSON.stringify(header)}`.trim(),
};
