/** OpenTelemetry in one thread of a node: its packages are loaded here, and so only where a collector is configured. */
import { hostname } from 'node:os';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { LogLine } from '../../usecase/deps.ts';
import type { Observer } from '../../usecase/tracing.ts';
import { metricsOf } from './metricsOf.ts';
import { tracingBy } from './spans.ts';
import { sentBy, type TelemetryValues } from './telemetrySettings.ts';

const STOP_MS = 1000;
const WARN_EVERY_MS = 60_000;

/** @param version of this program @param warn is told of a collector that takes nothing, once a minute */
export function openTelemetry(values: TelemetryValues, version: string, warn: LogLine): Observer {
  const { traces = false, metrics = false, variables = {} } = sentBy(values) ?? {};
  // The packages read their settings there; some of these may come from a file.
  Object.assign(process.env, variables);
  warnOfFaults(warn);
  const resource = describeNode(version);
  const isJson = variables['OTEL_EXPORTER_OTLP_PROTOCOL'] === 'http/json';
  const processor = new BatchSpanProcessor(isJson ? new JsonTraces() : new ProtobufTraces());
  const spans = traces ? new BasicTracerProvider({ resource, spanProcessors: [processor] }) : undefined;
  const startedAt = Date.now();
  let meters: MeterProvider | undefined;
  return {
    tracing: spans && tracingBy(spans.getTracer('countersign', version)),
    sendMetrics(collect) {
      if (!metrics) return;
      const reader = new PeriodicExportingMetricReader({
        exporter: isJson ? new JsonMetrics() : new ProtobufMetrics(),
        ...intervalOf(variables['OTEL_METRIC_EXPORT_INTERVAL']),
        metricProducers: [
          {
            collect: async () => ({
              resourceMetrics: metricsOf(await collect(), resource, startedAt, Date.now()),
              errors: [],
            }),
          },
        ],
      });
      meters = new MeterProvider({ resource, readers: [reader] });
    },
    async stop() {
      const limit = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      const ended = Promise.allSettled([spans?.shutdown(), meters?.shutdown()]);
      await Promise.race([ended, limit]);
    },
  };
}

/** One that exports takes longer than its interval would be refused. */
function intervalOf(given: string | undefined): {
  readonly exportIntervalMillis?: number;
  readonly exportTimeoutMillis?: number;
} {
  if (given === undefined) return {};
  const exportIntervalMillis = Number(given);
  return { exportIntervalMillis, exportTimeoutMillis: Math.min(exportIntervalMillis, 30_000) };
}

/** Where OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say something else, that holds. */
function describeNode(version: string): Resource {
  const own = resourceFromAttributes({
    'service.name': 'countersign',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
  });
  return own.merge(detectResources({ detectors: [envDetector] }));
}

function warnOfFaults(warn: LogLine): void {
  let quietUntil = 0;
  const tell = (message: string) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + WARN_EVERY_MS;
    warn('telemetry.failed', { error: message });
  };
  const quiet = () => {};
  diag.setLogger({ error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN);
}
