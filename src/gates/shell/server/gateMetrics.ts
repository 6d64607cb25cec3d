/** The metrics of a gate in the Prometheus format, by prom-client; those of the core are beside them (nodeMetrics.ts). */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { Gauge, Histogram, Registry } from 'prom-client';
import type { CountedMetrics } from '../../../usecase/metrics.ts';
import type { GateMetrics } from '../gate.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface GateCounters extends GateMetrics {
  count(): Promise<CountedMetrics>;
}

export function gateMetrics(): GateCounters {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'countersign_request_seconds',
    help: 'Answered requests by gate, route and status, with the time to answer.',
    labelNames: ['gate', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  // In the core's thread the core measures it.
  if (!isMainThread) addLag(registry);
  return {
    request: (gate, route, status, seconds) => requests.observe({ gate, route, status }, seconds),
    count: () => registry.getMetricsAsJSON(),
  };
}

function addLag(registry: Registry): void {
  const delay = monitorEventLoopDelay();
  delay.enable();
  new Gauge({
    name: 'countersign_gate_eventloop_lag_p99_seconds',
    help: 'How late the event loop of the gate’s thread was, 99th percentile since the last time this was read.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(delay.percentile(99) / 1e9);
      delay.reset();
    },
  });
}
