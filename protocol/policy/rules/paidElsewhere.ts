/** The policy says who releases what was reserved for a payment elsewhere, what happens at its end, and what evidence it takes. */
import { z } from 'zod';
import { byNumber } from '../direction.ts';
import type { Rule } from '../rule.ts';

const EVIDENCE = ['none', 'reference', 'hash'] as const;

const schema = {
  external: {
    release: z
      .enum(['owner', 'agent'])
      .optional()
      .describe('Who may say that a reserved payment was not made, which frees its amount.'),
    on_expiry: z
      .enum(['hold', 'release'])
      .optional()
      .describe('What becomes of a reservation at its end, where it was not told what came of it.'),
    evidence: z.enum(EVIDENCE).optional().describe('What must be told of a payment that was made elsewhere.'),
  },
};

/** Where it is absent, the node's environment says which of the two holds. */
function widthOf(value: string | undefined, wide: string): number {
  return value === undefined ? 1 : 2 * Number(value === wide);
}

const ABSENT = 'When absent: in the sandbox';
const CASES = [
  {
    name: 'an intent is not paid yet',
    request: { amount: 5, currency: 'USD' },
    expect: { allowed: true },
  },
];

export const paidElsewhere: Rule<typeof schema> = {
  schema,
  members: {
    'external.release': {
      label: 'Who releases',
      about: 'Who may say that a payment elsewhere was not made: its agent too, or an owner alone.',
      change: {
        label: 'who releases what was reserved',
        direction: ({ former, next }) => byNumber(widthOf(former, 'agent'), widthOf(next, 'agent')),
      },
      sentence: (who) =>
        who === 'agent'
          ? 'An agent that says it did not pay elsewhere gets back what was reserved for that.'
          : 'What was reserved for a payment elsewhere is released by an owner alone.',
      docs: {
        about: `The node does not see a payment that is made elsewhere. Who may say that it was not made, which frees the reserved amount: \`owner\` alone, or its \`agent\` too. What an agent may not release stays held, and is left to an owner. ${ABSENT} \`agent\`, in production \`owner\`.`,
        example: { external: { release: 'owner' } },
        cases: CASES,
      },
    },
    'external.on_expiry': {
      label: 'At the end of a reservation',
      about: 'Hold: the amount stays reserved until an owner says what became of it. Release: it is free again.',
      change: {
        label: 'what becomes of a reservation at its end',
        direction: ({ former, next }) => byNumber(widthOf(former, 'release'), widthOf(next, 'release')),
      },
      sentence: (then) =>
        then === 'release'
          ? 'What was reserved for a payment elsewhere is free again at the end of the reservation.'
          : 'What was reserved for a payment elsewhere stays held until it is told what came of it.',
      docs: {
        about: `What becomes of a reservation at its end, where it was not told what came of it: with \`hold\` the payment is UNKNOWN and its amount stays held; with \`release\` the amount is free again, and counts once more where the payment is told of later. ${ABSENT} \`release\`, in production \`hold\`.`,
        example: { external: { on_expiry: 'hold' } },
        cases: CASES,
      },
    },
    'external.evidence': {
      label: 'Evidence of a payment',
      about: 'None, the reference that the merchant gave, or the hash of a document.',
      change: {
        label: 'evidence of payments elsewhere',
        direction: ({ former = 'none', next = 'none' }) => byNumber(-EVIDENCE.indexOf(former), -EVIDENCE.indexOf(next)),
      },
      sentence: (least) =>
        least === 'none'
          ? undefined
          : `Who tells of a payment elsewhere gives ${least === 'hash' ? 'the hash of its receipt' : 'its reference or the hash of its receipt'}.`,
      docs: {
        about:
          'What must be told of a payment that was made elsewhere: `none`, the merchant’s `reference`, or the `hash` of a document. A receipt or a reference counts for one reservation. When absent: `none`.',
        example: { external: { evidence: 'reference' } },
        cases: CASES,
      },
    },
  },
};
