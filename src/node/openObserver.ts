/** Opens what sends traces and metrics of this thread, where an extension does and is configured. */
import type { LogLine } from '../usecase/deps.ts';
import type { Observer } from '../usecase/tracing.ts';
import { type ExtensionConfig, startingExtensions } from './config/extensionConfig.ts';
import { version } from './version.ts';

/** @returns undefined where nothing is to be sent */
export async function openObserver(config: ExtensionConfig, warn: LogLine): Promise<Observer | undefined> {
  const [first] = startingExtensions(config).filter(([{ observe }]) => observe !== undefined);
  return first?.[0].observe?.(first[1], { version, warn });
}
