/** What a node counts. No label carries a DID or an id. */
import type { Registry } from 'prom-client';

/** Counts as data, which another thread adds to its own. */
export type CountedMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Metrics {
  /** One judgement of a purchase: allowed, or refused for these reasons. */
  decision(useCase: string, reasonCodes: readonly string[] | undefined): void;
  /** One answer of a rail, or none. */
  rail(rail: string, operation: string, outcome: string): void;
  /** One attempt at a webhook delivery. @param outcome `delivered`, or the kind of failure */
  delivery(outcome: string): void;
  /** Adds a figure that is read when metrics are asked for. @param help one sentence */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** How often the clock was found set back since the start. */
  timesSetBack(): number;
  /** The exposition text and its content type. */
  expose(): Promise<{ readonly text: string; readonly contentType: string }>;
  /** The same as data. */
  count(): Promise<CountedMetrics>;
}
