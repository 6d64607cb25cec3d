/** `countersign guard`: stands before other vendors' tools, over stdio or HTTP. Over stdio nothing but the protocol goes to standard output. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type ProgramHost, WrongOption } from '../programHost.ts';
import { checkGuard } from './checkGuard.ts';
import { openStateFile, statePath } from './guardState.ts';
import { openUpstream, upstreamsOf } from './openUpstreams.ts';
import { GUARD_PATH, listenHttp } from './pipe/httpFront.ts';
import { Purchases } from './pipe/purchases.ts';
import { Relay } from './pipe/relay.ts';
import { readGuardFile, WrongGuardFile } from './readGuardFile.ts';
import { reservationNode } from './reservationNode.ts';
import type { GuardConfig } from './rules/guardConfig.ts';

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
  if (options.check !== undefined) {
    const needsPerson = await checkGuard(open(), {
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
  const purchases = new Purchases({
    node: reservationNode(config.node.url, keyOf(config, options.env)),
    agentDid: config.agentDid,
    principalDid: config.principalDid,
    state,
    now: Date.now,
    newKey: randomUUID,
    log,
  });
  purchases.resume();
  const pipe = async (front: Transport, authorization?: string) => {
    const relay = new Relay(front, open(authorization), { purchases, state, unmatched: config.unmatched, log });
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
function keyOf({ node }: GuardConfig, env: GuardOptions['env']): string {
  const variable = node.env ?? 'COUNTERSIGN_API_KEY';
  const key = node.key ?? env[variable];
  if (key === undefined || key === '')
    throw new WrongOption(`Give a key of the node: by ${variable}, or key in the table [node] of the file.`);
  return key;
}
