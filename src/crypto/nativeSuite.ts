/** The suite a node signs and verifies with. */
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { nodeCryptoSuite } from './nodeCrypto.ts';
import { sodiumSuite } from './sodium.ts';

/** libsodium where it loads, node:crypto elsewhere; both judge alike, they differ in speed. */
export function nativeSuite(): Suite {
  try {
    return sodiumSuite();
  } catch {
    return nodeCryptoSuite();
  }
}
