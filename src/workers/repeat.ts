/** A scheduler: runs a task repeatedly, never twice at the same time, until it is stopped. */
export interface Worker {
  /** Resolves once the round under way has ended. */
  stop(): Promise<void>;
}

/**
 * @param pauseMs between the end of one round and the start of the next
 * @param failed is told of a round that threw; the next round comes all the same
 */
export function repeat(pauseMs: number, task: () => Promise<void>, failed: (error: unknown) => void): Worker {
  let stopped = false;
  let wake = () => {};
  const loop = (async () => {
    while (!stopped) {
      await task().catch(failed);
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  return {
    stop() {
      stopped = true;
      wake();
      return loop;
    },
  };
}
