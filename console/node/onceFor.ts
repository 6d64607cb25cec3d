/** For what must be done once: asked again after a lost answer, the same input is the same request. */
import { CountersignError } from '../../client/error.ts';
import { randomId } from '../../client/randomId.ts';

type AskOnce = <Answer>(input: unknown, ask: (idempotencyKey: string) => Promise<Answer>) => Promise<Answer>;

/**
 * One for each form, kept while it is open. An input has its idempotency key until the node has said what became of it,
 * also where another input is tried in between; from then on the same input is another request.
 */
export function onceFor(): AskOnce {
  const keys = new Map<string, string>();
  return async (input, ask) => {
    const text = JSON.stringify(input);
    const key = keys.get(text) ?? randomId();
    keys.set(text, key);
    try {
      const answer = await ask(key);
      keys.delete(text);
      return answer;
    } catch (error) {
      if (isRefused(error)) keys.delete(text);
      throw error;
    }
  };
}

/** Whether it was certainly not done. A conflict may be the same request, still being answered. */
function isRefused(error: unknown): boolean {
  return error instanceof CountersignError && error.status >= 400 && error.status < 500 && error.status !== 409;
}
