// How better-sqlite3 is compiled.
import { fileURLToPath } from 'node:url';

const header = fileURLToPath(new URL('objectWrap.h', import.meta.url));

/**
 * The environment of a compilation against the headers of a Node: see objectWrap.h, which 24.19 and later of that line need.
 * @param version of Node, such as `24.21.0`
 */
export function compilerSettings(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major !== 24 || minor < 19) return {};
  return { CXXFLAGS: `${process.env.CXXFLAGS ?? ''} -include ${JSON.stringify(header)}`.trim() };
}
