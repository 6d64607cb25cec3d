/** `countersign guard`: stands before other vendors' tools, over stdio or HTTP. Over stdio nothing but the protocol goes to standard output. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type ProgramHost, WrongOption } from '../programHost.ts';
import { AcceptedTexts } from './acceptedTexts.ts';
import { checkGuard } from './checkGuard.ts';
import { openStateFile, statePath } from './guardState.ts';
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
  const texts = new AcceptedTexts(statePath(options.config), state, log);
  const reportsBy = (key: string) =>
    new ToolReports(reportDeps(options.config, config, upstreams, { key, state, texts, log }));
  if (options.check !== undefined) {
    const key = givenKey(config, options.env);
    const needsPerson = await checkGuard(open(), {
      reports: key === undefined ? undefined : reportsBy(key),
      ...options.check,
      config,
      state,
      texts,
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
  await servePipes(options.port, host, log, async (front: Transport, authorization?: string) => {
    const relay = new Relay(front, open(authorization), {
      purchases,
      state,
      reports,
      unmatched: config.unmatched,
      log,
      ...(options.port === undefined ? { onGone: failWithThem } : {}),
    });
    try {
      await relay.start();
    } catch (error) {
      await relay.close();
      throw error;
    }
  });
}

/** Over stdio one pipe, which ends with its client; over HTTP one for each. */
async function servePipes(
  port: number | undefined,
  host: ProgramHost,
  log: (line: string) => void,
  pipe: (front: Transport, authorization?: string) => Promise<void>,
): Promise<void> {
  if (port === undefined) {
    await pipe(new StdioServerTransport());
    return;
  }
  const server = await listenHttp(port, pipe, log);
  const { port: bound } = server.address() as AddressInfo;
  host.print(`The guard listens at http://127.0.0.1:${bound}${GUARD_PATH}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close().closeAllConnections());
}

function reportDeps(
  file: string,
  config: GuardConfig,
  upstreams: readonly Upstream[],
  {
    key,
    ...kept
  }: Pick<ConstructorParameters<typeof ToolReports>[0], 'log' | 'state' | 'texts'> & { readonly key: string },
): ConstructorParameters<typeof ToolReports>[0] {
  return {
    name: config.name ?? defaultName(file),
    agentDid: config.agentDid,
    servers: upstreams.map(({ name }) => name),
    node: toolNode(config.node.url, key),
    ...{ ...kept, unmatched: config.unmatched, now: Date.now },
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

/** Over stdio the guard ends with its servers: what started it is to know that this was no end of its own. */
function failWithThem(): void {
  process.exitCode = 1;
}
