/** Waits for something that comes about by itself. */
import assert from 'node:assert/strict';

export async function until(
  what: string,
  check: () => Promise<boolean>,
  patienceMs = 12_000,
  pauseMs = 50,
): Promise<void> {
  const end = Date.now() + patienceMs;
  while (Date.now() < end) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  assert.fail(`${what} did not happen within ${patienceMs} ms`);
}
