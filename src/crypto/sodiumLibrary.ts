/** Loads libsodium. The single binary replaces this file (scripts/binary/sodiumLibrary.cjs). */
import { createRequire } from 'node:module';
import type Sodium from 'sodium-native';

/** Loads the library when called, not when imported, so that a platform without it can use another suite. */
export function sodiumLibrary(): typeof Sodium {
  return createRequire(import.meta.url)('sodium-native') as typeof Sodium;
}
