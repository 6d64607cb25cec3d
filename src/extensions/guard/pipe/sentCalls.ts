/**
 * Calls that went on, until the node knows what became of them: in the state file before the client knows it, and told again and again,
 * also by a guard that is started later.
 */
import { CountersignError } from '../../../../client/error.ts';
import type { CallOutcome, GuardState, SentCall, StateFile } from '../guardState.ts';
import type { CallClaim, OpenCall } from '../openCalls.ts';
import type { ReservationNode } from '../reservationNode.ts';

interface SentCallsDeps {
  readonly node: ReservationNode;
  readonly state: StateFile;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newKey: () => string;
  /** One line, for who operates the guard. */
  readonly log: (line: string) => void;
  /** Whether a process of this machine runs; asked of it where absent. */
  readonly isRunning?: (pid: number) => boolean;
}

/** Before the node is asked once more; the last again and again. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** Longer than the node may be waited for. */
const CLAIM_MS = 180_000;
/** Before what the node has answered for leaves the file, if nothing else is written meanwhile. */
const FORGET_MS = 1_000;

export class SentCalls {
  readonly #deps: SentCallsDeps;
  /** Names this guard among those of one state file. */
  readonly #run: string;
  readonly #isRunning: (pid: number) => boolean;
  /** What could not be written, while this guard lives. */
  readonly #unwritten = new Map<string, SentCall>();
  /** The keys of calls that the node has answered for, which the next change takes from the file: a key that is told again counts once. */
  readonly #ended = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #forgetTimer: NodeJS.Timeout | undefined;

  constructor(deps: SentCallsDeps) {
    this.#deps = deps;
    this.#run = deps.newKey();
    this.#isRunning = deps.isRunning ?? isRunning;
  }

  /** Before a call goes on. @throws Error where it cannot be written: then the call must not */
  begin(mandateId: string): void {
    this.#deps.state.openCalls.begin({ mandateId, sentAt: this.#deps.now(), claim: this.#claim() });
  }

  /** Nothing is to be told of it. */
  drop(mandateId: string): void {
    try {
      this.#deps.state.openCalls.end(mandateId);
    } catch (error) {
      this.#deps.log(`the state cannot be written: ${(error as Error).message}`);
    }
  }

  /** The reference of a payment that the node does not know of yet. */
  referenceOf(mandateId: string): string | undefined {
    const call = this.#unwritten.get(mandateId) ?? callOf(this.#calls(), mandateId);
    return call?.outcome.kind === 'commit' && !this.#ended.has(call.key) ? call.outcome.evidence.reference : undefined;
  }

  /**
   * Keeps what became of a call, and tells the node.
   * @param named under which the call itself names the purchase, hashed
   * @param more what changes with it
   * @returns once it is on disk: what the node says against it, or that it did not answer
   */
  tell(
    mandateId: string,
    outcome: CallOutcome,
    { named, more }: { readonly named?: string | undefined; readonly more?: (state: GuardState) => void } = {},
  ): { readonly fault: Promise<string | undefined> } {
    const { now, newKey } = this.#deps;
    let call: SentCall = { outcome, key: newKey(), dueAt: now(), tries: 0, claim: this.#claim() };
    if (named !== undefined) call = { ...call, named };
    const isKept = this.#change((state) => {
      more?.(state);
      const before = callOf(state.calls, mandateId);
      // That it was paid is not taken back by what a later call of the same name says.
      if (before?.outcome.kind === 'commit' && outcome.kind === 'release') call = before;
      else state.calls[mandateId] = call = { ...call, key: before?.key ?? call.key };
    });
    if (isKept) this.drop(mandateId);
    else this.#unwritten.set(mandateId, call);
    return { fault: this.#ask(mandateId, call) };
  }

  /** Tells what guards before this one could not, and says which calls they left without an answer. */
  resume(): void {
    const calls = this.#calls();
    for (const { mandateId, sentAt, claim } of this.#openCalls()) {
      if (this.#isClaimed(claim)) continue;
      if (callOf(calls, mandateId) === undefined)
        this.#deps.log(
          `${mandateId} was sent at ${new Date(sentAt).toISOString()} by a guard that ended before the answer: whether it paid is not known, it stays reserved`,
        );
      this.drop(mandateId);
    }
    if (Object.keys(calls).length > 0) void this.#sweep(true);
  }

  #openCalls(): readonly OpenCall[] {
    try {
      return this.#deps.state.openCalls.all();
    } catch (error) {
      this.#deps.log(`what is on its way cannot be read: ${(error as Error).message}`);
      return [];
    }
  }

  /** None where the file cannot be read: what is paid by then is told all the same. */
  #calls(): GuardState['calls'] {
    try {
      return this.#deps.state.read().calls;
    } catch (error) {
      this.#deps.log(`the state cannot be read: ${(error as Error).message}`);
      return {};
    }
  }

  #claim(): CallClaim {
    return { run: this.#run, pid: process.pid, until: this.#deps.now() + CLAIM_MS };
  }

  /** Whether another guard has it that runs. */
  #isClaimed(claim: CallClaim | undefined): boolean {
    if (claim === undefined) return false;
    const { run, pid, until } = claim;
    // Started anew in a container, a guard has the number of the one before.
    return run === this.#run || (pid !== process.pid && until > this.#deps.now() && this.#isRunning(pid));
  }

  /** @returns whether it is written */
  #change(change: (state: GuardState) => void, isLasting = true): boolean {
    const ended = [...this.#ended];
    try {
      this.#deps.state.change((state) => {
        for (const [mandateId, { key }] of Object.entries(state.calls))
          if (this.#ended.has(key)) delete state.calls[mandateId];
        change(state);
      }, isLasting);
      for (const key of ended) this.#ended.delete(key);
      return true;
    } catch (error) {
      this.#deps.log(`the state cannot be written: ${(error as Error).message}`);
      return false;
    }
  }

  async #ask(mandateId: string, { outcome, key, named }: SentCall): Promise<string | undefined> {
    const { node, log } = this.#deps;
    const ask = () =>
      outcome.kind === 'commit' ? node.commit(mandateId, outcome, key) : node.release(mandateId, outcome.reason, key);
    try {
      // A connection that the node has closed meanwhile loses it, say.
      await ask().catch((error: unknown) =>
        error instanceof CountersignError && error.status === 0 ? ask() : Promise.reject(error),
      );
      this.#end(mandateId, key);
      return undefined;
    } catch (error) {
      const { message } = error as Error;
      log(`${outcome.kind}: ${message} (${mandateId})`);
      if (isFinal(error)) {
        this.#end(mandateId, key, outcome.kind === 'commit' ? named : undefined);
        return message;
      }
      this.#postpone(mandateId);
      if (!isAway(error)) return message;
      return outcome.kind === 'commit' ? 'The node did not answer: that it was paid is told later.' : undefined;
    }
  }

  /** @param refused the name of a purchase that the node does not take: it stands for another from now on */
  #end(mandateId: string, key: string, refused?: string): void {
    if (this.#unwritten.delete(mandateId)) this.drop(mandateId);
    this.#ended.add(key);
    if (refused === undefined) this.#forgetTimer ??= setTimeout(() => this.close(), FORGET_MS).unref();
    else this.#change((state) => countRetry(state, refused));
  }

  /** What the node has answered for leaves the file. */
  close(): void {
    clearTimeout(this.#forgetTimer);
    this.#forgetTimer = undefined;
    if (this.#ended.size > 0) this.#change(() => undefined, false);
  }

  #postpone(mandateId: string): void {
    const later = (call: SentCall): SentCall => {
      const { claim: _over, ...rest } = call;
      const pause = PAUSES_MS[Math.min(call.tries, PAUSES_MS.length - 1)] as number;
      return { ...rest, tries: call.tries + 1, dueAt: this.#deps.now() + pause };
    };
    const unwritten = this.#unwritten.get(mandateId);
    if (unwritten !== undefined) this.#unwritten.set(mandateId, later(unwritten));
    this.#change(({ calls }) => {
      const call = callOf(calls, mandateId);
      if (call !== undefined) calls[mandateId] = later(call);
    });
    this.#schedule();
  }

  /** Asks for the next sweep, which no process stays for. */
  #schedule(): void {
    const { now } = this.#deps;
    const times = [...Object.values(this.#calls()), ...this.#unwritten.values()].flatMap(({ dueAt, claim }) =>
      claim?.run === this.#run ? [] : [Math.max(dueAt, claim?.until ?? 0)],
    );
    clearTimeout(this.#timer);
    if (times.length === 0) return;
    this.#timer = setTimeout(() => void this.#sweep(false), Math.max(0, Math.min(...times) - now()));
    this.#timer.unref();
  }

  /** @param isFirst of a guard that was just started, which waits for nothing */
  async #sweep(isFirst: boolean): Promise<void> {
    const taken: [string, SentCall][] = [];
    this.#change(({ calls }) => {
      taken.length = 0;
      for (const [mandateId, call] of Object.entries(calls)) {
        if (this.#isClaimed(call.claim)) continue;
        if (!isFirst && call.dueAt > this.#deps.now()) continue;
        const claim = this.#claim();
        calls[mandateId] = { ...call, claim };
        taken.push([mandateId, call]);
      }
    });
    for (const [mandateId, call] of this.#unwritten) if (call.dueAt <= this.#deps.now()) taken.push([mandateId, call]);
    for (const [mandateId, call] of taken) await this.#ask(mandateId, call);
    this.#schedule();
  }
}

function callOf(calls: GuardState['calls'], mandateId: string): SentCall | undefined {
  return Object.hasOwn(calls, mandateId) ? calls[mandateId] : undefined;
}

/** @param named from now on it stands for another purchase: the reservation that it stood for has ended */
export function countRetry({ retries }: GuardState, named: string): void {
  retries[named] = (Object.hasOwn(retries, named) ? (retries[named] ?? 0) : 0) + 1;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether it may be answered when it is asked again later. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof CountersignError)) return false;
  const { code, status } = error;
  return (status === 0 && code !== 'BAD_REQUEST') || status === 408 || status === 429 || status >= 500;
}

/** Whether the node has judged: a key that it does not take, or that may not write, is for the operator to replace. */
function isFinal(error: unknown): boolean {
  return error instanceof CountersignError && !isAway(error) && error.status !== 401 && error.status !== 403;
}
