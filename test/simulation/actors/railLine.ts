/** What is between a node and a service that moves money: requests and answers get lost, late and doubled, as its mood has it. */
import type { Chance } from '../machine/chance.ts';
import type { EventLoop, Owner } from '../machine/eventLoop.ts';

/** How often each thing happens, in a thousand requests. */
export interface RailMood {
  /** The request does not arrive. */
  deaf: number;
  /** The request arrives after the node's patience, and perhaps after the node has asked what became of it. */
  late: number;
  /** It is done, and the answer does not arrive. */
  mute: number;
  /** The answer comes after the node's patience. */
  slow: number;
  /** It is done, and the answer is an error or makes no sense. */
  confused: number;
  /** The request arrives twice. */
  twice: number;
  /** It is declined. */
  declining: number;
}

/** Of a thousand. */
export const ALL = 1000;

export const CALM: RailMood = { deaf: 0, late: 0, mute: 0, slow: 0, confused: 0, twice: 0, declining: 30 };

const SLOW_MS = 20_000;

export interface RailLine {
  readonly loop: EventLoop;
  readonly chance: Chance;
  readonly mood: RailMood;
  /** The service. */
  readonly owner: Owner;
}

/** What a request did. */
export interface Done<Answer> {
  readonly answer: Answer;
  /** Says what was done, and whether the node will hear of it. */
  note(told: boolean): void;
}

/** One request over the network, and its answer. @param work what the rail does once it arrives */
export function exchange<Answer>(line: RailLine, node: Owner, work: () => Done<Answer>): Promise<Answer> {
  const { loop, chance, mood, owner } = line;
  const delay = () => 5 + 200 * chance.fraction() ** 4;
  return new Promise((resolve, reject) => {
    if (chance.permille(mood.deaf)) return;
    const arrive = (isTold: boolean) => () => {
      const { answer, note } = work();
      const isMute = !isTold || chance.permille(mood.mute);
      const isConfused = !isMute && chance.permille(mood.confused);
      note(!isMute && !isConfused);
      if (isMute) return;
      const late = chance.permille(mood.slow) ? chance.below(SLOW_MS) : 0;
      loop.schedule(node, delay() + late, 'rail answer', () => {
        if (!isConfused) resolve(answer);
        else if (chance.permille(500)) reject(new Error('502 Bad Gateway'));
        else resolve({ kind: 'ok', railId: 7 } as Answer);
      });
    };
    const underWay = chance.permille(mood.late) ? chance.below(SLOW_MS) : 0;
    loop.schedule(owner, delay() + underWay, 'rail request', arrive(true));
    if (chance.permille(mood.twice)) loop.schedule(owner, 2 * delay(), 'rail request again', arrive(false));
  });
}
