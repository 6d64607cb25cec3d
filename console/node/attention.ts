/** What needs a person. The navigation and the first screen show it, by one request where they ask at the same time. */
import type { Attention } from '../../client/operations.ts';
import { onChange } from './live.ts';
import { node } from './node.ts';

let asked: Promise<Attention> | undefined;

// Nobody is answered by a request from before a change that they were told of.
onChange(() => {
  asked = undefined;
});

export function loadAttention(): Promise<Attention> {
  if (asked !== undefined) return asked;
  const answer = node.showAttention({}).finally(() => {
    if (asked === answer) asked = undefined;
  });
  asked = answer;
  return answer;
}
