/** Follows every request from its question to its end: what was asked by whom, and what its asker knows of the outcome. */
import type { Happening } from '../history.ts';
import { type Answer, answerAtGate } from './gateAnswers.ts';

/** A request. Places are places in the history. */
export interface Asked {
  readonly id: number;
  readonly by: string;
  readonly did: string | undefined;
  readonly node: number;
  readonly call: string;
  readonly input: unknown;
  readonly key: string | undefined;
  readonly place: number;
  readonly at: number;
  /** Undefined while it is under way. */
  end?: { readonly place: number; readonly at: number; readonly answer?: Answer };
}

export class Calls {
  readonly #calls = new Map<number, Asked>();

  /** @returns the request that the happening is about, once it has its new state */
  follow(happening: Happening, place: number): Asked | undefined {
    if (happening.kind === 'asked') {
      const { id, by, did, node, call, input, key, at } = happening;
      const asked: Asked = { id, by, did, node, call, input, key, place, at };
      this.#calls.set(id, asked);
      return asked;
    }
    if (happening.kind !== 'answered' && happening.kind !== 'unanswered') return undefined;
    const asked = this.#calls.get(happening.id);
    if (asked === undefined || asked.end !== undefined) return undefined;
    const { at } = happening;
    const answer = happening.kind === 'answered' ? answerAtGate(asked.call, happening) : undefined;
    asked.end = { place, at, ...(answer !== undefined && { answer }) };
    return asked;
  }

  /** Forgets requests that had ended before a place. */
  forget(place: number): void {
    for (const [id, { end }] of this.#calls) if (end !== undefined && end.place < place) this.#calls.delete(id);
  }

  find(id: number): Asked | undefined {
    return this.#calls.get(id);
  }

  /** All of them, in the order in which they were asked. */
  all(): Iterable<Asked> {
    return this.#calls.values();
  }
}

/** @returns the answer's body, empty where it has none, where the request was answered well; undefined otherwise */
export function doneBody({ end }: Asked): unknown {
  const answer = end?.answer;
  return answer !== undefined && answer.status >= 200 && answer.status < 300 ? (answer.body ?? {}) : undefined;
}

/** Whether it may have had an effect without its asker knowing of it. */
export function mayBeDone({ end }: Asked): boolean {
  const answer = end?.answer;
  // Of a request that the network doubled the first answer may be that to its twin, whose proof or challenge was used by then.
  const isRefused = answer?.status === 401 || answer?.status === 400;
  const isTwin = isRefused && JSON.stringify(answer.body).includes('used before');
  return answer === undefined || answer.status >= 500 || isTwin;
}
