/** The replay of a draft, which its limits and the card of the replay both show. */
import { createContext } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CountersignError } from '../../../../../client/error.ts';
import type { Rules as GivenRules, Operations } from '../../../../../client/operations.ts';
import { followReplay } from '../../../../../client/stream.ts';
import type { Rules } from '../../../../../protocol/policy/rules.ts';
import { accessToken } from '../../../../login/login.ts';
import { BASE_URL } from '../../../../node/here.ts';
import { node } from '../../../../node/node.ts';

export type ReplayOutput = Operations['replayPolicy']['output'];

export interface ReplayProgress {
  readonly checked: number;
  /** Undefined where the node does not tell how far it is. */
  readonly of?: number;
}

interface ReplayRun {
  /** The draft that was replayed. */
  readonly text: string;
  readonly result?: ReplayOutput;
  readonly error?: unknown;
  readonly tookMs: number;
}

export interface DraftReplay {
  /** Undefined while none is running. */
  readonly progress: ReplayProgress | undefined;
  readonly done: ReplayRun | undefined;
  /** Whether the draft has changed since. */
  readonly isOld: boolean;
  /** False while something is wrong with the draft. */
  readonly canRun: boolean;
  readonly days: string;
  setDays(days: string): void;
  run(): void;
  stop(): void;
}

/** Undefined outside of a draft. */
export const Replaying = createContext<DraftReplay | undefined>(undefined);

const DAY_MS = 86_400_000;
const MOST_FLIPS = 50;
/** A replay that took no longer follows the draft: it is no burden to the node, which reads all of it again. */
const QUICK_MS = 2000;
/** The user has paused by then: no key of a number that is being typed asks for a replay. */
const PAUSE_MS = 1000;

/** @param hasProgress whether the node streams the progress of a replay, and reads further back */
export function useReplay(rules: Rules | undefined, text: string, hasProgress: boolean): DraftReplay {
  const [days, setDays] = useState('30');
  const [progress, setProgress] = useState<ReplayProgress>();
  const [done, setDone] = useState<ReplayRun>();
  const running = useRef<AbortController>(undefined);
  const isOld = done !== undefined && done.text !== text;
  const stop = () => running.current?.abort();
  const run = async () => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    setProgress({ checked: 0 });
    const startedAt = performance.now();
    const since = new Date(Date.now() - Number(days) * DAY_MS).toISOString();
    const input = { rules: rules as GivenRules, since, limit: MOST_FLIPS };
    const { signal } = controller;
    const tell = (line: ReplayProgress) => !signal.aborted && setProgress(line);
    const asking = hasProgress ? follow(input, signal, tell) : node.replayPolicy(input, { signal });
    const outcome = await asking.then((result) => ({ result })).catch((error: unknown) => ({ error }));
    // Another one has begun, whose progress is shown.
    if (running.current !== controller) return;
    setProgress(undefined);
    if (!signal.aborted) setDone({ text, tookMs: performance.now() - startedAt, ...outcome });
  };
  useEffect(() => stop, []);
  const follows = isOld && rules !== undefined && done.result !== undefined && done.tookMs < QUICK_MS;
  useEffect(() => {
    if (!follows) return;
    stop();
    const pause = setTimeout(() => void run(), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [text, follows]);
  const begin = () => {
    setDone(undefined);
    void run();
  };
  return { progress, done, isOld, canRun: rules !== undefined, run: begin, days, setDays, stop };
}

async function follow(
  input: Operations['replayPolicy']['input'],
  signal: AbortSignal,
  onProgress: (progress: ReplayProgress) => void,
): Promise<ReplayOutput> {
  const options = { baseUrl: BASE_URL, credential: { accessToken } };
  for await (const line of followReplay(options, input, { signal })) {
    if ('result' in line) return line.result;
    onProgress(line);
  }
  throw new CountersignError('INVALID_ANSWER', 'The replay ended without a result. Try it again.', { status: 200 });
}
