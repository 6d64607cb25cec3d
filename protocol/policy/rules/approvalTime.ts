/** How long people have to approve a purchase. */
import { byNumber } from '../direction.ts';
import type { Remark, Rule } from '../rule.ts';
import { Duration, describeDuration, parseDurationMs } from '../values/duration.ts';

/** How long they have where the policy does not say. */
const DEFAULT_APPROVAL_MS = 15 * 60_000;
const SHORTEST_MS = 60_000;
const LONGEST_MS = 7 * 24 * 3_600_000;
const EXPECTED = 'must be from 1m to 7d';

type RuleForm = {
  /** Milliseconds; the intent and the cart may end earlier. */
  readonly approvalMs: number;
};

function isWithin(text: string): boolean {
  // What is no duration is told by its own schema.
  if (!Duration.safeParse(text).success) return true;
  const ms = parseDurationMs(text);
  return ms >= SHORTEST_MS && ms <= LONGEST_MS;
}

const schema = {
  context: {
    approval_ttl: Duration.refine(isWithin, EXPECTED)
      .optional()
      .describe('How long people have to approve a purchase, from 1m to 7d; 15m when absent.'),
  },
};

const lengthOf = (text: string | undefined) => (text === undefined ? DEFAULT_APPROVAL_MS : parseDurationMs(text));

export const approvalTime: Rule<typeof schema, never, never, RuleForm> = {
  schema,
  members: {
    'context.approval_ttl': {
      label: 'Time to approve',
      about: 'How long people have: from 1m to 7d, 15m where it is not set. The intent and the cart may end earlier.',
      change: {
        label: 'time to approve',
        // More purchases are still approved in a longer time.
        direction: ({ former, next }) => byNumber(lengthOf(former), lengthOf(next)),
      },
      sentence: (text) => `A purchase waits ${describeDuration(parseDurationMs(text))} at most for its approval.`,
      docs: {
        about:
          'How long people have to approve a purchase, from `1m` to `7d`; 15 minutes when absent. The intent and the cart may end earlier, so an agent that waits for long asks for an intent that lives as long (`expiresAt`, 24 hours at most). A purchase that no person has answered is told to the same people once more at half its time.',
        example: { context: { presence: 'required', approval_ttl: '2h' } },
        cases: [
          {
            name: 'still the person',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: true, hpRequired: true },
          },
        ],
      },
    },
  },
  compile: ({ context }) => ({ approvalMs: lengthOf(context?.approval_ttl) }),
  warnings({ context }): readonly Remark[] {
    if (context?.approval_ttl === undefined || context.presence !== 'never') return [];
    return [
      { path: 'context.approval_ttl', message: 'It never applies: context.presence is never, so no person is asked.' },
    ];
  },
};
