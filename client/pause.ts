/** The waits before a stream that broke is taken up again. */
import type { Abortable } from './transport.ts';

export const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** The wait after the given one. */
export function longerWait(ms: number): number {
  return Math.min(ms * 2, LONGEST_WAIT_MS);
}

/** @throws a signal's reason once it is aborted */
export function pause(ms: number, { signal }: Abortable): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort);
  });
}
