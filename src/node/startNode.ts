/** The composition root: one node, put together from its configuration, and served. */
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { trustedProxies } from '../access/clientAddress.ts';
import { readJsonAsset } from '../assets/assets.ts';
import { type IssuerKey, readIssuerKey } from '../crypto/issuerKey.ts';
import { dispatcher } from '../gateway/dispatch.ts';
import { GATEWAY_PATH, gatewayHandler } from '../gateway/httpGateway.ts';
import { acceptSockets } from '../gateway/socketGateway.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { watchCheckpoint } from '../handlers/evidence/makeCheckpoint.ts';
import { bootstrap, recordKeyShown } from '../handlers/operator/bootstrap.ts';
import { refuseCut } from '../maintenance/damage.ts';
import { refuseMoved } from '../maintenance/moved.ts';
import { refuseHalfRestored } from '../maintenance/restoreMark.ts';
import { restApp } from '../rest/app.ts';
import { openStore } from '../store/openStore.ts';
import { deleteNode } from '../store/statements/node/nodes.ts';
import type { Store } from '../store/store.ts';
import { storeKeyUse } from '../workers/accessRecords.ts';
import { watchedClock } from '../workers/clockSetBack.ts';
import { sendHeartbeat } from '../workers/heartbeat.ts';
import { checkpointFile } from './checkpointFile.ts';
import type { Config } from './config.ts';
import { type Connections, watchConnections } from './connections.ts';
import { checkEnvironment, claimEnvironment } from './databaseEnvironment.ts';
import { makeDeps, makeLogger } from './makeDeps.ts';
import { connectStripe } from './makeRails.ts';
import { nodeRoutes } from './nodeRoutes.ts';
import { openOrMakeKeys } from './openKeys.ts';
import { startDeliveries } from './outbound.ts';
import { publicPath } from './publicPath.ts';
import { startWorkers } from './startWorkers.ts';
import { stopInTime } from './stopInTime.ts';
import type { StripeParts } from './stripeParts.ts';

/** How long requests in flight may take after the node is asked to stop. */
const DRAIN_MS = 10_000;
/** How long the whole stop may take. The service's TimeoutStopSec is longer. */
const STOP_MS = 15_000;

/** A head has to be there soon, so that silent connections do not keep their places. */
const TIMES = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
};

export interface Node {
  readonly deps: Deps;
  /** Where it listens, such as http://127.0.0.1:8402. */
  readonly address: string;
  readonly baseUrl: string;
  /** The admin key made at first start, to be shown once. */
  readonly newKey: string | undefined;
  /** Records that it was shown; until then each start makes one. */
  keyShown(): Promise<void>;
  readonly tenantId: string;
  readonly engine: Store['engine'];
  /** Resolves when the store's disk failed such that only another start can tell what is on it: the process should end. */
  readonly lost: Promise<Error>;
  /**
   * Stops accepting, finishes what is in flight, closes the store.
   * @throws Error that names what was not done within the time
   */
  stop(): Promise<void>;
}

/**
 * @param time milliseconds since the epoch; here it comes in
 * @param stopMs how long its stop may take
 */
export async function startNode(config: Config, time: () => number = Date.now, stopMs = STOP_MS): Promise<Node> {
  const { clock, timesSetBack } = watchedClock(time);
  const logger = makeLogger(config.logLevel);
  const stripe = await connectStripe(config, logger);
  refuseHalfRestored(config.dataDir);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = join(config.dataDir, 'countersign.db');
  if (config.databaseUrl === undefined) refuseCut(config.dataDir, file, config.issuerKeyFile);
  // A file that cannot be used is named before the database is touched.
  readIssuerKey(config.issuerKeyFile);
  let lose: (cause: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    lose = resolve;
  });
  const store = await openStore({
    onLost(cause) {
      logger.fatal({ cause: String(cause) }, 'store.lost');
      lose(cause);
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
  });
  try {
    await claimEnvironment(config, store);
    const { key, root } = await openOrMakeKeys(config, store);
    return await listenAndServe(config, { logger, key, root, store, lost, stripe, clock, timesSetBack, stopMs });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Parts {
  readonly logger: Logger;
  readonly key: IssuerKey;
  readonly root: Uint8Array;
  readonly store: Store;
  readonly lost: Promise<Error>;
  readonly stripe: StripeParts | undefined;
  readonly clock: () => number;
  readonly timesSetBack: () => number;
  readonly stopMs: number;
}

/** Listens, and answers from the first connection on, even before the node can give the real answers. */
async function listenAndServe(config: Config, parts: Parts): Promise<Node> {
  const server = createServer(TIMES);
  const entrance: Entrance = { handle: notYet };
  const { maxSockets, maxSocketsPerAddress } = config;
  const proxies = trustedProxies(config.trustedProxies);
  const connections = watchConnections(server, { maxSockets, maxSocketsPerAddress, proxies });
  const enter = publicPath(config.baseUrl ?? 'http://localhost');
  server.on('upgrade', enter);
  server.on('request', (request, response) => {
    enter(request);
    connections.begin(request, response);
    entrance.handle(request, response);
  });
  const port = await listen(server, config);
  try {
    return await serve(config, parts, { server, connections, port, entrance });
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
}

/** What answers the requests of a server; it changes once, when the node is ready. */
interface Entrance {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
}

interface Listening {
  readonly server: Server;
  readonly connections: Connections;
  readonly port: number;
  readonly entrance: Entrance;
}

async function serve(config: Config, parts: Parts, { server, connections, port, entrance }: Listening): Promise<Node> {
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`;
  const stopping = new AbortController();
  const deps = makeDeps(config, {
    ...parts,
    baseUrl,
    checkpoints: checkpointFile(config.dataDir),
    stopping: stopping.signal,
  });
  const { tenantId, newKey } = await bootstrap(deps, {
    makeKey: deps.newApiKey,
    givenKey: config.bootstrapApiKey,
    firstPolicy: readJsonAsset(`data/${config.environment}-policy.json`) as { name: string; rules: unknown },
  });
  await watchCheckpoint(deps, tenantId, true);
  const open = nodeRoutes(deps, () => !stopping.signal.aborted);
  const rest = restApp(deps, open).callback();
  const dispatch = dispatcher(deps);
  const gateway = gatewayHandler(deps, dispatch);
  const sockets = acceptSockets(server, deps, dispatch);
  await sendHeartbeat(deps);
  const workers = startWorkers(deps);
  const deliveries = startDeliveries(deps, config.webhookTimeoutSeconds);
  entrance.handle = (request, response) => {
    if (request.method !== 'OPTIONS' && request.url?.split('?')[0] === GATEWAY_PATH) void gateway(request, response);
    else void rest(request, response);
  };
  return {
    deps,
    address: `http://${config.host}:${port}`,
    baseUrl,
    newKey,
    keyShown: () => recordKeyShown(deps),
    tenantId,
    engine: deps.store.engine,
    lost: parts.lost,
    async stop() {
      stopping.abort();
      const ends = () => [connections.drain(DRAIN_MS), sockets.drain(DRAIN_MS), deliveries.stop()];
      const steps = [
        { what: 'requests and webhook deliveries in flight', run: () => Promise.all(ends()) },
        // Among them the heartbeat, so that no other node takes over what was in flight.
        { what: 'scheduled work', run: () => Promise.all(workers.map((worker) => worker.stop())) },
        { what: 'the last records', run: () => recordEnd(deps) },
        { what: 'the store', run: () => deps.store.close() },
      ];
      await stopInTime(steps, parts.stopMs);
    },
  };
}

async function recordEnd(deps: Deps): Promise<void> {
  await storeKeyUse(deps);
  await deps.store.write('nodes', () => deleteNode(deps.nodeId));
}

/** Answers until the node is ready. */
function notYet(_request: IncomingMessage, response: ServerResponse): void {
  const error = { code: 'UNAVAILABLE', message: 'The node is starting; try again in a second.' };
  response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
}

function listen(server: Server, config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
