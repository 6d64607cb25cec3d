/** Bounds the polls of one thing that are held open at once: a link that many have is not to keep the node looking for all of them. */
import type { Deps } from './deps.ts';

const MOST_AT_ONCE = 8;

/**
 * @param id what is polled
 * @param seconds how long the caller would wait; one poll too many does not wait at all
 */
export async function holdPoll<Seen>(
  { memory: { openPolls } }: Pick<Deps, 'memory'>,
  id: string,
  seconds: number,
  poll: (seconds: number) => Promise<Seen>,
): Promise<Seen> {
  const open = openPolls.get(id) ?? 0;
  if (seconds === 0 || open >= MOST_AT_ONCE) return poll(0);
  openPolls.set(id, open + 1);
  try {
    return await poll(seconds);
  } finally {
    const left = (openPolls.get(id) ?? 1) - 1;
    if (left === 0) openPolls.delete(id);
    else openPolls.set(id, left);
  }
}
