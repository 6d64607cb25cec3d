/** One part of the oracle: it is told what happened, and says what of it breaks an invariant. */
import type { Books, Happening, Violation } from '../history.ts';
import { type Event, eventOf } from './shapes.ts';

export interface Law {
  /** @param place of the happening in the history */
  tell(happening: Happening, place: number): readonly Violation[];
  /**
   * All that happened before that place was judged together with the books, and is not asked about again.
   * @param at the world's time, in milliseconds
   */
  forget?(place: number, at: number): void;
}

/** The happening of one kind. */
export type Of<Kind extends Happening['kind']> = Extract<Happening, { readonly kind: Kind }>;

export function violated(
  invariant: Violation['invariant'],
  sentence: string,
  ...happenings: readonly (number | undefined)[]
): Violation {
  const places = [...new Set(happenings.filter((place) => place !== undefined))].sort((one, other) => one - other);
  return { invariant, sentence, happenings: places };
}

/** Gives the events of the books that it has not given before. */
export class UnreadEvents {
  #read = 0;

  in({ events }: Books): readonly Event[] {
    const unread = events.map(eventOf).filter(({ seq }) => seq > this.#read);
    this.#read = unread.at(-1)?.seq ?? this.#read;
    return unread;
  }
}
