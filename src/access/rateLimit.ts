/**
 * Token buckets: each caller may make as many calls at once as its burst, and then as many a minute as its rate.
 * Buckets are kept in this process, so several nodes together allow a caller up to a burst each.
 */
export const TIERS = {
  free: { perMinute: 60, burst: 100 },
  pro: { perMinute: 300, burst: 500 },
  enterprise: { perMinute: 1000, burst: 2000 },
} as const satisfies Record<string, Rate>;
export type Tier = keyof typeof TIERS;

export interface Rate {
  readonly perMinute: number;
  readonly burst: number;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Calls per minute. */
  readonly limit: number;
  /** Calls that are left at this moment. */
  readonly remaining: number;
  /** Unix seconds when the bucket is full again. */
  readonly resetSeconds: number;
  /** Whole seconds until a call is allowed again; 0 when one is. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /**
   * Charges a call, unless none is left.
   * @param calls how many the call counts as, 1 when not given; where fewer are left it is refused, and charged nothing
   */
  charge(subject: string, tier: Tier, now: number, calls?: number): Verdict;
  /** The verdict a call would get, without charging it. */
  peek(subject: string, tier: Tier, now: number): Verdict;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was computed, in milliseconds since the epoch. */
  at: number;
}

/** Callers with a bucket. Beyond it the least recently charged one loses its bucket, and later starts with a full one. */
const CAPACITY = 100_000;

/** @param fixed one rate for all callers, instead of the tiers */
export function rateLimiter(fixed: Rate | undefined, capacity: number = CAPACITY): RateLimiter {
  const buckets = new Map<string, Bucket>();

  function bucketOf(subject: string, rate: Rate, now: number): Bucket {
    const bucket = buckets.get(subject) ?? { tokens: rate.burst, at: now };
    const refilled = bucket.tokens + (Math.max(0, now - bucket.at) * rate.perMinute) / 60_000;
    bucket.tokens = Math.min(rate.burst, refilled);
    bucket.at = now;
    return bucket;
  }

  function judge(subject: string, tier: Tier, now: number, cost: number): Verdict {
    const rate = fixed ?? TIERS[tier];
    const bucket = bucketOf(subject, rate, now);
    const needed = Math.max(1, cost);
    const allowed = bucket.tokens >= needed;
    if (cost > 0) {
      if (allowed) bucket.tokens -= cost;
      buckets.delete(subject);
      buckets.set(subject, bucket);
      if (buckets.size > capacity) buckets.delete(buckets.keys().next().value as string);
    }
    const missing = rate.burst - bucket.tokens;
    return {
      allowed,
      limit: rate.perMinute,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil(now / 1000 + (missing * 60) / rate.perMinute),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(((needed - bucket.tokens) * 60) / rate.perMinute)),
    };
  }

  return {
    charge: (subject, tier, now, calls = 1) => judge(subject, tier, now, calls),
    peek: (subject, tier, now) => judge(subject, tier, now, 0),
  };
}

/** The X-RateLimit headers of an answer. */
export function rateHeaders(verdict: Verdict): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(verdict.limit),
    'X-RateLimit-Remaining': String(verdict.remaining),
    'X-RateLimit-Reset': String(verdict.resetSeconds),
    ...(verdict.allowed ? {} : { 'Retry-After': String(verdict.retryAfterSeconds) }),
  };
}
