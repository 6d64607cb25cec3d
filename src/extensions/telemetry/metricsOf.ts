/** The metrics of `/metrics` as OpenTelemetry has them: the same names, labels and buckets, so that one dashboard reads both. */
import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { CountedMetrics } from '../../usecase/metrics.ts';

type Metric = CountedMetrics[number];
/** One number of a metric, as prom-client gives it. */
interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Of a histogram: which of its series. */
  readonly metricName?: string;
}

/** @param startedAt when counting began, and @param now, in milliseconds since the epoch */
export function metricsOf(
  counted: CountedMetrics,
  resource: Resource,
  startedAt: number,
  now: number,
): ResourceMetrics {
  const times = { startTime: hrTime(startedAt), endTime: hrTime(now) };
  const metrics = counted.flatMap((metric) => dataOf(metric, times) ?? []);
  return { resource, scopeMetrics: [{ scope: { name: 'countersign' }, metrics }] };
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** @returns undefined for a metric that has no number yet */
function dataOf(metric: Metric, times: Times): MetricData | undefined {
  const samples = metric.values as readonly Sample[];
  if (samples.length === 0) return undefined;
  const shared = {
    descriptor: { name: metric.name, description: metric.help, unit: unitOf(metric.name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const numbers = () =>
    samples.map(({ labels, value }): DataPoint<number> => ({ ...times, attributes: labels, value }));
  // prom-client types its kinds as numbers and gives them as words.
  const kind = String(metric.type);
  if (kind === 'histogram') {
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(samples, times) };
  }
  if (kind !== 'counter') return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints: numbers() };
  return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() };
}

function unitOf(name: string): string {
  if (name.includes('_seconds')) return 's';
  return name.includes('_bytes') ? 'By' : '1';
}

/** Prometheus counts each bucket with those below it, OpenTelemetry alone. */
function histogramsOf(samples: readonly Sample[], times: Times): DataPoint<Histogram>[] {
  const series = new Map<
    string,
    { readonly attributes: Attributes; readonly bounds: number[]; readonly upTo: number[]; sum: number; count: number }
  >();
  for (const {
    labels: { le, ...attributes },
    metricName = '',
    value,
  } of samples) {
    const key = JSON.stringify(Object.entries(attributes).sort());
    const histogram = series.get(key) ?? { attributes, bounds: [], upTo: [], sum: 0, count: 0 };
    series.set(key, histogram);
    if (metricName.endsWith('_sum')) histogram.sum = value;
    else if (metricName.endsWith('_count')) histogram.count = value;
    else if (le !== '+Inf') {
      histogram.bounds.push(Number(le));
      histogram.upTo.push(value);
    }
  }
  return [...series.values()].map(({ attributes, bounds: boundaries, upTo, sum, count }) => {
    const counts = [...upTo, count].map((all, index) => all - (upTo[index - 1] ?? 0));
    return { ...times, attributes, value: { buckets: { boundaries, counts }, sum, count, hasMinMax: false } };
  });
}

/** Seconds and nanoseconds. */
function hrTime(milliseconds: number): HrTime {
  return [Math.floor(milliseconds / 1000), Math.round((milliseconds % 1000) * 1e6)];
}
