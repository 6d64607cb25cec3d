/** A scheduler: runs a task repeatedly, never twice at the same time, until it is stopped. */
export interface Worker {
  /** Resolves once the round under way has ended. */
  stop(): Promise<void>;
}

interface RepeatingWorker extends Worker {
  /** Begins a round at once, or right after the one under way. */
  wake(): void;
}

/**
 * @param pauseMs between the end of one round and the start of the next
 * @param failed is told of a round that threw; the next round comes all the same
 */
export function repeat(pauseMs: number, task: () => Promise<void>, failed: (error: unknown) => void): RepeatingWorker {
  let stopped = false;
  let isWoken = false;
  let endPause = () => {};
  const loop = (async () => {
    while (!stopped) {
      isWoken = false;
      await task().catch(failed);
      if (stopped) return;
      if (isWoken) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  return {
    wake() {
      isWoken = true;
      endPause();
    },
    stop() {
      stopped = true;
      endPause();
      return loop;
    },
  };
}
