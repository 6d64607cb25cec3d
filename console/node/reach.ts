/** Whether the node can be reached, and what happens once it can again. */
import { signal } from '@preact/signals';
import { BASE_URL } from './here.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/** Since when the node cannot be reached; undefined while it can. */
export const lostSince = signal<Date | undefined>(undefined);

/** Grows each time the node is there again, or tells of changes again: what was loaded before may be out of date. */
export const returns = signal(0);

/** Has everything loaded again. */
export function noteReturn(): void {
  returns.value += 1;
}

/** Says that a request got no answer; the node is looked for until it is there. */
export function noteLost(): void {
  if (lostSince.peek() !== undefined) return;
  lostSince.value = new Date();
  void lookForNode();
}

async function lookForNode(): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    await pause(waitMs);
    const answer = await fetch(`${BASE_URL}/healthz`, { cache: 'no-store' }).catch(() => undefined);
    if (answer?.ok !== true) continue;
    lostSince.value = undefined;
    noteReturn();
    return;
  }
}

/** Less, where the browser says meanwhile that there is a network again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
  });
}
