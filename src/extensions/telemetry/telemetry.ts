/** OpenTelemetry's extension: traces and metrics go to a collector, where one is named. Its packages are loaded only then. */
import { extension } from '../extension.ts';
import { sentBy, telemetryVariables } from './telemetrySettings.ts';

export const telemetry = extension({
  name: 'telemetry',
  settings: {
    variables: telemetryVariables,
    secrets: ['OTEL_EXPORTER_OTLP_HEADERS'],
    isConfigured: (values) => sentBy(values) !== undefined,
  },
  async observe(values, { version, warn }) {
    const { openTelemetry } = await import('./openTelemetry.ts');
    return openTelemetry(values, version, warn);
  },
});
