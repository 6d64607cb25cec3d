/** A node in a process of its own that is killed as by kill -9, before an answer or at once, and started again on the same data. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ChildNode, freePort, startChild } from './child.ts';
import type { Engine, TestDatabase } from './engines.ts';
import { until } from './until.ts';
import { ADMIN_KEY, type Loose } from './world.ts';

const ADMIN = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
const HOOKS = ['dieBeforeAnswer', 'dieAtLoad']
  .map((name) => `--import=${pathToFileURL(`test/support/${name}.mjs`).href}`)
  .join(' ');

/** What the hooks read: DIE_BEFORE, DIE_KEEPING, DIE_AT_LOAD. */
type Death = Readonly<Record<string, string>>;

export class KilledNode {
  readonly dataDir: string;
  /** What the nodes have printed that were killed so far. */
  printed = '';
  readonly #env: Readonly<Record<string, string>>;
  readonly #database: TestDatabase;
  #node: ChildNode | undefined;

  private constructor(dataDir: string, database: TestDatabase, env: Readonly<Record<string, string>>) {
    this.dataDir = dataDir;
    this.#database = database;
    this.#env = env;
  }

  static async open(
    engine: Engine,
    settings: (address: string) => Readonly<Record<string, string>>,
  ): Promise<KilledNode> {
    const dataDir = await mkdtemp(join(tmpdir(), 'countersign-killed-'));
    const database = await engine.open();
    await database.store.close();
    const port = String(await freePort());
    const address = `http://127.0.0.1:${port}`;
    const node = new KilledNode(dataDir, database, {
      ...{ DATA_DIR: dataDir, PORT: port, BASE_URL: address, BOOTSTRAP_API_KEY: ADMIN_KEY },
      ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
      ...settings(address),
    });
    await node.#start({});
    return node;
  }

  async #start(death: Death): Promise<void> {
    // A gate in a thread of its own would be started without the hooks.
    this.#node = await startChild({ ...this.#env, GATES: '0', NODE_OPTIONS: HOOKS, ...death });
  }

  get current(): ChildNode {
    if (this.#node === undefined) throw new Error('the node was closed');
    return this.#node;
  }

  send(path: string, body?: Loose): Promise<Response> {
    const method = body === undefined ? 'GET' : 'POST';
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(this.current.address + path, { method, headers: ADMIN, ...text });
  }

  async ask(path: string, body?: Loose): Promise<Loose> {
    const response = await this.send(path, body);
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${text}`);
    return JSON.parse(text);
  }

  async restart(death: Death = {}): Promise<void> {
    await this.current.kill();
    this.printed += this.current.output();
    await this.#start(death);
  }

  /** Sends a request to a node that dies of it, and starts the next one. */
  async diesOf(death: Death, path: string, body: Loose): Promise<void> {
    await this.restart(death);
    await assert.rejects(this.send(path, body), 'no answer came');
    assert.equal(await this.current.ended(), null, 'the node was killed');
    this.printed += this.current.output();
    await this.#start({});
  }

  becomes(mandateId: string, status: string): Promise<void> {
    return until(status, async () => (await this.ask(`/ap2/payments/${mandateId}`)).status === status, 20_000);
  }

  async close(): Promise<void> {
    await this.current.kill();
    this.printed += this.current.output();
    await this.#database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
