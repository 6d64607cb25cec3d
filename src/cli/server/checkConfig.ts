/** `countersign config check`: the configuration that results from the environment, or every fault in it. */
import type { Config } from '../../node/config.ts';
import { configOf } from '../input/configOf.ts';
import { colour } from '../output/colour.ts';
import { print } from '../output/print.ts';

interface Setting {
  readonly name: string;
  /** As it would be written in the environment; null where it is not set. */
  readonly value: string | null;
  readonly source: 'environment' | 'default';
}

/** Settings whose variables have other names; a group that is not set is shown under its first variable. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  environment: 'AP2_ENV',
  oidc: 'OIDC_ISSUER',
  stripe: 'STRIPE_SECRET_KEY',
  stripeIssuesTokens: 'STRIPE_SPT',
};

export function checkConfig(env: NodeJS.ProcessEnv, options: { readonly json?: boolean }): void {
  const settings = describe(configOf(env), env);
  const width = Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.map(({ name, value, source }) => {
    const text = `${name.padEnd(width)}  ${value ?? '(not set)'}`;
    return source === 'default' ? colour.dim(text) : text;
  });
  print(options, { valid: true, settings }, lines.join('\n'));
}

/** Every setting under the name of its variable. */
export function describe(config: Config, env: NodeJS.ProcessEnv): Setting[] {
  return flatten('', config)
    .filter(([path]) => path !== 'stripeLive')
    .map(([path, value]) => {
      const name = OTHER_NAMES[path] ?? variableOf(path);
      const source = (env[name] ?? '') === '' ? 'default' : 'environment';
      return { name, value: shown(name, value), source };
    });
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
  if (/(_KEY|_SECRET|_TOKEN|_PASSWORD)$/.test(name)) return '(hidden)';
  // The address of a database may contain a password.
  return String(value).replace(/^(\w+:\/\/[^/@:]*):[^/@]*@/, '$1:(hidden)@');
}
