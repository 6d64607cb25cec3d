/** `countersign guard`: stands before other vendors' tools, over stdio or HTTP. Over stdio nothing but the protocol goes to standard output. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type ProgramHost, WrongOption } from '../programHost.ts';
import { checkGuard } from './checkGuard.ts';
import { openStateFile, type StateFile, statePath } from './guardState.ts';
import { openUpstream, upstreamsOf } from './openUpstreams.ts';
import { GUARD_PATH, listenHttp } from './pipe/httpFront.ts';
import { Purchases } from './pipe/purchases.ts';
import { Relay } from './pipe/relay.ts';
import { ToolReports } from './pipe/toolReports.ts';
import { readGuardFile, WrongGuardFile } from './readGuardFile.ts';
import { reservationNode, toolNode } from './reservationNode.ts';
import type { GuardConfig, Upstream } from './rules/guardConfig.ts';

interface GuardOptions {
  /** The path of its file. */
  readonly config: string;
  /** What starts the server, where the file does not say. */
  readonly command: readonly string[];
  /** Where it listens on this machine; over stdio when absent. */
  readonly port?: number | undefined;
  /** Looks at the tools, and calls none. */
  readonly check?: { readonly accept: boolean } | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws WrongOption */
export async function runGuard(options: GuardOptions, host: ProgramHost): Promise<void> {
  const log = (line: string) => console.error(`countersign guard: ${line}`);
  const config = read(options.config);
  const upstreams = asOption(() => upstreamsOf(config, options.command));
  const state = openStateFile(statePath(options.config), Date.now);
  asOption(() => state.read());
  const open = (authorization?: string) =>
    asOption(() => upstreams.map((upstream) => openUpstream(config, upstream, options.env, authorization)));
  const reportsBy = (key: string) =>
    new ToolReports(reportDeps(options.config, config, upstreams, { key, state, log }));
  if (options.check !== undefined) {
    const key = givenKey(config, options.env);
    const needsPerson = await checkGuard(open(), {
      reports: key === undefined ? undefined : reportsBy(key),
      ...options.check,
      config,
      state,
      version: host.version,
      print: host.print,
      log,
    });
    if (needsPerson) process.exitCode = 1;
    return;
  }
  const key = keyOf(config, options.env);
  const reports = reportsBy(key);
  const purchases = new Purchases({
    node: reservationNode(config.node.url, key),
    agentDid: config.agentDid,
    principalDid: config.principalDid,
    state,
    now: Date.now,
    newKey: randomUUID,
    log,
  });
  purchases.resume();
  process.once('exit', () => purchases.close());
  const pipe = async (front: Transport, authorization?: string) => {
    const relay = new Relay(front, open(authorization), {
      purchases,
      state,
      reports,
      unmatched: config.unmatched,
      log,
    });
    try {
      await relay.start();
    } catch (error) {
      await relay.close();
      throw error;
    }
  };
  if (options.port === undefined) {
    await pipe(new StdioServerTransport());
    return;
  }
  const server = await listenHttp(options.port, pipe, log);
  const { port } = server.address() as AddressInfo;
  host.print(`The guard listens at http://127.0.0.1:${port}${GUARD_PATH}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close().closeAllConnections());
}

function reportDeps(
  file: string,
  config: GuardConfig,
  upstreams: readonly Upstream[],
  { key, state, log }: { readonly key: string; readonly state: StateFile; log(line: string): void },
): ConstructorParameters<typeof ToolReports>[0] {
  return {
    name: config.name ?? defaultName(file),
    agentDid: config.agentDid,
    servers: upstreams.map(({ name }) => name),
    node: toolNode(config.node.url, key),
    ...{ state, unmatched: config.unmatched, now: Date.now, log },
  };
}

/** @throws WrongOption with a line for each fault */
function read(file: string): GuardConfig {
  try {
    return readGuardFile(file);
  } catch (error) {
    throw error instanceof WrongGuardFile ? new WrongOption(error.message, { cause: error }) : error;
  }
}

function asOption<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    throw new WrongOption((error as Error).message, { cause: error });
  }
}

/** @throws WrongOption without a key */
function keyOf(config: GuardConfig, env: GuardOptions['env']): string {
  const key = givenKey(config, env);
  if (key !== undefined) return key;
  throw new WrongOption(`Give a key of the node: by ${variableOf(config)}, or key in the table [node] of the file.`);
}

function givenKey(config: GuardConfig, env: GuardOptions['env']): string | undefined {
  const key = config.node.key ?? env[variableOf(config)];
  return key === '' ? undefined : key;
}

function variableOf({ node }: GuardConfig): string {
  return node.env ?? 'COUNTERSIGN_API_KEY';
}

/** Of this machine and the name of the file: two guards of one agent are two for the node. */
function defaultName(file: string): string {
  const text = `${hostname().split('.')[0]}-${basename(file).replace(/\.toml$/, '')}`;
  return (
    text
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 60) || 'guard'
  );
}
