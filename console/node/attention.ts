/** What needs a person. The navigation and the first screen show it at the same moment, by one request. */
import type { Attention } from '../../client/operations.ts';
import { node } from './node.ts';

/** Shorter than a change takes to be told and loaded, so that nobody is answered by a request from before it. */
const SAME_MOMENT_MS = 50;

let asked: { readonly at: number; readonly answer: Promise<Attention> } | undefined;

export function loadAttention(): Promise<Attention> {
  const now = performance.now();
  if (asked === undefined || now - asked.at > SAME_MOMENT_MS) asked = { at: now, answer: node.showAttention({}) };
  return asked.answer;
}
