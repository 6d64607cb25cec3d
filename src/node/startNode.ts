/** The composition root: one node, put together from its configuration, and served. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readJsonAsset } from '../assets/assets.ts';
import { type IssuerKey, loadIssuerKey } from '../crypto/issuerKey.ts';
import { dispatcher } from '../gateway/dispatch.ts';
import { GATEWAY_PATH, gatewayHandler } from '../gateway/httpGateway.ts';
import { acceptSockets } from '../gateway/socketGateway.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { bootstrap } from '../handlers/operator/bootstrap.ts';
import { restApp } from '../rest/app.ts';
import { openStore } from '../store/openStore.ts';
import { deleteNode } from '../store/statements/node/nodes.ts';
import type { Store } from '../store/store.ts';
import { writeKeyUse } from '../workers/accessRecords.ts';
import { sayAlive } from '../workers/reconcile.ts';
import type { Config } from './config.ts';
import { makeDeps, makeLogger } from './makeDeps.ts';
import { connectStripe } from './makeRails.ts';
import { nodeRoutes } from './nodeRoutes.ts';
import { startDeliveries } from './outbound.ts';
import { startWorkers } from './startWorkers.ts';
import type { StripeParts } from './stripeParts.ts';

/** What is in flight when the node is asked to stop may take this long. */
const STOP_SECONDS = 10;

export interface Node {
  readonly deps: Deps;
  /** Where it listens, such as http://127.0.0.1:8402. */
  readonly address: string;
  readonly baseUrl: string;
  /** The admin key made at first start, to be shown once. */
  readonly newKey: string | undefined;
  readonly tenantId: string;
  readonly engine: Store['engine'];
  /** Stops accepting, finishes what is in flight, closes the store. */
  stop(): Promise<void>;
}

export async function startNode(config: Config): Promise<Node> {
  const logger = makeLogger(config.logLevel);
  const stripe = await connectStripe(config, logger);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const key = loadIssuerKey(config.issuerKeyFile, (size) => randomBytes(size));
  const store = await openStore({
    ...(config.databaseUrl === undefined ? {} : { databaseUrl: config.databaseUrl }),
    file: join(config.dataDir, 'countersign.db'),
    clock: () => Date.now(),
  });
  try {
    return await assemble(config, logger, key, store, stripe);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function assemble(
  config: Config,
  logger: Logger,
  key: IssuerKey,
  store: Store,
  stripe: StripeParts | undefined,
): Promise<Node> {
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 60_000 });
  // From the first connection on there is an answer, even before the node can give the real one.
  let handle = notYet;
  server.on('request', (request, response) => handle(request, response));
  const port = await listen(server, config);
  try {
    return await serve(server, port);
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }

  async function serve(server: Server, port: number): Promise<Node> {
    const baseUrl = config.baseUrl ?? `http://localhost:${port}`;
    const stopping = new AbortController();
    const deps = makeDeps(config, logger, key, store, baseUrl, stopping.signal, stripe);
    const { tenantId, newKey } = await bootstrap(deps, {
      makeKey: deps.newApiKey,
      givenKey: config.bootstrapApiKey,
      firstPolicy: readJsonAsset('data/sandbox-policy.json') as { name: string; rules: unknown },
    });

    let serving = true;
    const rest = restApp(
      deps,
      nodeRoutes(deps, () => serving),
    ).callback();
    const dispatch = dispatcher(deps);
    const gateway = gatewayHandler(deps, dispatch);
    const sockets = acceptSockets(server, deps, dispatch);
    await sayAlive(deps);
    const workers = [...startWorkers(deps), startDeliveries(deps)];
    handle = (request, response) => {
      if (request.method !== 'OPTIONS' && request.url?.split('?')[0] === GATEWAY_PATH) void gateway(request, response);
      else void rest(request, response);
    };

    return {
      deps,
      address: `http://${config.host}:${port}`,
      baseUrl,
      newKey,
      tenantId,
      engine: store.engine,
      async stop() {
        serving = false;
        stopping.abort();
        const drained = drain(server);
        await sockets.drain();
        await Promise.all(workers.map((worker) => worker.stop()));
        await drained;
        await writeKeyUse(deps);
        await store.write('nodes', () => deleteNode(deps.nodeId));
        await store.close();
      },
    };
  }
}

/** Answers while the node is being put together. */
function notYet(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1' }).end();
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

/** Lets requests in flight end; connections that idle are closed at once, those that linger after the limit. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => server.closeAllConnections(), STOP_SECONDS * 1000);
    // A connection that was busy idles once it has its answer.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(limit);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}
