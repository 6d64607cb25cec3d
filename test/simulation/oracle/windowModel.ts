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

/** @returns milliseconds since the epoch by the first ten characters of a ULID; undefined for what is no ULID */
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
  /** Amounts in it alone count. */
  readonly currency: string;
}

/** So many purchases are added up once, and then taken or left together. */
const BLOCK = 64;

/** What purchases come to. */
interface Sum {
  count: number;
  /** By currency. */
  readonly amounts: Map<string, number>;
}

/** Purchases that follow on each other in the record. */
interface Block {
  readonly all: Counted[];
  /** The latest moment of any in it, or before it. */
  latest: number;
  sums: Sums | undefined;
}

/** Of a block, as long as nothing in it changes. */
interface Sums {
  readonly first: number;
  readonly last: number;
  /** Until when all amounts count for certain. */
  readonly until: number;
  readonly ids: ReadonlySet<string>;
  /** By agent; of all agents together under no name. */
  readonly of: ReadonlyMap<string | undefined, Sum>;
}

/** Purchases in the order in which they were recorded. */
export class Counts {
  #blocks: Block[] = [];
  readonly #byId = new Map<string, { readonly counted: Counted; readonly block: Block }>();
  /** The latest moment that was seen: a clock that was ahead may have taken purchases out of their windows for good. */
  #latest = 0;

  see(now: number): void {
    this.#latest = Math.max(this.#latest, now);
  }

  /** What is recorded while a clock is behind may count as of the latest moment before it was set back: ids only grow. */
  add(counted: Counted): void {
    if (counted.at.every((at) => this.isBehind(at))) counted.at = [...counted.at, this.#latest];
    let block = this.#blocks.at(-1);
    if (block === undefined || block.all.length === BLOCK) {
      block = { all: [], latest: block?.latest ?? 0, sums: undefined };
      this.#blocks.push(block);
    }
    block.all.push(counted);
    block.latest = Math.max(block.latest, ...counted.at);
    block.sums = undefined;
    this.#byId.set(counted.id, { counted, block });
  }

  /** Changes what one counts as; nothing where it is not known. */
  change(id: string, changed: Partial<Pick<Counted, 'at' | 'until' | 'amount' | 'isOne'>>): void {
    const found = this.#byId.get(id);
    if (found === undefined) return;
    Object.assign(found.counted, changed);
    found.block.latest = Math.max(found.block.latest, ...found.counted.at);
    found.block.sums = undefined;
  }

  find(id: string): Counted | undefined {
    return this.#byId.get(id)?.counted;
  }

  /** Forgets what was recorded before a moment, which no window reaches any more. */
  forget(before: number): void {
    const kept = this.#blocks.findIndex(({ latest }) => latest >= before);
    for (const { all } of this.#blocks.splice(0, Math.max(0, kept))) for (const { id } of all) this.#byId.delete(id);
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
    const use = { count: { least: 0, most: 0 }, amount: { least: 0, most: 0 } };
    for (let place = this.#blocks.length - 1; place >= 0; place -= 1) {
      const block = this.#blocks[place] as Block;
      // Clocks that were set back are out of order by less than that.
      if (block.latest + LATE_MS < now - window.ms) break;
      block.sums ??= sumsOf(block);
      const { first, last, until, ids } = block.sums;
      if (last < now - window.ms - GRAIN_MS) continue;
      const isWhole = first > Math.max(now, this.#latest) - window.ms + GRAIN_MS && last <= now && now < until;
      if (isWhole && (without === undefined || !ids.has(without))) addSum(use, block.sums.of.get(window.agent), window);
      else for (const counted of block.all) if (counted.id !== without) this.#addOne(use, counted, window, now);
    }
    return use;
  }

  #addOne(use: Mutable, counted: Counted, window: Window, now: number): void {
    if (window.agent !== undefined && counted.agent !== window.agent) return;
    if (counted.at.every((at) => at < now - window.ms - GRAIN_MS)) return;
    const isCertain = this.isInside(counted, window.ms, now);
    if (counted.isOne) {
      use.count.most += 1;
      if (isCertain) use.count.least += 1;
    }
    if (window.currency !== counted.currency) return;
    use.amount.most += counted.amount;
    if (isCertain && now < counted.until) use.amount.least += counted.amount;
  }
}

interface Mutable {
  readonly count: { least: number; most: number };
  readonly amount: { least: number; most: number };
}

function addSum(use: Mutable, sum: Sum | undefined, { currency }: Window): void {
  if (sum === undefined) return;
  use.count.least += sum.count;
  use.count.most += sum.count;
  const amount = sum.amounts.get(currency) ?? 0;
  use.amount.least += amount;
  use.amount.most += amount;
}

function sumsOf({ all }: Block): Sums {
  const moments = all.flatMap(({ at }) => at);
  const of = new Map<string | undefined, Sum>();
  for (const counted of all) {
    for (const agent of [counted.agent, undefined]) {
      const sum = of.get(agent) ?? { count: 0, amounts: new Map<string, number>() };
      of.set(agent, sum);
      if (counted.isOne) sum.count += 1;
      sum.amounts.set(counted.currency, (sum.amounts.get(counted.currency) ?? 0) + counted.amount);
    }
  }
  return {
    first: Math.min(...moments),
    last: Math.max(...moments),
    until: Math.min(...all.filter(({ amount }) => amount > 0).map(({ until }) => until)),
    ids: new Set(all.map(({ id }) => id)),
    of,
  };
}
