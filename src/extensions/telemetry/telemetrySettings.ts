/** OpenTelemetry's own settings, as far as the node knows them; nothing is sent where they name no collector. */
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/, error: 'must be the http or https address of a collector' }).optional();
const exporter = z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).optional();
const milliseconds = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number of milliseconds')
  .optional();
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);

export const telemetryVariables = {
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,\s]+=[^,\r\n]*(,\s*[^=,\s]+=[^,\r\n]*)*$/, 'must be headers such as api-key=secret, by commas')
    .optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'], {
      error: 'must be http/protobuf or http/json; collectors take both at port 4318',
    })
    .optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds,
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds,
  OTEL_SERVICE_NAME: z.string().min(1).max(255).optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(', ')}` }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a part of one, such as 0.1')
    .optional(),
};

interface SentTelemetry {
  readonly traces: boolean;
  readonly metrics: boolean;
  /** OpenTelemetry's variables, which its packages read. */
  readonly variables: Readonly<Record<string, string>>;
}

export type TelemetryValues = { readonly [Name in keyof typeof telemetryVariables]?: string | undefined };

/** @returns undefined where nothing is to be sent */
export function sentBy(values: TelemetryValues = {}): SentTelemetry | undefined {
  if (values.OTEL_SDK_DISABLED === 'true') return undefined;
  const { OTEL_TRACES_EXPORTER: traced, OTEL_METRICS_EXPORTER: counted, OTEL_EXPORTER_OTLP_ENDPOINT: all } = values;
  const isOn = (named: string | undefined, endpoint: string | undefined) =>
    named === undefined ? (endpoint ?? all) !== undefined : named === 'otlp';
  const traces = isOn(traced, values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  const metrics = isOn(counted, values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT);
  if (!traces && !metrics) return undefined;
  const names = Object.keys(telemetryVariables) as (keyof TelemetryValues)[];
  const given = names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
  return { traces, metrics, variables: Object.fromEntries(given) };
}
