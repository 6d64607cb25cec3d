/** An input as its gate parsed it. Where it is wrong, the core says first whether its caller may learn what is wrong. */
import type { Given, Text } from '../../core/taken.ts';

export interface Parsed {
  /** For the core. */
  readonly given: Given;
  /** What is wrong with it. */
  readonly fault?: unknown;
}

export function parsedBy(parse: () => unknown): Parsed {
  try {
    return { given: { input: { value: parse() } } };
  } catch (fault) {
    return { given: {}, fault };
  }
}

/** @param answer of the core; undefined where only the input is wrong @throws what is wrong with it */
export function demandAnswer({ fault }: Parsed, answer: Text | undefined): Text {
  if (answer === undefined) throw fault;
  return answer;
}
