/** Random bytes for ids, generated in bulk: one call to the system's generator costs as much as thousands of bytes. */

const POOL_BYTES = 4096;

/**
 * @param generate returns new unpredictable bytes
 * @returns a function that returns bytes it never returned before; at most POOL_BYTES at once
 */
export function randomPool(generate: (size: number) => Uint8Array): (size: number) => Uint8Array {
  let pool = generate(POOL_BYTES);
  let used = 0;
  return (size) => {
    if (used + size > POOL_BYTES) {
      pool = generate(POOL_BYTES);
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
