/** Follows what a page shows, while the page is visible. */
import { ask } from './page.js';

/** How long the node may wait for a change before it answers. */
const WAIT_SECONDS = 25;
const LEAST_PAUSE_MS = 1000;
const MOST_PAUSE_MS = 10_000;

/**
 * Asks the node again and again, and is answered at once when something changes.
 * @param isOpen false when there is nothing to follow any more
 * @param onSeen gets each answer
 * @param onFailed gets the error of each time that the node could not be asked
 */
export async function follow(isOpen, onSeen, onFailed) {
  let pause = LEAST_PAUSE_MS;
  while (isOpen()) {
    await visible();
    const asked = Date.now();
    // A browser has few connections to one address: a page in the background holds none.
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    document.addEventListener('visibilitychange', hide);
    try {
      const seen = await ask('GET', `/purchase?wait=${WAIT_SECONDS}`, undefined, hidden.signal);
      pause = LEAST_PAUSE_MS;
      await onSeen(seen);
    } catch (error) {
      if (!hidden.signal.aborted) {
        onFailed(error);
        pause = Math.min(pause * 2, MOST_PAUSE_MS);
      }
    } finally {
      document.removeEventListener('visibilitychange', hide);
    }
    // A node that stops answers at once.
    if (isOpen()) await after(asked + pause - Date.now());
  }
}

function visible() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
  });
}

function after(ms) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
