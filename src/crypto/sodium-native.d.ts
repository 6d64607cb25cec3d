declare module 'sodium-native' {
  interface Sodium {
    readonly crypto_sign_PUBLICKEYBYTES: number;
    readonly crypto_sign_SECRETKEYBYTES: number;
    readonly crypto_sign_BYTES: number;
    /** Fills both keys from a 32-byte seed. */
    crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
    /** Whether 32 bytes are the canonical encoding of a point of prime order. */
    crypto_core_ed25519_is_valid_point(point: Uint8Array): boolean;
    crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
    crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  }
  const sodium: Sodium;
  export default sodium;
}
