/** Starts the extensions of a node, and gives it their parts. */
import type { Logger } from 'pino';
import type { EventHooks, Parts } from '../extensions/extension.ts';
import type { Kernel } from '../usecase/deps.ts';
import type { Tracing } from '../usecase/tracing.ts';
import { type Config, ConfigError } from './config/config.ts';
import { schedulesOf, startingExtensions } from './config/extensionConfig.ts';
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

/** One line for all settings that do nothing, as EXTENSIONS leaves out what reads them. */
export function warnOfIgnored({ ignoredSettings: settings }: Pick<Config, 'ignoredSettings'>, logger: Logger): void {
  if (settings.length === 0) return;
  logger.warn({ settings, reason: 'EXTENSIONS leaves out the extensions that read them' }, 'settings.ignored');
}

/** @returns all parts, in the order of the list of extensions: the first rail is the one of purchases whose policy names none */
export async function startExtensions(config: Config, kernel: Kernel, options: StartOptions): Promise<StartedParts> {
  const { isOffline, tracing } = options;
  const started: Parts[] = [];
  const services = new Map<string, object>();
  for (const [extension, values] of startingExtensions(config)) {
    if (isOffline === true && extension.asksOthers === true) continue;
    const parts = (await extension.start?.(kernel, values)) ?? {};
    started.push(parts);
    if (parts.services !== undefined) services.set(extension.name, parts.services);
  }
  const rails = started.flatMap((parts) => parts.rails ?? []);
  return {
    rails: tracing === undefined ? rails : rails.map((rail) => tracedRail(rail.id, rail, tracing)),
    authorizers: started.flatMap((parts) => parts.authorizers ?? []),
    exchanges: started.flatMap((parts) => parts.exchanges ?? []),
    protocols: started.flatMap((parts) => parts.protocols ?? []),
    hooks: started.flatMap((parts) => parts.hooks ?? []),
    schedules: [...schedulesOf(config.extensions), ...started.flatMap((parts) => parts.schedules ?? [])],
    deliveries: started.flatMap((parts) => parts.deliveries ?? []),
    watches: started.flatMap((parts) => parts.watches ?? []),
    cosigners: started.flatMap((parts) => parts.cosigners ?? []),
    services,
  };
}

interface StartedParts extends Required<Omit<Parts, 'hooks' | 'services'>> {
  /** Of each extension that has some. */
  readonly hooks: readonly Partial<EventHooks>[];
  /** By the names of their extensions. */
  readonly services: ReadonlyMap<string, object>;
}

interface StartOptions {
  /** True where nothing is served, and others are not asked. */
  readonly isOffline?: boolean | undefined;
  readonly tracing?: Tracing | undefined;
}
