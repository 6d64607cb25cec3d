/** OpenTelemetry's settings, as the node takes them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentBy, type TelemetryValues } from '../../../src/extensions/telemetry/telemetrySettings.ts';
import { ConfigError, readConfig } from '../../../src/node/config/config.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

test('traces and metrics are sent where a collector is named, and each may be left out', () => {
  const sent = (env: Record<string, string>) => {
    const { traces, metrics } = sentBy(readConfig(env).extensionSettings['telemetry'] as TelemetryValues) ?? {
      traces: false,
      metrics: false,
    };
    return { traces, metrics };
  };
  assert.deepEqual(sent({}), { traces: false, metrics: false });
  assert.deepEqual(sent({ OTEL_SERVICE_NAME: 'payments' }), { traces: false, metrics: false });
  assert.deepEqual(sent(ENDPOINT), { traces: true, metrics: true });
  assert.deepEqual(sent({ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'none' }), { traces: true, metrics: false });
  assert.deepEqual(sent({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c:4318/v1/metrics' }), {
    traces: false,
    metrics: true,
  });
  assert.deepEqual(sent({ OTEL_TRACES_EXPORTER: 'otlp' }), { traces: true, metrics: false });
  assert.equal(readConfig({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }).extensionSettings['telemetry'], undefined);
});

test('what is wrong is named with what would be right, and the collector’s secret is not shown', () => {
  for (const [env, expected] of [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, /http or https address of a collector/],
    [
      { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      /must be http\/protobuf or http\/json; collectors take both/,
    ],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'sometimes' }, /must be one of always_on/],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '2' }, /must be a part of one/],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' }, /HEADERS=\(hidden\): must be headers/],
  ] as const) {
    assert.throws(
      () => readConfig(env),
      (error: unknown) => error instanceof ConfigError && expected.test(error.message),
    );
  }
});
