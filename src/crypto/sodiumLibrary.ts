/** Finds libsodium. The single binary has another file in place of this one (scripts/binary/sodiumLibrary.cjs). */
import { createRequire } from 'node:module';
import type Sodium from 'sodium-native';

/** Loaded by a call and not by an import, so that a platform without the library can go on with another suite. */
export function sodiumLibrary(): typeof Sodium {
  return createRequire(import.meta.url)('sodium-native') as typeof Sodium;
}
