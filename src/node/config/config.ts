/** The environment, read once: every variable checked, every fault reported together with its remedy. */
import { z } from 'zod';
import { isCidr, isLoopback } from '../../access/clientAddress.ts';
import {
  allowsPrivate,
  type ExtensionConfig,
  ExtensionEnvironment,
  extensionFaults,
  extensionsOf,
  settingsOfAbsent,
} from './extensionConfig.ts';
import { type PeopleConfig, PeopleEnvironment, peopleOf } from './peopleConfig.ts';
import { type SocketConfig, SocketEnvironment, socketsOf } from './socketConfig.ts';

const wholeNumber = (max: number) =>
  z.coerce.number({ error: 'must be a whole number' }).int('must be a whole number').min(1).max(max);
const wholeSeconds = (fallback: number, max: number) => wholeNumber(max).default(fallback);

const Environment = z.object({
  AP2_ENV: z.enum(['sandbox', 'production'], { error: 'must be sandbox or production' }).default('sandbox'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce
    .number({ error: 'must be a port, 0 to 65535' })
    .int('must be a port, 0 to 65535')
    .min(0, 'must be a port, 0 to 65535')
    .max(65535, 'must be a port, 0 to 65535')
    .default(8402),
  BASE_URL: z
    .string()
    .regex(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, 'must be an http or https address without query')
    .refine((text) => isAscii(text) || URL.canParse(text), 'must be an http or https address')
    // A card is signed in ASCII, so that a domain of other letters stands there as DNS has it.
    .transform((text) => (isAscii(text) ? text : new URL(text).href).replace(/\/+$/, ''))
    .optional(),
  DATA_DIR: z.string().min(1).default('./data/node'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// (leave it out for SQLite in DATA_DIR)')
    .optional(),
  DATABASE_REPLICA_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  ISSUER_KEY_FILE: z.string().min(1).optional(),
  ROOT_KEY_FILE: z.string().min(1).optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^ak_(test|live)_[0-9A-Za-z]{32}$/, 'must be ak_test_ or ak_live_ and 32 letters and digits')
    .optional(),
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .regex(/^\d{1,7}(,\d{1,7}){5}$/, 'must be six whole numbers of seconds with commas between, one for each attempt')
    .transform((text) => text.split(',').map(Number))
    .default([0, 60, 300, 1800, 7200, 86_400]),
  WEBHOOK_TIMEOUT_SECONDS: wholeSeconds(30, 30),
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .optional(),
  SANDBOX_RATE_PER_MINUTE: wholeNumber(1_000_000_000).optional(),
  SANDBOX_BURST: wholeNumber(1_000_000_000).optional(),
  INTENT_TTL_SECONDS: wholeSeconds(3600, 86_400),
  APPROVAL_TTL_SECONDS: wholeSeconds(300, 86_400),
  AP2_AUDIENCES: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.string().min(1, 'must be names with commas between').max(200)).max(20))
    .optional(),
  RAIL_TIMEOUT_SECONDS: wholeSeconds(10, 60),
  RAIL_RETRY_SECONDS: z
    .string()
    .regex(/^\d{1,5}(,\d{1,5}){0,19}$/, 'must be whole numbers of seconds with commas between')
    .transform((text) => text.split(',').map(Number))
    .default([3, 5, 15, 60, 300, 1800]),
  RAIL_RESEND_SECONDS: wholeSeconds(82_800, 82_800),
  RAIL_GIVE_UP_SECONDS: wholeSeconds(90_000, 604_800),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be the https address of an OpenID Connect provider' })
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  ...ExtensionEnvironment,
  ...PeopleEnvironment,
  ...SocketEnvironment,
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((network) => network.trim()))
    .pipe(z.array(z.string().refine(isCidr, 'must be networks such as 127.0.0.1/32,10.0.0.0/8')))
    .default([]),
  CORS_ORIGINS: z
    .string()
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .pipe(
      z.array(z.string().regex(/^https?:\/\/[^/?#\s]+$/, 'must be origins such as https://shop.example, by commas')),
    )
    .default([]),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
});

/** What the sandbox takes of each caller where it is not set: more on its own machine, where a person explores by clicking. */
export const SANDBOX_RATES = { limits: { perMinute: 30, burst: 50 }, localLimits: { perMinute: 300, burst: 300 } };

/** The parts that a node plays, as the samples of AP2 v0.2 name them. */
const SAMPLE_AUDIENCES = ['credential-provider', 'merchant-payment-processor'];

/** The name of every variable that is read. */
export const SETTINGS: readonly string[] = Object.keys(Environment.shape);

interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret: string | undefined;
}

export interface Config extends ExtensionConfig, PeopleConfig, SocketConfig {
  readonly environment: 'sandbox' | 'production';
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** A replica of that database, for long reads. */
  readonly databaseReplicaUrl: string | undefined;
  /** The key that signs. */
  readonly issuerKeyFile: string;
  /** The key that everything sealed or derived comes from. */
  readonly rootKeyFile: string;
  readonly bootstrapApiKey: string | undefined;
  /** How long to wait before each attempt at a delivery. */
  readonly webhookRetrySeconds: readonly number[];
  /** How long one attempt at a delivery may take. */
  readonly webhookTimeoutSeconds: number;
  /** Whether webhooks may go to private addresses, and over http. */
  readonly webhookAllowPrivate: boolean;
  /** How long to wait for a rail. */
  readonly railTimeoutSeconds: number;
  /** Waits between tries that a rail did not answer; the last one repeats. */
  readonly railRetrySeconds: readonly number[];
  /** How long the same request is sent again; rails remember its key for a day. */
  readonly railResendSeconds: number;
  /** After which time an unanswered request that the rail knows nothing of has failed. */
  readonly railGiveUpSeconds: number;
  /** Undefined where they depend on where a caller is (makeDeps.ts). */
  readonly sandboxRatePerMinute: number | undefined;
  readonly sandboxBurst: number | undefined;
  readonly intentTtlSeconds: number;
  readonly approvalTtlSeconds: number;
  /** What the last mandate of a chain may be made for, besides the node's address. */
  readonly ap2Audiences: readonly string[];
  /** The identity provider that people log in through. */
  readonly oidc: OidcConfig | undefined;
  /** Origins whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** Networks of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
  /** The names of those that are set for extensions which the node runs without. */
  readonly ignoredSettings: readonly string[];
}

/** Everything that is wrong with the environment, one line a fault. */
export class ConfigError extends Error {}

/** @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const absent = settingsOfAbsent(env['EXTENSIONS'] || undefined);
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const present = Object.fromEntries(given.filter(([name]) => !absent.includes(name)));
  const ignored = given.flatMap(([name]) => (absent.includes(name) ? [name] : []));
  // Read once in a process: to compile code for it takes longer than the check itself.
  const parsed = Environment.safeParse(present, { jitless: true });
  if (parsed.success) {
    const faults = crossChecks(parsed.data);
    if (faults.length === 0) return { ...configOf(parsed.data), ignoredSettings: ignored };
    throw new ConfigError(faults.join('\n'));
  }
  const wrong = new Map<string, string>();
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0]);
    if (!wrong.has(name)) wrong.set(name, `${name}=${shown(name, present[name])}: ${message}`);
  }
  throw new ConfigError([...wrong.values(), ...faultsAmong(present, wrong)].join('\n'));
}

/** What else is wrong with settings that are right each by itself, so that all faults are told at once. */
function faultsAmong(present: Readonly<Record<string, unknown>>, wrong: ReadonlyMap<string, unknown>): string[] {
  const rest = Environment.safeParse(Object.fromEntries(Object.entries(present).filter(([name]) => !wrong.has(name))));
  if (!rest.success) return [];
  const environments = wrong.has('AP2_ENV') ? (['sandbox', 'production'] as const) : [rest.data.AP2_ENV];
  const [first = [], ...others] = environments.map((AP2_ENV) => crossChecks({ ...rest.data, AP2_ENV }));
  // Whether something goes with a setting that is wrong itself cannot be said before that one is right.
  const isCertain = (fault: string) => ![...wrong.keys()].some((name) => fault.includes(name));
  return first.filter((fault) => isCertain(fault) && others.every((faults) => faults.includes(fault)));
}

function configOf(values: z.output<typeof Environment>): Omit<Config, 'ignoredSettings'> {
  return {
    environment: values.AP2_ENV,
    host: values.HOST,
    port: values.PORT,
    baseUrl: values.BASE_URL,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    issuerKeyFile: values.ISSUER_KEY_FILE ?? `${values.DATA_DIR}/issuer.key`,
    rootKeyFile: values.ROOT_KEY_FILE ?? `${values.DATA_DIR}/root.key`,
    bootstrapApiKey: values.BOOTSTRAP_API_KEY,
    webhookRetrySeconds: values.WEBHOOK_RETRY_SECONDS,
    webhookTimeoutSeconds: values.WEBHOOK_TIMEOUT_SECONDS,
    webhookAllowPrivate: allowsPrivate(values),
    railTimeoutSeconds: values.RAIL_TIMEOUT_SECONDS,
    railRetrySeconds: values.RAIL_RETRY_SECONDS,
    railResendSeconds: values.RAIL_RESEND_SECONDS,
    railGiveUpSeconds: values.RAIL_GIVE_UP_SECONDS,
    sandboxRatePerMinute: values.SANDBOX_RATE_PER_MINUTE,
    sandboxBurst: values.SANDBOX_BURST,
    intentTtlSeconds: values.INTENT_TTL_SECONDS,
    approvalTtlSeconds: values.APPROVAL_TTL_SECONDS,
    ap2Audiences: values.AP2_AUDIENCES ?? (values.AP2_ENV === 'sandbox' ? SAMPLE_AUDIENCES : []),
    oidc: oidcOf(values),
    ...extensionsOf(values),
    ...peopleOf(values),
    ...socketsOf(values),
    corsOrigins: values.CORS_ORIGINS,
    trustedProxies: values.TRUSTED_PROXIES,
    logLevel: values.LOG_LEVEL,
  };
}

function oidcOf(values: z.output<typeof Environment>): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  return issuer === undefined || clientId === undefined ? undefined : { issuer, clientId, clientSecret };
}

function crossChecks(values: z.output<typeof Environment>): string[] {
  return [...replicaFaults(values), ...keyFaults(values), ...oidcFaults(values), ...extensionFaults(values)];
}

function replicaFaults(values: z.output<typeof Environment>): string[] {
  const url = values.DATABASE_REPLICA_URL;
  if (url === undefined || values.DATABASE_URL !== undefined) return [];
  const name = 'DATABASE_REPLICA_URL';
  return [`${name}=${shown(name, url)}: does nothing without DATABASE_URL; set it too`];
}

function oidcFaults(values: z.output<typeof Environment>): string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined) {
    const name = clientId === undefined ? 'OIDC_CLIENT_SECRET' : 'OIDC_CLIENT_ID';
    const given = clientId ?? clientSecret;
    return given === undefined ? [] : [`${name}=${shown(name, given)}: does nothing without OIDC_ISSUER; set it too`];
  }
  const faults: string[] = [];
  if (clientId === undefined) {
    faults.push('OIDC_CLIENT_ID=: is missing; set it to the id that the provider of OIDC_ISSUER gave this node');
  }
  if (issuer.startsWith('http:') && !(values.AP2_ENV === 'sandbox' && isLoopback(issuer))) {
    const remedy = 'must begin with https: (http is for a provider on this machine, in the sandbox)';
    faults.push(`OIDC_ISSUER=${shown('OIDC_ISSUER', issuer)}: ${remedy}`);
  }
  return faults;
}

function keyFaults(values: z.output<typeof Environment>): string[] {
  const key = values.BOOTSTRAP_API_KEY;
  const prefix = values.AP2_ENV === 'sandbox' ? 'ak_test_' : 'ak_live_';
  if (key === undefined || key.startsWith(prefix)) return [];
  return [
    `BOOTSTRAP_API_KEY=${shown('BOOTSTRAP_API_KEY', key)}: in the ${values.AP2_ENV} it must start with ${prefix}`,
  ];
}

/** A secret is named, never shown. */
function isAscii(text: string): boolean {
  return !/[^\0-~]/.test(text);
}

function shown(name: string, value: string | undefined): string {
  if (/KEY|SECRET|PASSWORD|URL|HEADERS/.test(name) && name !== 'BASE_URL') return '(hidden)';
  return JSON.stringify(value);
}
