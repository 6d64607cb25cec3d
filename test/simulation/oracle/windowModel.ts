/**
 * What counts in moving windows. The clock that judged is known to the millisecond, but not which side an exact boundary is on, nor
 * whether what has ended is taken out at its end or when a worker notes it. So each figure has two ends: what counts for certain, and
 * what may count. A decision is wrong where both ends say so.
 */
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @param duration such as 24h @throws Error for what is no duration */
export function durationMs(duration: string): number {
  const found = /^(\d+)([smhd])$/.exec(duration);
  if (found === null) throw new Error(`${duration} is no duration.`);
  return Number(found[1]) * (UNIT_MS[found[2] as string] as number);
}

const ULID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** @returns milliseconds since the epoch by the first ten characters of a ULID; undefined for what is none */
export function timeInId(id: string): number | undefined {
  const found = /_([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id.toUpperCase());
  return found === null
    ? undefined
    : [...String(found[1])].reduce((time, digit) => time * 32 + ULID_DIGITS.indexOf(digit), 0);
}

/** An event’s time and what its purchase is counted by may differ by this much. */
const GRAIN_MS = 50;
/** How much later than it was recorded a purchase may be authorized. */
const LATE_MS = 3 * 86_400_000;

export interface Counted {
  readonly id: string;
  readonly agent: string;
  readonly currency: string;
  /** When it may begin to count, in milliseconds since the epoch; two where two moments are possible. */
  at: readonly number[];
  /** Until when it counts for certain. */
  until: number;
  /** In thousandths. */
  amount: number;
  /** Whether it counts as one purchase. */
  isOne: boolean;
}

interface Between {
  readonly least: number;
  readonly most: number;
}

export interface Use {
  readonly count: Between;
  readonly amount: Between;
}

export interface Window {
  readonly ms: number;
  /** Of all agents together where undefined. */
  readonly agent: string | undefined;
  /** Amounts of all currencies at face value where undefined. */
  readonly currency: string | undefined;
}

interface Placed {
  readonly counted: Counted;
  /** The latest moment of this one and all before it. */
  readonly latest: number;
}

/** Purchases in the order in which they were recorded. */
export class Counts {
  readonly #all: Placed[] = [];
  readonly #byId = new Map<string, Counted>();
  /** The latest moment that was seen: a clock that was ahead may have taken purchases out of their windows for good. */
  #latest = 0;

  see(now: number): void {
    this.#latest = Math.max(this.#latest, now);
  }

  /** What is recorded while a clock is behind may count as of the latest moment before it was set back: ids only grow. */
  add(counted: Counted): void {
    if (counted.at.every((at) => this.isBehind(at))) counted.at = [...counted.at, this.#latest];
    const latest = Math.max(this.#all.at(-1)?.latest ?? 0, ...counted.at);
    this.#all.push({ counted, latest });
    this.#byId.set(counted.id, counted);
  }

  find(id: string): Counted | undefined {
    return this.#byId.get(id);
  }

  /** Whether a clock judges that is behind one that judged before: which purchases had left a window by then is not known. */
  isBehind(now: number): boolean {
    return now + GRAIN_MS < this.#latest;
  }

  /** Whether a purchase is in a window for certain. */
  isInside(counted: Counted, ms: number, now: number): boolean {
    return counted.at.every((at) => at > Math.max(now, this.#latest) - ms + GRAIN_MS && at <= now);
  }

  /** @param without the purchase that is judged */
  use(window: Window, now: number, without?: string): Use {
    const count = { least: 0, most: 0 };
    const amount = { least: 0, most: 0 };
    for (let place = this.#all.length - 1; place >= 0; place -= 1) {
      const { counted, latest } = this.#all[place] as Placed;
      if (latest + LATE_MS < now - window.ms) break;
      if (counted.id === without || (window.agent !== undefined && counted.agent !== window.agent)) continue;
      if (counted.at.every((at) => at < now - window.ms - GRAIN_MS)) continue;
      const isCertain = this.isInside(counted, window.ms, now);
      const isMoney = window.currency === undefined || window.currency === counted.currency;
      if (counted.isOne) {
        count.most += 1;
        if (isCertain) count.least += 1;
      }
      if (!isMoney) continue;
      amount.most += counted.amount;
      if (isCertain && now < counted.until) amount.least += counted.amount;
    }
    return { count, amount };
  }
}
