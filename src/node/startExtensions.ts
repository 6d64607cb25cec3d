/** Starts the extensions of a node, and gives it their parts. */
import type { Logger } from 'pino';
import type { Rail } from '../rails/rail.ts';
import type { Kernel } from '../usecase/deps.ts';
import type { Tracing } from '../usecase/tracing.ts';
import { type Config, ConfigError } from './config/config.ts';
import { startingExtensions } from './config/extensionConfig.ts';
import { tracedRail } from './tracedRail.ts';

/**
 * Finds out at the start of a node what the first purchase would find out. A service that cannot be reached is no reason not to
 * start: what comes meanwhile waits for it.
 * @throws ConfigError for a setting that the service behind an extension refuses
 */
export async function checkExtensions(config: Config, logger: Logger): Promise<void> {
  for (const [{ name, check }, values] of startingExtensions(config)) {
    const found = await check?.(values);
    if (found?.state === 'refused') {
      throw new ConfigError(`${found.setting}=(hidden): ${found.message} To mend it, ${found.remedy}.`);
    }
    if (found?.state !== 'unreachable') continue;
    const consequence = 'Payments stay UNKNOWN until it answers; check the network, and a proxy.';
    logger.warn({ extension: name, message: found.message, consequence }, 'extension.unreachable');
  }
}

/** @returns the rails, in the order of the list of extensions: the first is the one of purchases whose policy names none */
export async function startRails(config: Config, kernel: Kernel, options: StartOptions): Promise<readonly Rail[]> {
  const { isOffline, tracing } = options;
  const rails: Rail[] = [];
  for (const [extension, values] of startingExtensions(config)) {
    if (isOffline === true && extension.asksOthers === true) continue;
    const parts = await extension.start?.(kernel, values);
    rails.push(...(parts?.rails ?? []));
  }
  return tracing === undefined ? rails : rails.map((rail) => tracedRail(rail.id, rail, tracing));
}

interface StartOptions {
  /** True where nothing is served, and others are not asked. */
  readonly isOffline?: boolean | undefined;
  readonly tracing?: Tracing | undefined;
}
