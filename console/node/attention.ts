/** What needs a person. The navigation and the first screen show it, by one request where they ask at the same time. */
import type { Attention } from '../../client/operations.ts';
import { onChange } from './live.ts';
import { node } from './node.ts';

/** Who asks so soon after an answer gets the same: parts of one screen come one after the other. */
const SAME_MS = 300;

let asked: Promise<Attention> | undefined;

// After a reported change no screen gets the answer of a request from before it.
onChange(() => {
  asked = undefined;
});

export function loadAttention(): Promise<Attention> {
  if (asked !== undefined) return asked;
  const answer = node.showAttention({});
  const forget = () => {
    if (asked === answer) asked = undefined;
  };
  answer.then(() => setTimeout(forget, SAME_MS), forget);
  asked = answer;
  return answer;
}
