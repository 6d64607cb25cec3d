/** Loads what a screen shows, and loads it again when it has changed, when the node is back, and when the user comes back to it. */
import { effect } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { untilNamed } from './agentNames.ts';
import { concerns } from './kinds.ts';
import { isLive, onChange } from './live.ts';
import { returns } from './reach.ts';

export interface LoadState<Value> {
  /** What was loaded last; it stays while it is loaded again, and where that fails. */
  readonly value: Value | undefined;
  readonly error: unknown;
  reload(): void;
}

interface State<Value> {
  readonly key: string;
  readonly value?: Value;
  readonly error?: unknown;
}

/** How often a screen without pushed changes polls. */
const LOOK_MS = 15_000;
/** Changes that come together are loaded together. */
const GATHER_MS = 60;

/**
 * @param key what is loaded, as text: another key is another thing
 * @param load asks the node
 * @param kinds of records it is made of, such as `payment` (live.ts)
 * @param pages how much of it; while more is loaded, what was there stays
 */
export function useLoaded<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  kinds: readonly string[],
  pages = 1,
): LoadState<Value> {
  const [state, setState] = useState<State<Value>>({ key });
  // A reload after the key has changed, such as by a button of before, reloads what is shown now.
  const latest = useRef({ key, load });
  latest.current = { key, load };
  const running = useRef<AbortController>(undefined);
  const isBehind = useRef(false);
  const reload = useCallback(() => {
    running.current?.abort();
    isBehind.current = false;
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const { key: asked, load: ask } = latest.current;
    const show = (next: (before: State<Value>) => State<Value>) => {
      if (signal.aborted) return;
      running.current = undefined;
      setState(next);
      if (isBehind.current) reload();
    };
    Promise.all([ask(signal), untilNamed()]).then(
      ([value]) => show(() => ({ key: asked, value })),
      (error: unknown) => show((before) => (before.key === asked ? { ...before, error } : { key: asked, error })),
    );
  }, []);
  useEffect(() => {
    reload();
    // Where changes come faster than answers, each answer is shown, and what has changed meanwhile is asked for after it.
    const catchUp = () => {
      if (running.current === undefined) reload();
      else isBehind.current = true;
    };
    const stop = whenOutOfDate(catchUp, kinds);
    return () => {
      stop();
      running.current?.abort();
    };
  }, [key, pages]);
  const isOfKey = state.key === key;
  return { value: isOfKey ? state.value : undefined, error: isOfKey ? state.error : undefined, reload };
}

/** @returns ends it */
function whenOutOfDate(reload: () => void, kinds: readonly string[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      reload();
    }, GATHER_MS);
  };
  const known = returns.peek();
  const ends = [
    onChange((types) => concerns(types, kinds) && soon()),
    effect(() => {
      if (returns.value !== known) soon();
    }),
  ];
  const look = () => {
    if (document.visibilityState === 'visible' && !isLive.peek()) soon();
  };
  const interval = setInterval(look, LOOK_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    clearInterval(interval);
    document.removeEventListener('visibilitychange', look);
    for (const end of ends) end();
  };
}
