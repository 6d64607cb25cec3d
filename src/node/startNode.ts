/** The composition root: one node, put together from its configuration, and served. */
import { setMaxListeners } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readJsonAsset } from '../assets/assets.ts';
import { coreHere } from '../core/core.ts';
import { type IssuerKey, readIssuerKey } from '../crypto/issuerKey.ts';
import { readReceiptKey } from '../crypto/receiptKey.ts';
import { watchCheckpoint } from '../domain/checkpoints/makeCheckpoint.ts';
import { bootstrap, recordKeyShown } from '../domain/operator/bootstrap.ts';
import type { ReceiptKeys } from '../domain/operator/claimReceiptKey.ts';
import { callsWith } from '../extensions/nodeOperations.ts';
import { refuseEmptied } from '../maintenance/damage.ts';
import { refuseMoved } from '../maintenance/moved.ts';
import { refuseHalfRestored } from '../maintenance/restoreMark.ts';
import { openStore } from '../store/openStore.ts';
import { deleteNode } from '../store/statements/node/nodes.ts';
import type { Store } from '../store/store.ts';
import type { Deps, StoreFile } from '../usecase/deps.ts';
import type { Observer } from '../usecase/tracing.ts';
import { storeKeyUse } from '../workers/accessRecords.ts';
import { watchedClock } from '../workers/clockSetBack.ts';
import { sendHeartbeat } from '../workers/heartbeat.ts';
import { checkpointFile } from './checkpointFile.ts';
import type { Config } from './config/config.ts';
import { settingsOfGate } from './config/extensionConfig.ts';
import { checkEnvironment, claimEnvironment } from './databaseEnvironment.ts';
import { folderOf } from './folderOf.ts';
import type { GateHost } from './gate/gateHost.ts';
import { hostGates } from './gate/hostGates.ts';
import type { GateConfig, OpenGate } from './gate/openGate.ts';
import { makeDeps } from './makeDeps.ts';
import { makeLogger } from './makeLogger.ts';
import { nodeFacts, publishedKeys } from './nodeFacts.ts';
import { openOrMakeKeys, receiptKeyFile } from './openKeys.ts';
import { openObserver } from './openObserver.ts';
import { startDeliveries } from './outbound.ts';
import { checkExtensions, warnOfIgnored } from './startExtensions.ts';
import { startWorkers } from './startWorkers.ts';
import { stopInTime } from './stopInTime.ts';
import { tracedStore } from './tracedStore.ts';

/** How long requests in flight may take after the node is asked to stop. */
const DRAIN_MS = 10_000;
/** How long the whole stop may take. The service's TimeoutStopSec is longer. */
const STOP_MS = 15_000;

export interface Node {
  readonly deps: Deps;
  /** Where it listens, such as http://127.0.0.1:8402. */
  readonly address: string;
  readonly baseUrl: string;
  /** The admin key made at first start, to be shown once. */
  readonly newKey: string | undefined;
  readonly welcome: string | undefined;
  /** Records that it was shown; until then each start makes one. */
  keyShown(): Promise<void>;
  readonly tenantId: string;
  readonly engine: Store['engine'];
  /** Resolves with the cause when the node cannot go on, since a gate beside the core ended: the process should end. */
  readonly lost: Promise<Error>;
  /**
   * Stops accepting, finishes what is in flight, closes the store.
   * @throws Error that names what was not done within the time
   */
  stop(): Promise<void>;
}

interface StartOptions {
  /** Milliseconds since the epoch; here it comes in. */
  readonly time?: () => number;
  /** How long its stop may take. */
  readonly stopMs?: number | undefined;
  /** Where its gates run, when that has begun already; ended with the node, and when it cannot start. */
  readonly gates?: GateHost | undefined;
}

export async function startNode(config: Config, options: StartOptions = {}): Promise<Node> {
  // First, since its code is loaded meanwhile.
  const { time = Date.now, stopMs = STOP_MS, gates = hostGates(config.gates) } = options;
  try {
    return await startCore(config, time, { stopMs, gates });
  } catch (error) {
    await gates.end();
    throw error;
  }
}

async function startCore(
  config: Config,
  time: () => number,
  { stopMs, gates }: Pick<Parts, 'stopMs' | 'gates'>,
): Promise<Node> {
  const { clock, timesSetBack } = watchedClock(time);
  let observer: Observer | undefined;
  const logger = makeLogger(config.logLevel, () => observer?.tracing?.ids());
  observer = await openObserver(config, (event, facts) => logger.warn(facts, event));
  warnOfIgnored(config, logger);
  await checkExtensions(config, logger);
  refuseHalfRestored(config.dataDir);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = join(config.dataDir, 'countersign.db');
  if (config.databaseUrl === undefined) refuseEmptied(config.dataDir, file, config.issuerKeyFile);
  // Files that cannot be used are named before the database is touched.
  readIssuerKey(config.issuerKeyFile);
  readReceiptKey(receiptKeyFile(config));
  const lost = gates.lost.then((cause) => {
    logger.fatal({ cause: String(cause) }, 'gate.lost');
    return cause;
  });
  const storeFile: StoreFile = { file, damage: undefined };
  const store = await openStore({
    onDamage(finding) {
      if (storeFile.damage === undefined) logger.error({ file, finding }, 'store.damaged');
      storeFile.damage = finding;
    },
    check: async (opened) => {
      await checkEnvironment(config, opened);
      await refuseMoved(opened);
    },
    databaseUrl: config.databaseUrl,
    replicaUrl: config.databaseReplicaUrl,
    onReplica(unused) {
      if (unused === undefined) logger.info('replica.used');
      else logger.warn({ reason: unused }, 'replica.unused');
    },
    file,
    clock,
    views: true,
  });
  try {
    await claimEnvironment(config, store);
    const keys = await openOrMakeKeys(config, store);
    const parts = { logger, ...keys, store, storeFile, lost, gates, observer, clock, timesSetBack, stopMs };
    return await listenAndServe(config, parts);
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Parts {
  readonly logger: Logger;
  readonly key: IssuerKey;
  readonly root: Uint8Array;
  readonly receiptKeys: ReceiptKeys;
  readonly store: Store;
  readonly storeFile: StoreFile;
  readonly lost: Promise<Error>;
  readonly gates: GateHost;
  readonly observer: Observer | undefined;
  readonly clock: () => number;
  readonly timesSetBack: () => number;
  readonly stopMs: number;
}

/** Has the gate listen, so that what comes from then on is answered, even before the node can give the real answers. */
async function listenAndServe(config: Config, parts: Parts): Promise<Node> {
  const gate = await parts.gates.open(gateConfigOf(config), parts.observer?.tracing);
  try {
    return await serve(config, parts, gate);
  } catch (error) {
    await gate.close();
    throw error;
  }
}

/** A gate is told what it needs. */
function gateConfigOf(config: Config): GateConfig {
  const { host, port, baseUrl, maxSockets, maxSocketsPerAddress, maxReceivingBytes } = config;
  const { trustedProxies, corsOrigins, logLevel } = config;
  const limits = { maxSockets, maxSocketsPerAddress, maxReceivingBytes };
  return { host, port, baseUrl, ...limits, trustedProxies, corsOrigins, logLevel, ...settingsOfGate(config) };
}

async function serve(config: Config, parts: Parts, gate: OpenGate): Promise<Node> {
  const baseUrl = config.baseUrl ?? `http://localhost:${gate.port}`;
  const stopping = new AbortController();
  // Every long poll and stream waits for it.
  setMaxListeners(0, stopping.signal);
  const tracing = parts.observer?.tracing;
  const deps = await makeDeps(config, {
    ...parts,
    store: tracing === undefined ? parts.store : tracedStore(parts.store, tracing),
    tracing,
    baseUrl,
    checkpoints: checkpointFile(config.dataDir),
    ...folderOf(config, stopping.signal),
    countGates: gate.countMetrics,
    stopping: stopping.signal,
  });
  const { tenantId, newKey, welcome } = await bootstrap(deps, {
    makeKey: deps.access.newApiKey,
    givenKey: config.bootstrapApiKey,
    invites: true,
    firstPolicy: readJsonAsset(`data/${config.environment}-policy.json`) as { name: string; rules: unknown },
  });
  await watchCheckpoint(deps, tenantId, true);
  const keys = publishedKeys({ ...deps, receiptKeys: parts.receiptKeys.published });
  const facts = nodeFacts(config, { ...deps, baseUrl, keys, startedAt: deps.clock() });
  await gate.serve(coreHere(deps, callsWith(config.extensions)), facts);
  await sendHeartbeat(deps);
  parts.observer?.sendMetrics(deps.metrics.count);
  const workers = startWorkers(deps);
  const deliveries = startDeliveries(deps, config.webhookTimeoutSeconds);
  return {
    deps,
    address: `http://${config.host}:${gate.port}`,
    baseUrl,
    newKey,
    welcome,
    keyShown: () => recordKeyShown(deps),
    tenantId,
    engine: deps.store.engine,
    lost: parts.lost,
    async stop() {
      stopping.abort();
      const steps = [
        {
          what: 'requests and webhook deliveries in flight',
          run: () => Promise.all([gate.drain(DRAIN_MS), deliveries.stop()]),
        },
        // Among them the heartbeat, so that no other node takes over what was in flight.
        { what: 'scheduled work', run: () => Promise.all(workers.map((worker) => worker.stop())) },
        { what: 'the last records', run: () => recordEnd(deps) },
        // Metrics read the store.
        { what: 'traces and metrics', run: async () => parts.observer?.stop() },
        { what: 'the store', run: () => deps.store.close() },
      ];
      await stopInTime(steps, parts.stopMs).finally(() => parts.gates.end());
    },
  };
}

async function recordEnd(deps: Deps): Promise<void> {
  await storeKeyUse(deps);
  await deps.store.write('nodes', () => deleteNode(deps.settings.nodeId));
}
