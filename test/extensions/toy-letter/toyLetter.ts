/** A mandate as an extension has it, in one file: a letter that lets its agent spend 20 USD at most, once. */
import { extension } from '../../../src/extensions/extension.ts';
import { type Authorizer, taskExchange } from '../../../src/usecase/hooks.ts';
import { LETTER_ID, type LetterExchange } from './letterPart.ts';

const MOST_MINOR = 2000;

export const toyLetter = extension({
  name: 'toy-letter',
  start: () => ({
    authorizers: [letters(new Set())],
    exchanges: [
      taskExchange<LetterExchange>({
        kind: 'letter',
        operation: 'issueIntent',
        task: 'intent',
        agentOf: (_deps, _caller, { input }) => input.agentDid,
        workOf: () => ({}),
      }),
    ],
  }),
});

/** @param used of the letters that were used since the start; a real one would have a table */
function letters(used: Set<string>): Authorizer {
  return {
    name: 'letters',
    *judgeCart(intent) {
      return intent.delegation_id === LETTER_ID ? {} : undefined;
    },
    *judgePayment(_deps, { intent }) {
      return intent.delegation_id === LETTER_ID ? {} : undefined;
    },
    *judgeIntent(_loaded, { delegationId, amountMinor }) {
      if (delegationId !== LETTER_ID) return undefined;
      const message = used.has(delegationId) ? 'The letter was used.' : 'The letter is for less.';
      const isRefused = used.has(delegationId) || amountMinor > MOST_MINOR;
      return {
        reasons: isRefused ? { CONSTRAINT_VIOLATED: { message } } : {},
        expiresAt: null,
        evidence: { letter: delegationId },
        *afterAllowed() {
          used.add(delegationId);
        },
      };
    },
  };
}
