/** `countersign config check`: what the environment comes to, or everything that is wrong with it. */
import { Command } from 'commander';
import pc from 'picocolors';
import { type Config, ConfigError, readConfig } from '../../node/config.ts';

interface Setting {
  readonly name: string;
  /** As it would be written in the environment; null where there is none. */
  readonly value: string | null;
  readonly source: 'environment' | 'default';
}

/** Settings whose variables are called otherwise than they are; a group that is not set stands under its first. */
const OTHERWISE: Readonly<Record<string, string>> = {
  environment: 'AP2_ENV',
  oidc: 'OIDC_ISSUER',
  stripe: 'STRIPE_SECRET_KEY',
  stripeIssuesTokens: 'STRIPE_SPT',
};

export function configCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('config').description('See how the node is configured.');
  command
    .command('check')
    .description('Print the configuration that the environment comes to, secrets hidden, or every fault in it.')
    .option('--json', 'answer in JSON')
    .action((options: { readonly json?: boolean }) => check(env, options.json === true));
  return command;
}

function check(env: NodeJS.ProcessEnv, json: boolean): void {
  try {
    const settings = describe(readConfig(env), env);
    const width = Math.max(...settings.map(({ name }) => name.length));
    const lines = settings.map(({ name, value, source }) => {
      const text = `${name.padEnd(width)}  ${value ?? '(not set)'}`;
      return source === 'default' ? pc.dim(text) : text;
    });
    console.log(json ? JSON.stringify({ valid: true, settings }) : lines.join('\n'));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = error.message.split('\n');
    if (json) console.log(JSON.stringify({ valid: false, faults }));
    else console.error(faults.join('\n'));
    process.exitCode = 2;
  }
}

/** Every setting under the name of its variable. */
export function describe(config: Config, env: NodeJS.ProcessEnv): Setting[] {
  return flatten('', config)
    .filter(([path]) => path !== 'stripeLive')
    .map(([path, value]) => {
      const name = OTHERWISE[path] ?? variableOf(path);
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
  // An address of a database may carry a password.
  return String(value).replace(/^(\w+:\/\/[^/@:]*):[^/@]*@/, '$1:(hidden)@');
}
