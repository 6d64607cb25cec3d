/** What the constraints of an open checkout mandate say of the checkout that the merchant signed (AP2 v0.2, Checkout Mandate). */
import { z } from 'zod';
import { type CheckoutFacts, type ConstraintFinding, constraintRule } from './constraint.ts';
import { mostAssigned, type Requirement } from './lineItems.ts';
import { isSameMerchant, MandateMerchant, MOST_QUANTITY } from './mandateContent.ts';

/** More than this of either is not judged: the work grows with their product. */
const MOST_LINES = 100;

const LineItems = z.looseObject({
  items: z
    .array(
      z.looseObject({
        id: z.string(),
        acceptable_items: z.array(z.looseObject({ id: z.string().min(1) })),
        quantity: z.int().min(1).max(MOST_QUANTITY),
      }),
    )
    .min(1),
});

export const allowedMerchants = constraintRule(
  'AP2 v0.2, Checkout Mandate: Allowed Merchants',
  z.looseObject({ allowed: z.array(MandateMerchant) }),
  ({ allowed }, { checkout: { merchant } }: CheckoutFacts) => {
    if (merchant !== undefined && allowed.some((each) => isSameMerchant(each, merchant))) return [];
    return [violated(`The merchant of the checkout is none of the ${allowed.length} disclosed ones that are allowed.`)];
  },
);

/** What is bought and what is required are the same. */
export const lineItems = constraintRule(
  'AP2 v0.2, Checkout Mandate: Line Items',
  LineItems,
  ({ items }, { checkout }: CheckoutFacts) =>
    judgeLines(items, checkout, (bought, requirements) => {
      const required = sum(requirements.map(({ quantity }) => quantity));
      const lacking = required - mostAssigned(bought, requirements);
      return lacking > 0 ? [violated(`The checkout lacks ${lacking} of the ${required} items that are required.`)] : [];
    }),
);

/** Quantities are the most that may be bought; where the match is exact, something is bought for each entry. */
export const cappedItems = constraintRule(
  'AP2 v0.2, Checkout Mandate: Line Items',
  LineItems.extend({ match_mode: z.enum(['minimum', 'exact']).default('minimum') }),
  ({ items, match_mode: mode }, { checkout }: CheckoutFacts) =>
    judgeLines(items, checkout, (bought, requirements) => {
      if (sum([...bought.values()]) === 0) return [violated('The checkout has no items.')];
      if (mode === 'minimum') return [];
      // An assignment that reaches every entry, and one that places every item, make one that does both (Mendelsohn–Dulmage).
      const once = requirements.map((each) => ({ ...each, quantity: 1 }));
      const missed = once.length - mostAssigned(bought, once);
      return missed > 0 ? [violated(`The checkout has nothing for ${missed} of the ${once.length} entries.`)] : [];
    }),
);

function judgeLines(
  items: z.infer<typeof LineItems>['items'],
  { line_items: lines }: CheckoutFacts['checkout'],
  judgeRest: (
    bought: ReadonlyMap<string, number>,
    requirements: readonly Requirement[],
  ) => readonly ConstraintFinding[],
): readonly ConstraintFinding[] {
  if (items.length > MOST_LINES || lines.length > MOST_LINES) {
    return [{ code: 'CONSTRAINT_UNRESOLVED', detail: `More than ${MOST_LINES} line items are not judged here.` }];
  }
  const bought = new Map<string, number>();
  for (const { item, quantity } of lines) bought.set(item.id, (bought.get(item.id) ?? 0) + quantity);
  const requirements = items.map(({ acceptable_items, quantity }) => ({
    quantity,
    acceptable: new Set(acceptable_items.map(({ id }) => id)),
  }));
  const total = sum([...bought.values()]);
  const left = total - mostAssigned(bought, requirements);
  if (left > 0)
    return [violated(`${left} of the ${total} items in the checkout are not among those that are allowed.`)];
  return judgeRest(bought, requirements);
}

function sum(quantities: readonly number[]): number {
  return quantities.reduce((total, quantity) => total + quantity, 0);
}

function violated(detail: string): ConstraintFinding {
  return { code: 'CONSTRAINT_VIOLATED', detail };
}
