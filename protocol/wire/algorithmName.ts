/** What the headers of JWS and JSON Web Keys call an algorithm. */

/** RFC 9864 gives EdDSA by an Ed25519 key a name of its own, which WebCrypto exports. It is read as EdDSA (RFC 8037), and not written. */
export const ED25519_NAMES = ['EdDSA', 'Ed25519'] as const;

/** The name that is known here: both names of one algorithm become one. */
export function algorithmName<Name>(name: Name): Name | 'EdDSA' {
  return ED25519_NAMES.some((each) => each === name) ? 'EdDSA' : name;
}
