/** All rules of a policy in their order, each with its figures and what it says of one purchase. */
import { z } from 'zod';
import { floorToMinor, fromMinor } from '../money.ts';
import type { ReasonDetail } from '../reason.ts';
import { compact } from '../wire/compact.ts';
import type { CheckInput, Figures, SkipReason } from './check.ts';
import { CHECKS, type Evaluation, measurePresence, PRESENCE_RULES } from './evaluate.ts';

const RuleRow = z.object({
  rule: z.string().describe('The reason code of a rule that can refuse; the cause of one that asks for a person.'),
  outcome: z
    .enum(['passed', 'failed', 'person', 'notAsked'])
    .describe('notAsked: the rule is not set, or the request has nothing that it is about.'),
  asked: z
    .union([z.number(), z.string()])
    .optional()
    .describe('The request’s value for this rule: an amount, a number of purchases, or a name.'),
  limit: z.number().optional(),
  left: z.number().optional().describe('The limit less what is asked; negative where that is over it.'),
  currency: z.string().optional().describe('Of amounts. Figures without one count purchases.'),
  sentence: z.string(),
});
type RuleRow = z.infer<typeof RuleRow>;

export const RuleTable = z.array(RuleRow);
export type RuleTable = z.infer<typeof RuleTable>;

/**
 * @param said what the rules said of it, now or when it was judged: the figures change nothing about that
 */
export function ruleTable(
  input: CheckInput,
  { details, presenceCauses }: Pick<Evaluation, 'details' | 'presenceCauses'>,
): RuleTable {
  const asks = new Map(presenceCauses.map(({ cause, message }) => [cause, message]));
  return [
    ...CHECKS.map(({ code, measure }) => {
      const detail = details[code];
      return detail === undefined ? passedRow(code, measure(input)) : failedRow(code, measure(input), detail);
    }),
    ...PRESENCE_RULES.map((rule): RuleRow => {
      const { cause } = rule;
      const measured = measurePresence(rule)(input);
      const message = asks.get(cause);
      if (message === undefined) return passedRow(cause, measured);
      const figures = 'notAsked' in measured ? {} : measured;
      return { ...figures, rule: cause, outcome: 'person', sentence: message };
    }),
  ];
}

function passedRow(rule: string, measured: Figures | SkipReason): RuleRow {
  if ('notAsked' in measured) return { rule, outcome: 'notAsked', sentence: measured.notAsked };
  return { rule, outcome: 'passed', ...measured };
}

/** The figures of the refusal go first: of several limits it names the one that refused. */
function failedRow(rule: string, measured: Figures | SkipReason, detail: ReasonDetail): RuleRow {
  const { requested: asked, limit, currency, message: sentence } = detail;
  const figures = 'notAsked' in measured ? {} : measured;
  if (asked === undefined || limit === undefined) {
    return { ...figures, rule, outcome: 'failed', sentence };
  }
  return {
    rule,
    outcome: 'failed',
    ...compact({ asked, limit, left: leftOf(asked, limit, currency), currency }),
    sentence,
  };
}

function leftOf(asked: number, limit: number, currency: string | undefined): number {
  if (currency === undefined) return limit - asked;
  return fromMinor(floorToMinor(limit, currency) - floorToMinor(asked, currency), currency);
}
