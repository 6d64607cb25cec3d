/** What a verifier of the node was not given to compare with: each is a hole through which the proof of something else fits. */
import { z } from 'zod';

export const NotCompared = z
  .array(z.string())
  .describe('The members that the request left out, so that nothing was compared with them.');

/** @param members of a request, each with what was given for it */
export function leftOut(members: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(members).flatMap(([name, value]) => (value === undefined ? [name] : []));
}
