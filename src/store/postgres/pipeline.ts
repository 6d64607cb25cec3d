/**
 * The commands and statements of one transaction on their way to PostgreSQL: all go out in order, and a statement whose answer
 * no script reads is not waited for.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PoolClient } from 'pg';
import { outcomeUnknown } from '../failure.ts';
import { pump } from '../pump.ts';
import type { Result, Script, Statement } from '../store.ts';
import { type Known, KnownRows, keyOf } from './knownRows.ts';
import { command, endOf, execute } from './postgresConnection.ts';
import { isConflict, isConnectionLoss, postgresFault } from './postgresFailure.ts';

/** The whole transaction failed. Its scripts have had no effect, unless the connection was lost at the commit. */
export class GroupFailure extends Error {
  override readonly name = 'GroupFailure';
  readonly atCommit: boolean;

  constructor(cause: unknown, atCommit: boolean) {
    super('The transaction failed.', { cause });
    this.atCommit = atCommit;
  }
}

/** A statement failed that no script was waiting for. Nothing is committed, and no script has learned of it. */
export class UnreadFailure extends Error {
  override readonly name = 'UnreadFailure';
}

/** A script was given rows that had changed since they were read. Nothing is committed, and no script has learned of it. */
export class StaleRows extends Error {
  override readonly name = 'StaleRows';
}

/**
 * `awaited` waits for each statement; `ahead` goes on before statements whose rows no script reads have been executed;
 * `guessing` also gives rows that have hardly changed before it has read them again.
 */
export type Pace = 'guessing' | 'ahead' | 'awaited';

/** What ends the transaction although each script may succeed in another one. */
type Failure = GroupFailure | UnreadFailure | StaleRows;

const UNREAD: Result = { rows: [], changes: 0 };

export class Pipeline {
  /** What failed the transaction and not just one script. Every statement sent after it fails as a consequence. */
  #failure: Failure | undefined;
  #failedAt = Number.POSITIVE_INFINITY;
  #sent = 0;
  /** Commands that go with the next statement, since each alone would be a message of its own. */
  #commands: string[] = [];
  /** What was sent and is not awaited. */
  #underWay: Promise<void>[] = [];
  /** Whether rows that were given in doubt are being read again, and no script has waited for that yet. */
  #isInDoubt = false;
  readonly #known: KnownRows;
  readonly #client: PoolClient;
  readonly #counts: () => void;
  readonly #pace: Pace;

  constructor(client: PoolClient, counts: () => void, pace: Pace) {
    this.#client = client;
    this.#counts = counts;
    this.#pace = pace;
    this.#known = new KnownRows(pace === 'guessing');
  }

  add(...commands: string[]): void {
    this.#commands.push(...commands);
  }

  /**
   * Sends the commands that begin the transaction, and in the same trip reads what its scripts have announced. Awaited, since
   * a script receives a time that is read once the lock is held.
   * @throws GroupFailure or UnreadFailure
   */
  async begin(announced: readonly Statement[]): Promise<void> {
    this.#flush();
    this.#readAll(announced);
    await this.settle();
  }

  /** Forgets what only the script before has asked for. */
  beginScript(): void {
    this.#known.dropOfScript();
  }

  /** Reads what is not known of what scripts have announced. @throws GroupFailure, UnreadFailure or StaleRows */
  async readAhead(announced: readonly Statement[]): Promise<void> {
    if (this.#readAll(announced)) await this.settle();
  }

  /** @throws what the script throws; after that `settle` says whether more has failed than the script */
  run<T>(script: Script<T>): Promise<T> {
    return pump(script, async (statements) => {
      const answers = await Promise.allSettled(statements.map((statement) => this.#answer(statement)));
      const results: Result[] = [];
      for (const answer of answers) {
        if (answer.status === 'rejected') throw await this.#faultOf(answer.reason);
        results.push(answer.value);
      }
      return results;
    });
  }

  /** Waits for everything that was sent. @throws GroupFailure, UnreadFailure or StaleRows */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay.splice(0));
    this.#isInDoubt = false;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Takes back what a script did within its group. */
  takeBack(): void {
    this.#known.drop();
    this.add('ROLLBACK TO SAVEPOINT script', 'RELEASE SAVEPOINT script');
  }

  /** @throws GroupFailure, UnreadFailure, StaleRows, or Fault UNAVAILABLE where it is unknown what was committed */
  async end(ending: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (this.#failure !== undefined || this.#isInDoubt) await this.settle();
    this.#flush();
    const [answer] = await Promise.allSettled([command(this.#client, ending), ...this.#underWay.splice(0)]);
    if (answer.status === 'rejected') {
      // Where the server had refused a statement before, or ended the transaction, it is known that nothing was committed.
      if (this.#failure !== undefined && !(this.#failure instanceof GroupFailure)) throw this.#failure;
      throw new GroupFailure(endOf(this.#client) ?? this.#failure?.cause ?? answer.reason, ending === 'COMMIT');
    }
    // The server answers COMMIT with ROLLBACK when the transaction had failed before.
    if (answer.value.command !== ending) {
      throw this.#failure ?? new GroupFailure(new Error('The server rolled the transaction back.'), false);
    }
    if (this.#failure !== undefined) throw outcomeUnknown(this.#failure.cause);
  }

  /** Ends the transaction without waiting; the connection executes this before anything else. */
  abandon(): void {
    this.add('ROLLBACK');
    this.#flush();
  }

  #answer(statement: Statement): Result | Promise<Result> {
    const { ahead, cached, known, unread } = statement;
    if (ahead === true) return this.#readOne(statement, 'script');
    if (known !== undefined) {
      this.#known.add(statement, known, 'script');
      return UNREAD;
    }
    const found = this.#known.find(statement);
    if (found !== undefined) {
      if (found.isDoubtful) this.#readBeside(statement, found);
      return { rows: found.rows, changes: 0 };
    }
    this.#flush();
    const result = this.#execute(statement);
    this.#known.dropFor(statement);
    if (unread === true && this.#pace !== 'awaited') {
      this.#watch(result, true);
      return UNREAD;
    }
    if (cached === undefined) return result;
    return result.then((answer) => {
      this.#known.add(statement, answer.rows, 'script');
      return answer;
    });
  }

  /** @returns whether any of it was not known, so that its rows are on their way */
  #readAll(announced: readonly Statement[]): boolean {
    const each = new Map(announced.map((statement) => [keyOf(statement), statement]));
    return [...each.values()].map((statement) => this.#readOne(statement, 'group')).some((answer) => answer !== UNREAD);
  }

  #readOne(statement: Statement, reach: 'script' | 'group'): Result | Promise<Result> {
    if (this.#pace === 'awaited' || this.#known.find(statement) !== undefined) return UNREAD;
    this.#flush();
    const answer = this.#execute(statement).then(({ rows }) => {
      this.#known.add(statement, rows, reach);
      return UNREAD;
    });
    // Where it fails, no script has asked for it yet.
    this.#watch(answer, true);
    return answer;
  }

  /** Reads again what a script is given, and is not kept waiting for: the commit comes only after it has given the same. */
  #readBeside(statement: Statement, given: Known): void {
    this.#flush();
    given.isDoubtful = false;
    this.#isInDoubt = true;
    const answer = this.#execute(statement).then(({ rows }) => {
      if (!isDeepStrictEqual(rows, given.rows)) throw new StaleRows('Rows had changed since they were read.');
    });
    this.#watch(answer, true);
  }

  #execute(statement: Statement): Promise<Result> {
    this.#counts();
    return execute(this.#client, statement);
  }

  /** The error of a statement as its script learns it. */
  async #faultOf(reason: unknown): Promise<unknown> {
    // Every statement sent before it has been answered before it, and may be its cause.
    await Promise.all(this.#underWay);
    const error = endOf(this.#client) ?? reason;
    if (isConflict(error) || isConnectionLoss(error)) this.#fail(this.#sent, new GroupFailure(error, false));
    return postgresFault(this.#failure?.cause ?? error);
  }

  #flush(): void {
    if (this.#commands.length === 0) return;
    const commands = this.#commands.join('; ');
    this.#commands = [];
    this.#watch(command(this.#client, commands), false);
  }

  /** @param isStatement whether a script asked for it, so that its failure may be of that script alone */
  #watch(answer: Promise<unknown>, isStatement: boolean): void {
    const place = this.#sent++;
    const failed = (reason: unknown) => {
      if (reason instanceof StaleRows) {
        this.#fail(place, reason);
        return;
      }
      const error = endOf(this.#client) ?? reason;
      const isOwn = isStatement && !isConflict(error) && !isConnectionLoss(error);
      const message = 'A statement failed that no script was waiting for.';
      this.#fail(place, isOwn ? new UnreadFailure(message, { cause: error }) : new GroupFailure(error, false));
    };
    this.#underWay.push(answer.then(() => {}, failed));
  }

  #fail(place: number, failure: Failure): void {
    if (place >= this.#failedAt) return;
    this.#failedAt = place;
    this.#failure = failure;
  }
}
