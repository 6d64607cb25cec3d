/** Starts what sends traces and metrics, where a collector is configured; otherwise none of its packages is loaded. */
import type { LogLine } from '../../usecase/deps.ts';
import type { TelemetryConfig } from '../config/telemetryConfig.ts';
import type { Telemetry } from './openTelemetry.ts';

/** @returns undefined where nothing is to be sent */
export async function loadTelemetry(
  config: TelemetryConfig | undefined,
  warn: LogLine,
): Promise<Telemetry | undefined> {
  if (config === undefined) return undefined;
  const { startTelemetry } = await import('./openTelemetry.ts');
  return startTelemetry(config, warn);
}
