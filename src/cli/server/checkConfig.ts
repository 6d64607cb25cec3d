/** `countersign config check`: the configuration that results from the settings, each with its source, or every fault in them. */
import { type Config, SANDBOX_RATES, SETTINGS } from '../../node/config/config.ts';
import { readableText, readSettings, type Settings } from '../../node/config/settingLayers.ts';
import { configOf } from '../input/configOf.ts';
import { type Cell, columns } from '../output/layout.ts';
import { colour, print } from '../output/print.ts';

interface Setting {
  readonly name: string;
  /** As it would be written in the environment; null where it is not set. */
  readonly value: string | null;
  /** `environment`, `default`, or the path of the file that it is from. */
  readonly source: string;
}

/** Settings whose variables have other names; a group that is not set is shown under its first variable. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  environment: 'AP2_ENV',
  oidc: 'OIDC_ISSUER',
};

const { limits, localLimits } = SANDBOX_RATES;
/** Where PORT is 0. */
const CHOSEN_ADDRESS = 'http://localhost with the port that is chosen at the start';

/** What holds where a setting is not set, and no value of it would say the same. */
const UNSET: Readonly<Record<Config['environment'], Readonly<Record<string, string>>>> = {
  sandbox: {
    BASE_URL: CHOSEN_ADDRESS,
    SANDBOX_RATE_PER_MINUTE: `${limits.perMinute}, and ${localLimits.perMinute} from this machine`,
    SANDBOX_BURST: `${limits.burst}, and ${localLimits.burst} from this machine`,
  },
  production: { BASE_URL: CHOSEN_ADDRESS },
};

export function checkConfig(env: NodeJS.ProcessEnv, options: { readonly json?: boolean }): void {
  const config = configOf(env);
  const layers = readSettings(env);
  const settings = describe(config, layers);
  const rows = settings.map(({ name, value, source }): Cell[] => {
    const paint = source === 'default' ? colour.dim : (text: string) => text;
    return [name, source, value ?? UNSET[config.environment][name] ?? 'none'].map((text) => ({ text, paint }));
  });
  const warnings = [
    ...layers.readable.map((file) => `${readableText(file)} chmod 600 ${file}`),
    ...config.ignoredSettings.map((name) => `${name} does nothing: EXTENSIONS leaves out the extension that reads it.`),
  ];
  const table = columns(['SETTING', 'FROM', 'IN FORCE'], rows);
  print(options, { valid: true, settings, warnings }, [table, ...warnings].join('\n'));
}

/** Every setting under the name of its variable, with what is in force. */
export function describe(config: Config, settings: Settings): Setting[] {
  const { values, sources } = settings;
  const sourceOf = (name: string) => sources.get(name) ?? 'default';
  const known = settingsOf({ ...config, baseUrl: config.baseUrl ?? defaultAddress(config) }, sourceOf);
  const names = new Set(known.map(({ name }) => name));
  // Of a group that is not set only the first was named.
  const others = SETTINGS.filter((name) => !names.has(name));
  return [...known, ...others.map((name) => ({ name, value: shown(name, values[name]), source: sourceOf(name) }))];
}

/** @returns undefined for a port that is chosen at the start */
function defaultAddress({ port }: Config): string | undefined {
  return port === 0 ? undefined : `http://localhost:${port}`;
}

function settingsOf(
  { extensionSettings, ignoredSettings: _, ...config }: Config,
  sourceOf: (name: string) => string,
): Setting[] {
  const own = flatten('', config).map(([path, value]) => [OTHER_NAMES[path] ?? variableOf(path), value] as const);
  const shared: readonly string[] = ['AP2_ENV', 'WEBHOOK_ALLOW_PRIVATE'];
  const others = Object.values(extensionSettings)
    .flatMap((values) => Object.entries(values))
    .filter(([name]) => !shared.includes(name));
  return [...own, ...others].map(([name, value]) => ({ name, value: shown(name, value), source: sourceOf(name) }));
}

function flatten(prefix: string, group: object): [string, unknown][] {
  return Object.entries(group).flatMap(([name, value]): [string, unknown][] => {
    const path = prefix === '' ? name : prefix + name.charAt(0).toUpperCase() + name.slice(1);
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isGroup ? flatten(path, value) : [[path, value]];
  });
}

/** `webhookRetrySeconds` is WEBHOOK_RETRY_SECONDS. */
function variableOf(path: string): string {
  return path.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function shown(name: string, value: unknown): string | null {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return null;
  if (/(_KEY|_SECRET|_TOKEN|_PASSWORD|_HEADERS)$/.test(name)) return '(hidden)';
  // The address of a database or of a mail server may contain a password, and that an @.
  return String(value).replace(/^(\w+:\/\/[^/@:]*):[^/]*@/, '$1:(hidden)@');
}
