/** What goes wrong between nodes and a PostgreSQL server, and with the server itself. */
import type pg from 'pg';
import type { Owner } from '../machine/eventLoop.ts';
import type { World } from '../world.ts';

const SECOND = 1000;
/** What an administrator locks, such as to rebuild it. */
const TABLES = ['intents', 'payments', 'evidence', 'webhook_deliveries', 'rail_attempts', 'agents', 'nodes'];

/** How soon a connection breaks at a statement, in halves of statements. */
const MOST_HALVES = 60;

type DatabaseFault = (faults: DatabaseFaults, place: number) => void;

export const DATABASE_FAULTS: Readonly<Record<string, DatabaseFault>> = {
  cutConnections: (faults, place) => faults.cutConnections(place),
  cutAtStatement: (faults, place) => faults.cutAtStatement(place),
  stallConnections: (faults, place) => faults.stallConnections(place),
  lockTable: (faults) => faults.lockTable(),
  crashServer: (faults) => faults.crashServer(),
};

export class DatabaseFaults {
  readonly #world: World;
  readonly #owner: Owner;
  #lock: pg.Client | undefined;

  constructor(world: World) {
    this.#world = world;
    this.#owner = world.loop.newOwner('database faults');
  }

  /** Some connections of a node end, or nothing passes on them any more. */
  cutConnections(place: number): void {
    const { server, chance, site } = this.#world;
    const owner = site.life(place)?.owner;
    if (server === undefined || owner === undefined) return;
    const how = chance.of(['ended by the server', 'reset', 'gone silent'] as const);
    const cut = server.linksOf(owner).filter(() => chance.permille(500));
    if (cut.length === 0) return;
    for (const link of cut) {
      if (how === 'reset') link.reset();
      else if (how === 'gone silent') link.lose();
      else server.endSession(link);
    }
    this.#world.fault(place, 'connections cut', `${cut.length} connections to the database ${how}`);
  }

  /** A connection breaks before a statement, or once it is executed and before its answer is there; the node goes on. */
  cutAtStatement(place: number): void {
    const { server, chance, site } = this.#world;
    const owner = site.life(place)?.owner;
    if (server === undefined || owner === undefined) return;
    server.cutAfter(owner, 1 + chance.below(MOST_HALVES));
    this.#world.fault(place, 'connection cut at a statement', 'soon');
  }

  /** Nothing passes between a node and the server for a while; then all of it does. */
  stallConnections(place: number): void {
    const { server, chance, site } = this.#world;
    const owner = site.life(place)?.owner;
    if (server === undefined || owner === undefined) return;
    const ms = chance.of([300, 3 * SECOND, 25 * SECOND]);
    server.stall(owner, ms);
    this.#world.fault(place, 'connections stalled', `for ${ms} ms`);
  }

  /** Another session locks a table for as long as a node waits for it, and longer. */
  lockTable(): void {
    const { server, chance, loop } = this.#world;
    if (server === undefined || this.#lock !== undefined) return;
    const table = chance.of(TABLES);
    const ms = chance.of([SECOND, 12 * SECOND, 40 * SECOND]);
    void loop.whole(async () => {
      const session = await server.database.session().catch(() => undefined);
      try {
        await session?.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE NOWAIT`);
        this.#lock = session;
      } catch {
        await session?.end();
      }
      if (this.#lock === undefined) return;
      this.#world.fault(-1, 'table locked', `${table}, for ${ms} ms`);
      loop.schedule(this.#owner, ms, 'unlock', () => this.#unlock());
    });
  }

  crashServer(): void {
    const { server, chance, loop } = this.#world;
    if (server === undefined || server.isDown) return;
    const ms = chance.of([100, SECOND, 10 * SECOND]);
    void server.crash().then((isCrashed) => {
      if (!isCrashed) return;
      this.#world.fault(-1, 'database crash', `it takes connections again after ${ms} ms`);
      loop.schedule(this.#owner, ms, 'database again', () => void server.restart());
    });
  }

  /** Everything works from here on. */
  end(): void {
    const { server } = this.#world;
    server?.calm();
    this.#unlock();
    void server?.restart();
  }

  #unlock(): void {
    const session = this.#lock;
    this.#lock = undefined;
    if (session !== undefined) void this.#world.loop.whole(() => session.end().catch(() => {}));
  }
}
