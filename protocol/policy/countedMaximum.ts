/** A maximum of a limit of a draft, with what it would count now and of whom: its schema. */
import { z } from 'zod';
import { LimitState } from './limitUse.ts';

export const CountedMaximum = LimitState.omit({ used: true, left: true, own: true }).extend({
  isAll: z
    .boolean()
    .describe('Whether all whom it holds for were looked through; the 200 newest are, where there are more.'),
  isChanged: z.boolean().describe('Whether the other policy has no limit that says the same.'),
  usedUp: z
    .int()
    .nonnegative()
    .describe(
      'How many have nothing left of it, so that their next purchase is over it: 1 at most where all agents share it.',
    ),
  most: z
    .array(
      z.object({
        did: z
          .string()
          .optional()
          .describe('The agent, or the person or company whose money it is; absent where all agents share it.'),
        name: z.string().optional(),
        used: z.number().describe('What it counts: what is held or paid in its window.'),
      }),
    )
    .describe('The five that have used most of it, of the 200 newest that may buy; no agent with limits of its own.'),
});
export type CountedMaximum = z.infer<typeof CountedMaximum>;
