/** Random bytes for ids, drawn in bulk: one call to the system's generator costs as much as thousands of bytes of it. */

const POOL_BYTES = 4096;

/**
 * @param draw gives fresh unpredictable bytes
 * @returns gives bytes that were never given before; at most POOL_BYTES at once
 */
export function randomPool(draw: (size: number) => Uint8Array): (size: number) => Uint8Array {
  let pool = draw(POOL_BYTES);
  let used = 0;
  return (size) => {
    if (used + size > POOL_BYTES) {
      pool = draw(POOL_BYTES);
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
