/** The stories that were played in this page, step by step. They go on while other screens are shown. */
import { signal } from '@preact/signals';
import { login } from '../../../../console/login/login.ts';
import { getPlayer } from './player.ts';
import type { End, PlayStage, PlayStep, Story } from './stage.ts';

export interface Play {
  /** waits: a person has to decide. */
  readonly state: 'plays' | 'waits' | 'ended';
  readonly steps: readonly PlayStep[];
  /** The approval that is waited for. */
  readonly approvalId?: string;
  readonly end?: End;
  /** What kept it from going on. */
  readonly error?: unknown;
}

export const plays = signal<ReadonlyMap<string, Play>>(new Map());

/** Grows with each that signs out: what one has begun is not shown to the next. */
let era = 0;

login.subscribe(({ at }) => {
  if (at !== 'out') return;
  era += 1;
  plays.value = new Map();
});

export function isPlaying(name: string): boolean {
  const play = plays.value.get(name);
  return play !== undefined && play.state !== 'ended';
}

export async function play(story: Story): Promise<void> {
  const { name } = story;
  if (isPlaying(name)) return;
  const own = era;
  const isOver = () => era !== own;
  const change = (changed: Partial<Play>) => {
    if (isOver()) return;
    const before = plays.value.get(name) ?? { state: 'plays', steps: [] };
    plays.value = new Map(plays.value).set(name, { ...before, ...changed });
  };
  plays.value = new Map(plays.value).set(name, { state: 'plays', steps: [] });
  try {
    const stage: PlayStage = {
      agent: await getPlayer(),
      show: (step) => change({ state: 'plays', steps: [...(plays.value.get(name)?.steps ?? []), step] }),
      isOver,
      wait: (approvalId) => change({ state: 'waits', approvalId }),
    };
    change({ state: 'ended', end: await story.run(stage) });
  } catch (error) {
    change({ state: 'ended', error });
  }
}
