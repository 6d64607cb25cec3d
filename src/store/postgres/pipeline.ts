/**
 * The commands and statements of one transaction on their way to PostgreSQL: all go out in order, and a statement whose answer
 * no script reads is not waited for.
 */
import type { PoolClient } from 'pg';
import { outcomeUnknown } from '../failure.ts';
import { pump } from '../pump.ts';
import type { Result, Script, Statement } from '../store.ts';
import { command, endOf, execute } from './postgresConnection.ts';
import { isConflict, isConnectionLoss, postgresFault } from './postgresFailure.ts';
import { keyOf, TransactionRowCache } from './transactionRowCache.ts';

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

/** What ends the transaction although each script may succeed in another one. */
type Failure = GroupFailure | UnreadFailure;

const UNREAD: Result = { rows: [], changes: 0 };

export class QueryPipeline {
  /** What failed the transaction and not just one script. Every statement sent after it fails as a consequence. */
  #failure: Failure | undefined;
  #failedAt = Number.POSITIVE_INFINITY;
  #sent = 0;
  /** Commands that go with the next statement, since each alone would be a message of its own. */
  #commands: string[] = [];
  /** What was sent and is not awaited. */
  #underWay: Promise<void>[] = [];
  readonly #known = new TransactionRowCache();
  readonly #client: PoolClient;
  readonly #counts: () => void;
  readonly #isAwaited: boolean;

  /** @param isAwaited whether each statement is waited for, also one whose result no script reads */
  constructor(client: PoolClient, counts: () => void, isAwaited: boolean) {
    this.#client = client;
    this.#counts = counts;
    this.#isAwaited = isAwaited;
  }

  add(...commands: string[]): void {
    this.#commands.push(...commands);
  }

  /**
   * Sends the commands that begin the transaction, and in the same trip reads what its scripts load. Awaited, since a script
   * receives a time that is read once the lock is held.
   * @throws GroupFailure or UnreadFailure
   */
  async begin(loads: readonly Statement[]): Promise<void> {
    this.#flush();
    this.#readAll(loads);
    await this.settle();
  }

  /** Reads in one trip what is not known of what scripts load. @throws GroupFailure or UnreadFailure */
  async load(loads: readonly Statement[]): Promise<void> {
    if (this.#readAll(loads)) await this.settle();
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

  /** Waits for everything that was sent. @throws GroupFailure or UnreadFailure */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay.splice(0));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Takes back what a script did within its group. */
  takeBack(): void {
    this.#known.drop();
    this.add('ROLLBACK TO SAVEPOINT script', 'RELEASE SAVEPOINT script');
  }

  /** @throws GroupFailure, UnreadFailure, or Fault UNAVAILABLE where it is unknown what was committed */
  async end(ending: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (this.#failure !== undefined) await this.settle();
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
    const { cached, known, unread } = statement;
    if (known !== undefined) {
      this.#known.add(statement, known);
      return UNREAD;
    }
    const rows = this.#known.find(statement);
    if (rows !== undefined) return { rows, changes: 0 };
    this.#flush();
    const result = this.#execute(statement);
    this.#known.dropFor(statement);
    if (unread === true && !this.#isAwaited) {
      this.#watch(result, true);
      return UNREAD;
    }
    if (cached === undefined) return result;
    return result.then((answer) => {
      this.#known.add(statement, answer.rows);
      return answer;
    });
  }

  /** @returns whether any of it was not known, so that its rows are on their way */
  #readAll(loads: readonly Statement[]): boolean {
    if (this.#isAwaited) return false;
    const unknown = new Map(loads.map((statement) => [keyOf(statement), statement]));
    for (const [key, statement] of unknown) if (this.#known.find(statement) !== undefined) unknown.delete(key);
    if (unknown.size > 0) this.#flush();
    for (const statement of unknown.values()) {
      const answer = this.#execute(statement).then(({ rows }) => this.#known.add(statement, rows));
      // Where it fails, no script has asked for it yet.
      this.#watch(answer, true);
    }
    return unknown.size > 0;
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
