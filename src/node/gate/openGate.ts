/** The gate: it listens, reads and proves what comes, and asks the core, in the core's thread or in one of its own. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { idMaker } from '../../../protocol/wire/id.ts';
import { bodyReader } from '../../access/body.ts';
import { trustedProxies } from '../../access/clientAddress.ts';
import type { Core } from '../../core/core.ts';
import { nativeSuite, randomPool } from '../../crypto/nativeSuite.ts';
import type { Extension } from '../../extensions/extension.ts';
import { extensions } from '../../extensions/list.ts';
import { loadTools, operationsWith } from '../../extensions/nodeOperations.ts';
import { dispatcher, GATEWAY_PATH, gatewayHandler } from '../../gates/a2a/gateway.ts';
import { acceptSockets } from '../../gates/a2a/socketGateway.ts';
import { restApp } from '../../gates/rest/app.ts';
import { knownCallers } from '../../gates/shell/callers.ts';
import type { Gate, NodeFacts } from '../../gates/shell/gate.ts';
import { answerSafely, publicPath } from '../../gates/shell/http.ts';
import { gateMetrics, traceRequest } from '../../gates/shell/requestRecord.ts';
import { watchConnections } from '../../gates/shell/server/connections.ts';
import type { CountedMetrics } from '../../usecase/metrics.ts';
import type { Tracing } from '../../usecase/tracing.ts';
import type { Config } from '../config/config.ts';
import { logTo, makeLogger } from '../makeLogger.ts';
import { keysAt } from '../nodeFacts.ts';
import { nodeRoutes } from './nodeRoutes.ts';

/** A head has to be there soon, so that silent connections do not keep their places. */
const TIMES = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
};

/** What a gate is told of the configuration: no secret is among it but what a collector of traces asks for. */
export type GateConfig = Pick<
  Config,
  | 'host'
  | 'port'
  | 'baseUrl'
  | 'maxSockets'
  | 'maxSocketsPerAddress'
  | 'maxReceivingBytes'
  | 'trustedProxies'
  | 'corsOrigins'
  | 'logLevel'
  | 'extensions'
  | 'extensionSettings'
>;

export interface OpenGate {
  /** The port it listens on. */
  readonly port: number;
  /** Answers requests from here on; until then each is told that the node is starting. */
  serve(core: Core, facts: NodeFacts): void | Promise<void>;
  /** What it has counted since it began to serve. */
  countMetrics(): Promise<readonly CountedMetrics[]>;
  /** Takes no more connections and ends with what is in flight. What is left when the time is up is cut off. */
  drain(withinMs: number): Promise<void>;
  /** Closes at once, where the node could not start. */
  close(): void | Promise<void>;
}

/** What answers the requests of a server; it changes once, when the node is ready. */
interface Entrance {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * Listens, and answers from the first connection on, even before the node can give the real answers.
 * @param tracing of this thread, where traces are made
 */
export async function openGate(config: GateConfig, tracing?: Tracing): Promise<OpenGate> {
  const server = createServer(TIMES);
  const entrance: Entrance = { handle: notYet };
  const { maxSockets, maxSocketsPerAddress } = config;
  const proxies = trustedProxies(config.trustedProxies);
  const connections = watchConnections(server, { maxSockets, maxSocketsPerAddress, proxies });
  const enter = publicPath(config.baseUrl ?? 'http://localhost');
  server.on('upgrade', enter);
  server.on('request', (request, response) => {
    // What one read brought is parsed to its end, even where the connection was closed for it.
    if (request.socket.destroyed) return;
    enter(request);
    connections.take(request, response, () =>
      traceRequest(tracing, request, response, () => entrance.handle(request, response)),
    );
  });
  const port = await listen(server, config);
  const logger = makeLogger(config.logLevel, tracing?.ids);
  const metrics = gateMetrics();
  let isServing = true;
  let drainSockets = async (_withinMs: number): Promise<void> => {};
  return {
    port,
    serve(core, facts) {
      const gate = makeGate(config, { core, facts, metrics, tracing, log: logTo(logger), isServing: () => isServing });
      const safely = (handle: Parameters<typeof answerSafely>[1]) => answerSafely(gate.log, handle);
      const rest = safely(restApp(gate, nodeRoutes(gate)).callback());
      const dispatch = dispatcher(gate);
      const gateway = safely(gatewayHandler(gate, dispatch));
      drainSockets = acceptSockets(server, gate, dispatch).drain;
      const doors = doorsOf(gate, safely);
      entrance.handle = (request, response) => {
        // The facade answers what browsers ask before a request to another origin.
        const path = request.method === 'OPTIONS' ? undefined : request.url?.split('?')[0];
        if (path === GATEWAY_PATH) gateway(request, response);
        else (doors.get(String(path)) ?? rest)(request, response);
      };
    },
    countMetrics: async () => [await metrics.count()],
    async drain(withinMs) {
      isServing = false;
      await Promise.all([connections.drain(withinMs), drainSockets(withinMs)]);
      await new Promise((resolve) => logger.flush(resolve));
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface GateParts extends Pick<Gate, 'core' | 'log' | 'metrics' | 'tracing' | 'isServing'> {
  readonly facts: NodeFacts;
}

export function makeGate(config: GateConfig, { core, facts, log, metrics, tracing, isServing }: GateParts): Gate {
  const newId = idMaker(
    Date.now,
    randomPool((size) => randomBytes(size)),
  );
  return {
    core,
    suite: nativeSuite(),
    bodies: bodyReader(config.maxReceivingBytes),
    known: knownCallers(),
    operations: operationsWith(facts.extensions),
    settings: {
      ...facts,
      // A node that runs on ends the keys of former issuers in their time.
      get keySet() {
        return keysAt(facts, Date.now());
      },
      corsOrigins: config.corsOrigins,
      trustedProxies: trustedProxies(config.trustedProxies),
    },
    metrics,
    log,
    tracing,
    newId,
    isServing,
  };
}

type Handler = Parameters<typeof answerSafely>[1];

/** What extensions answer themselves, by path. Loaded when it is first asked for, since most nodes are not asked. */
function doorsOf(gate: Gate, safely: (handle: Handler) => Entrance['handle']): ReadonlyMap<string, Entrance['handle']> {
  const on = (extensions as readonly Extension[]).filter(({ name }) => gate.settings.extensions.includes(name));
  const doors = on.flatMap(({ doors = [] }) => doors);
  return new Map(
    doors.flatMap(({ paths, open }) => {
      let handler: ReturnType<typeof open> | undefined;
      const enter: Handler = async (request, response) => {
        handler ??= open(gate, () => loadTools(gate.settings.extensions));
        await (await handler)(request, response);
      };
      return paths.map((path) => [path, safely(enter)] as const);
    }),
  );
}

/** Answers until the node is ready. */
function notYet(_request: IncomingMessage, response: ServerResponse): void {
  const error = { code: 'UNAVAILABLE', message: 'The node is starting; try again in a second.' };
  response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
}

function listen(server: Server, { port, host }: GateConfig): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
