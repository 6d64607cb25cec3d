/** A node that a test stops and starts again on the same data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/node/config/config.ts';
import { type Node, startNode } from '../../src/node/startNode.ts';
import type { Engine } from './engines.ts';
import { EXTENSIONS } from './extensionsOn.ts';
import { ADMIN_KEY, GATES } from './world.ts';

export interface Lives {
  /** Its data folder. */
  readonly folder: string;
  /** What it is started with. */
  readonly env: Readonly<Record<string, string>>;
  /** The node that runs now. */
  node(): Node;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** A request with the admin key. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ readonly status: number; readonly text: string }>;
  close(): Promise<void>;
}

/** @param prepare fills the data folder before the first start */
export async function makeLives(
  engine: Engine,
  extra: Readonly<Record<string, string>> = {},
  prepare: (folder: string) => Promise<void> = async () => {},
): Promise<Lives> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-lives-'));
  const database = await engine.prepare(folder);
  const env = {
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'error',
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_BURST: '100000',
    ...database.env,
    GATES,
    EXTENSIONS,
    ...extra,
  };
  await prepare(folder);
  let node = await startNode(readConfig(env));
  // As the command that serves does once it has printed the owner's link.
  await node.keyShown();
  let isRunning = true;
  return {
    folder,
    env,
    node: () => node,
    stop() {
      isRunning = false;
      return node.stop();
    },
    async start() {
      node = await startNode(readConfig(env));
      isRunning = true;
    },
    async ask(method, path, body, headers = {}) {
      const answer = await fetch(node.address + path, {
        method,
        headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    },
    async close() {
      if (isRunning) await node.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
