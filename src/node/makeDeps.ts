/** Everything a use case is given, made from the configuration. Here random numbers come in. */

import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Signer } from '../../protocol/credential/ed25519.ts';
import { toBase64url } from '../../protocol/credential/encodings.ts';
import { idMaker } from '../../protocol/wire/id.ts';
import { accessTokens } from '../access/accessToken.ts';
import { keyUse, makeApiKey } from '../access/apiKey.ts';
import { type LoginProvider, loginProvider } from '../access/loginProvider.ts';
import { type Rate, rateLimiter } from '../access/rateLimit.ts';
import type { IssuerKey } from '../crypto/issuerKey.ts';
import { nativeSuite, randomPool } from '../crypto/nativeSuite.ts';
import { receiptSigner } from '../crypto/receiptKey.ts';
import { markOf } from '../crypto/rootKey.ts';
import { type Sealer, sealer } from '../crypto/seal.ts';
import { checkpointsInMemory } from '../domain/checkpoints/keptCheckpoint.ts';
import type { ReceiptKeys } from '../domain/operator/claimReceiptKey.ts';
import { subscriptionCache, wakeSignal } from '../domain/outbox/subscriptionCache.ts';
import { policyCache } from '../domain/policies/loadFacts.ts';
import { operationsWith } from '../extensions/nodeOperations.ts';
import { CALLBACK_PATH } from '../operations/access/logInThere.ts';
import { hookLists } from '../operations/hookLists.ts';
import type { Rail } from '../rails/rail.ts';
import { longWork } from '../store/longWork.ts';
import type { Store } from '../store/store.ts';
import type { DeliveryKind } from '../usecase/deliveryKind.ts';
import type { Backups, Deps, LogLine, StoreFile } from '../usecase/deps.ts';
import type { Hooks } from '../usecase/hooks.ts';
import type { Schedule } from '../usecase/schedule.ts';
import type { CheckpointKeeper } from '../usecase/services.ts';
import type { Tracing } from '../usecase/tracing.ts';
import type { Cosigner, Watch } from '../usecase/watch.ts';
import { type Config, SANDBOX_RATES } from './config/config.ts';
import { examinersOf } from './config/extensionConfig.ts';
import type { OpenGate } from './gate/openGate.ts';
import { logTo } from './makeLogger.ts';
import { nodeMetrics } from './nodeMetrics.ts';
import { merchantKeys } from './outbound.ts';
import { startExtensions } from './startExtensions.ts';
import { version } from './version.ts';

/** What a node is made of that its configuration alone does not give. */
interface Parts {
  readonly logger: Logger;
  readonly key: Pick<IssuerKey, 'seed' | 'rotations'>;
  readonly root: Uint8Array;
  readonly receiptKeys: ReceiptKeys;
  readonly store: Store;
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** How often the clock was found set back; never, for what ends soon. */
  readonly timesSetBack?: () => number;
  /** Aborts when the node stops; never, where nothing is served. */
  readonly stopping?: AbortSignal;
  /** True where nothing is served: no other party is asked. */
  readonly isOffline?: boolean;
  /** What the gates count; nothing, where nothing is served. */
  readonly countGates?: OpenGate['countMetrics'];
  /** Unknown unless given. */
  readonly freeSpace?: Deps['data']['freeSpace'];
  /** None unless given. */
  readonly backups?: Backups | undefined;
  /** In memory unless given. */
  readonly checkpoints?: CheckpointKeeper;
  /** Without known damage unless given. */
  readonly storeFile?: StoreFile;
  /** None unless given. */
  readonly tracing?: Tracing | undefined;
}

export async function makeDeps(config: Config, parts: Parts): Promise<Deps> {
  const rails = new Map<string, Rail>();
  const exchanges = new Map(hookLists.exchanges);
  const schedules: Schedule[] = [];
  const deliveries: DeliveryKind[] = [];
  const lists = Object.entries(hookLists).map(([name, list]) => [name, Array.isArray(list) ? [...list] : list]);
  const hooks = { ...(Object.fromEntries(lists) as Hooks), exchanges };
  const table = operationsWith(config.extensions);
  const watches: Watch[] = [];
  const cosigners: Cosigner[] = [];
  const services = new Map<string, object>();
  const operations = { hooks, table, schedules, deliveries, watches, examiners: examinersOf(config), services };
  const deps = depsWith(config, parts, { rails, cosigners, operations });
  const started = await startExtensions(config, deps, parts);
  for (const rail of started.rails) rails.set(rail.id, rail);
  for (const exchange of started.exchanges) exchanges.set(exchange.kind, exchange);
  for (const added of [{ authorizers: started.authorizers, protocols: started.protocols }, ...started.hooks]) {
    for (const [name, list] of Object.entries(added)) (hooks[name as keyof Hooks] as unknown[]).push(...list);
  }
  schedules.push(...started.schedules);
  deliveries.push(...started.deliveries);
  watches.push(...started.watches);
  cosigners.push(...started.cosigners);
  for (const [name, own] of started.services) services.set(name, own);
  return deps;
}

/** What extensions add to, once they have started with the rest. */
interface Contributions {
  readonly rails: Deps['rails'];
  readonly cosigners: Deps['evidence']['cosigners'];
  readonly operations: Deps['operations'];
}

function depsWith(config: Config, parts: Parts, { rails, cosigners, operations }: Contributions): Deps {
  const { checkpoints = checkpointsInMemory() } = parts;
  const { logger, key, root, store, baseUrl, clock, tracing } = parts;
  const suite = nativeSuite();
  const random = randomPool((size) => randomBytes(size));
  const newId = idMaker(clock, random);
  const newToken = (prefix: string) => prefix + toBase64url(random(32));
  const log = logTo(logger);
  const issuer = suite.signer(key.seed);
  const isServed = (userId: string) =>
    operations.deliveries.some((kind) => kind.isOf({ task_id: null, user_id: userId }));
  const sealedBy = sealer(root, random);
  const derived = (label: string) => suite.signer(sealedBy.derive(label, 32));
  const { countGates = async () => [], timesSetBack = () => 0 } = parts;
  return {
    store,
    suite,
    issuer,
    clock,
    newId,
    newToken,
    hashToken: suite.sha256Hex,
    settings: settings(config, baseUrl, newId('node_')),
    log,
    metrics: nodeMetrics({ store, version, checkpoints, countGates, timesSetBack }),
    policies: policyCache(),
    sealer: sealedBy,
    evidence: { rotations: key.rotations, subscriptions: subscriptionCache(isServed), checkpoints, cosigners },
    wake: { deliveries: wakeSignal(), schedules: wakeSignal() },
    rails,
    stopping: parts.stopping ?? new AbortController().signal,
    operations,
    keys: {
      demo: demoKeys(config, derived),
      receiptSigner: signerOf(parts.receiptKeys),
      rootMark: markOf(root),
      ...merchantKeys(clock),
    },
    access: {
      tokens: accessTokens(issuer, key.seed, baseUrl),
      keyUse: keyUse(),
      ...limitsOf(config),
      newApiKey: () => makeApiKey(config.environment, () => randomBytes(1)[0] as number),
    },
    people: {
      login: makeLogin(config, baseUrl, newToken, log.warn),
      didOf: (userId) => derived(`user-${userId}`).did,
      listenSecret: (tenantId) => listenSecret(sealedBy, tenantId),
    },
    data: {
      longWork: longWork(store),
      file: parts.storeFile ?? { damage: undefined },
      freeSpace: parts.freeSpace ?? (() => undefined),
      backups: parts.backups,
    },
    memory: { openStreams: new Map(), openPolls: new Map(), statusLists: { built: new Map(), reads: new Map() } },
    tracing,
  };
}

function signerOf({ current, published }: ReceiptKeys): Deps['keys']['receiptSigner'] {
  return { jwk: current.jwk, published, sign: receiptSigner(current) };
}

function demoKeys({ environment }: Config, derived: (label: string) => Signer): Deps['keys']['demo'] {
  if (environment !== 'sandbox') return undefined;
  return { merchant: derived('demo-merchant'), presence: derived('demo-presence') };
}

function settings(config: Config, baseUrl: string, nodeId: string): Deps['settings'] {
  return {
    version,
    nodeId,
    environment: config.environment,
    baseUrl,
    intentTtlSeconds: config.intentTtlSeconds,
    approvalTtlSeconds: config.approvalTtlSeconds,
    mandateAudiences: [baseUrl, ...config.ap2Audiences],
    rail: {
      timeoutSeconds: config.railTimeoutSeconds,
      retrySeconds: config.railRetrySeconds,
      resendSeconds: config.railResendSeconds,
      giveUpSeconds: config.railGiveUpSeconds,
    },
    webhookRetrySeconds: config.webhookRetrySeconds,
    webhookAllowPrivate: config.webhookAllowPrivate,
    people: {
      ownerEmail: config.oidcOwnerEmail,
      allowedEmails: config.oidcAllowedEmails,
      allowedDomains: config.oidcAllowedDomains,
    },
  };
}

function listenSecret(derived: Pick<Sealer, 'derive'>, tenantId: string): string {
  return `whsec_${Buffer.from(derived.derive(`listen-${tenantId}`, 32)).toString('base64')}`;
}

/** In the sandbox one rate applies to every caller, and another to those on this machine; what is set applies to both. */
function limitsOf(config: Config): Pick<Deps['access'], 'limits' | 'localLimits'> {
  if (config.environment !== 'sandbox') {
    const limits = rateLimiter(undefined);
    return { limits, localLimits: limits };
  }
  const { sandboxRatePerMinute, sandboxBurst } = config;
  const limiter = ({ perMinute, burst }: Rate) =>
    rateLimiter({ perMinute: sandboxRatePerMinute ?? perMinute, burst: sandboxBurst ?? burst });
  return { limits: limiter(SANDBOX_RATES.limits), localLimits: limiter(SANDBOX_RATES.localLimits) };
}

function makeLogin(
  config: Config,
  baseUrl: string,
  newToken: Deps['newToken'],
  warn: LogLine,
): LoginProvider | undefined {
  if (config.oidc === undefined) return undefined;
  const redirectUri = `${baseUrl}${CALLBACK_PATH}`;
  const settings = { ...config.oidc, redirectUri, loopbackHttp: config.environment === 'sandbox' };
  return loginProvider(settings, () => newToken(''), warn);
}
