/** What can happen to a purchase in the playground, and how often: a deck of cards that is dealt again and again. */
import type { Dice } from '../seed/dice.ts';

/** approved, denied: a person is asked. large, blocked: the policy refuses. The last two are about what was paid before. */
export type StoryName =
  | 'alone'
  | 'approved'
  | 'denied'
  | 'large'
  | 'blocked'
  | 'declined'
  | 'authentication'
  | 'refund'
  | 'dispute';

const DECK: readonly StoryName[] = [
  ...Array<StoryName>(9).fill('alone'),
  'approved',
  'approved',
  'denied',
  'large',
  'blocked',
  'declined',
  'authentication',
  'refund',
  'dispute',
];

/** Deals without end. The first two are plain purchases, so that there is something to give back. */
export function* deal(dice: Dice): Generator<StoryName, never> {
  yield 'alone';
  yield 'alone';
  for (;;) {
    const left = [...DECK];
    while (left.length > 0) yield left.splice(dice.between(0, left.length - 1), 1)[0] as StoryName;
  }
}
