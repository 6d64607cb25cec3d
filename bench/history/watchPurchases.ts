/** Purchases that go on one after the other, and how long each of them took. */
import { median } from '../report.ts';

/** Between the starts of two purchases, so that the machine is at work and not full. */
const PACE_MS = 25;

/** Milliseconds. */
export interface Usual {
  readonly medianMs: number;
  /** The longest of ten purchases, the middle one of such. A machine with other work has long ones without any reading. */
  readonly longestMs: number;
}

export interface PurchaseWatch {
  /** Waits for so many tens of purchases, without any reading. @returns what is usual then */
  quiet(tens: number): Promise<Usual>;
  /** The longest of the purchases that were under way while something ran. */
  during(work: () => Promise<void>): Promise<{ readonly longestMs: number }>;
  /** @throws what a purchase threw */
  stop(): Promise<void>;
}

/** @param buy makes one purchase, whose number it is given */
export function watchPurchases(buy: (number: number) => Promise<void>): PurchaseWatch {
  const took: { readonly startedAt: number; readonly ms: number }[] = [];
  let stopped = false;
  const running = (async () => {
    for (let number = 0; !stopped; number++) {
      const startedAt = performance.now();
      await buy(number);
      const ms = performance.now() - startedAt;
      took.push({ startedAt, ms });
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, PACE_MS - ms)));
    }
  })();
  const failed = running.then(() => new Promise<never>(() => {}));
  const until = async (count: number) => {
    while (took.length < count) await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 5))]);
  };
  return {
    async quiet(tens) {
      const from = took.length;
      await until(from + 10 * tens);
      const all = took.slice(from).map(({ ms }) => ms);
      const longest = Array.from({ length: tens }, (_, ten) => Math.max(...all.slice(10 * ten, 10 * ten + 10)));
      return { medianMs: median(all), longestMs: median(longest) };
    },
    async during(work) {
      const started = performance.now();
      await Promise.race([failed, work()]);
      const ended = performance.now();
      // Until one that began afterwards is over, and so those before it.
      await until(took.length + 2);
      const meanwhile = took.filter(({ startedAt, ms }) => startedAt < ended && startedAt + ms > started);
      return { longestMs: Math.max(0, ...meanwhile.map(({ ms }) => ms)) };
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
