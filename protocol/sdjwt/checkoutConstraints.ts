/** What the constraints of an open checkout mandate say of the checkout that the merchant signed (AP2 v0.2, Checkout Mandate). */
import { z } from 'zod';
import { type CheckoutFacts, constraintRule, type Finding } from './constraint.ts';
import { mostAssigned } from './lineItems.ts';
import { isSameMerchant, MandateMerchant } from './mandateContent.ts';

/** More than this of either is not judged: the work grows with their product. */
const MOST_LINES = 100;

const LineItems = z.looseObject({
  items: z
    .array(
      z.looseObject({
        id: z.string(),
        acceptable_items: z.array(z.looseObject({ id: z.string().min(1) })),
        quantity: z.int().min(1),
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

export const lineItems = constraintRule(
  'AP2 v0.2, Checkout Mandate: Line Items',
  LineItems,
  ({ items }, { checkout }: CheckoutFacts) => {
    const { line_items: lines } = checkout;
    if (items.length > MOST_LINES || lines.length > MOST_LINES) {
      return [{ code: 'CONSTRAINT_UNRESOLVED', detail: `More than ${MOST_LINES} line items are not judged here.` }];
    }
    const bought = new Map<string, number>();
    for (const { item, quantity } of lines) bought.set(item.id, (bought.get(item.id) ?? 0) + quantity);
    const requirements = items.map(({ acceptable_items, quantity }) => ({
      quantity,
      acceptable: new Set(acceptable_items.map(({ id }) => id)),
    }));
    const assigned = mostAssigned(bought, requirements);
    const total = sum([...bought.values()]);
    const required = sum(items.map(({ quantity }) => quantity));
    if (assigned < total)
      return [
        violated(`${total - assigned} of the ${total} items in the checkout are not among those that are allowed.`),
      ];
    if (assigned < required)
      return [violated(`The checkout lacks ${required - assigned} of the ${required} items that are required.`)];
    return [];
  },
);

function sum(quantities: readonly number[]): number {
  return quantities.reduce((total, quantity) => total + quantity, 0);
}

function violated(detail: string): Finding {
  return { code: 'CONSTRAINT_VIOLATED', detail };
}
