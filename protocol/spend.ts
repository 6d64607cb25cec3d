/** What was spent: sums of payments by currency, and by what else they are divided by. Schemas. */
import { z } from 'zod';
import { Did } from './credential/did.ts';
import { Currency } from './money.ts';
import { inTimeOrder } from './wire/time.ts';
import { Timezone } from './wire/timezone.ts';

const DAY_MS = 24 * 3600 * 1000;

/** A day, such as `2026-11-22`; parsed to its number from 1970 on. */
const Day = z.iso.date().transform((text) => Date.parse(text) / DAY_MS);

/** @param number from 1970 on */
export function dayText(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

export const SpendRequest = inTimeOrder(
  z.object({
    from: Day.optional().describe('The first day: `2026-11-01`. Without it, from the first payment on.'),
    to: Day.optional().describe('The last day; it is included. Without it, up to now.'),
    timezone: Timezone.optional().describe(
      'In which days begin at midnight, such as `Europe/Berlin`; UTC when absent.',
    ),
    by: z
      .enum(['agent', 'merchant', 'day', 'month', 'principal', 'category'])
      .optional()
      .describe(
        'What the sums are divided by, besides the currency. By `principal` (whose money) or `category` each payment is read: give a time where there are many.',
      ),
    currency: Currency.optional(),
    principalDid: Did.optional().describe('Whose money: only what was spent of it.'),
  }),
);
export type SpendRequest = z.output<typeof SpendRequest>;

const Sum = z.object({
  minor: z.int().describe('In minor units of the currency; 9007199254740991 for more than that.'),
  text: z.string().describe('The same as decimal text, such as `42.50`; it is always exact.'),
});

const Sums = z.object({
  currency: z.string(),
  payments: z.int().nonnegative().describe('How many payments; those that failed or were canceled are not counted.'),
  paid: Sum.describe('What was captured; refunds are not subtracted.'),
  refunded: Sum.describe('What of it was refunded.'),
  net: Sum.describe('What was captured and not refunded.'),
  held: Sum.describe('What rails hold and is not captured yet, payments without an answer of their rail included.'),
  disputed: Sum.describe('The sum of disputes that are open or that the merchant has lost, each by its own amount.'),
});

export const SpendEntry = Sums.extend({
  agentDid: z.string().optional().describe('The agent, where the sums are by agent.'),
  merchant: z.string().optional().describe('The merchant’s domain, where the sums are by merchant.'),
  day: z.string().optional().describe('The day, where the sums are by day.'),
  month: z.string().optional().describe('The month, such as `2026-11`, where the sums are by month.'),
  principalDid: z.string().optional().describe('Whose money, where the sums are by it.'),
  category: z
    .string()
    .optional()
    .describe(
      'Where the sums are by category: its name, or the merchant category code of one without a name; absent for payments without a code.',
    ),
});
export type SpendEntry = z.infer<typeof SpendEntry>;

export const Spend = z.object({
  totals: z.array(Sums).describe('Of all payments in that time, one for each currency.'),
  entries: z
    .array(SpendEntry)
    .describe(
      'With `by`: for each currency the latest days or months, or else those of the largest sums; at most 400.',
    ),
  hasMore: z.boolean().describe('Whether there are more entries than these.'),
});
export type Spend = z.infer<typeof Spend>;
