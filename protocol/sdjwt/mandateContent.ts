/** What closed mandates say: a payment, and the checkout that a merchant signed. */
import { z } from 'zod';
import { Currency } from '../money.ts';
import { isObject, type JsonObject, jsonIn } from './sdJwt.ts';

/** ISO 4217 minor units. */
export const MinorUnits = z
  .number()
  .refine(Number.isSafeInteger, 'must be a whole number of minor units, such as 10050 for 100.50 USD')
  .min(0);

const Text = z.string().min(1);

export const MandateMerchant = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  website: z.string().optional(),
});
export type MandateMerchant = z.infer<typeof MandateMerchant>;

export const Pisp = z.looseObject({ legal_name: Text, brand_name: Text, domain_name: Text });

/** A moment or a day of ISO 8601, in milliseconds since the epoch; a day begins at midnight UTC. */
export const Instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).transform((text) => Date.parse(text));

/** The members of a closed payment mandate that constraints are about; others are kept as they are. */
export const ClosedPayment = z.looseObject({
  transaction_id: Text,
  payee: MandateMerchant,
  payment_amount: z.looseObject({ amount: MinorUnits, currency: Currency }),
  payment_instrument: z.looseObject({ id: Text, type: z.string() }),
  pisp: Pisp.optional(),
  execution_date: Instant.optional(),
});
export type ClosedPayment = z.infer<typeof ClosedPayment>;

export const ClosedCheckout = z.looseObject({ checkout_jwt: Text, checkout_hash: Text });

/** Sums of so many stay exact. */
export const MOST_QUANTITY = 1_000_000_000;

const CheckoutLine = z.looseObject({ item: z.looseObject({ id: Text }), quantity: z.int().min(0).max(MOST_QUANTITY) });

/** What of a checkout constraints are about (UCP Checkout). */
const CheckoutTerms = z.looseObject({
  merchant: MandateMerchant.optional(),
  line_items: z.array(CheckoutLine).default([]),
});
export type CheckoutTerms = z.infer<typeof CheckoutTerms>;

/** @returns the claims of a JWT, unverified; undefined for a text that is none */
export function claimsOfJwt(jwt: string): JsonObject | undefined {
  const parts = jwt.split('.');
  const claims = parts.length === 3 ? jsonIn(parts[1] ?? '') : undefined;
  return isObject(claims) ? claims : undefined;
}

/** @returns what a merchant's checkout JWT says, or a sentence where it cannot be read */
export function termsOfCheckout(jwt: string): { readonly terms: CheckoutTerms } | { readonly fault: string } {
  const read = CheckoutTerms.safeParse(claimsOfJwt(jwt));
  if (read.success) return { terms: read.data };
  return { fault: `The checkout_jwt holds no checkout: it is malformed${placeOf(read.error)}.` };
}

/** Verifiable Intent leaves the form of a checkout open: lines of UCP, or lines that have the id themselves, as its own examples. */
const IntentLine = z
  .looseObject({
    id: Text.optional(),
    sku: Text.optional(),
    item: z.looseObject({ id: Text }).optional(),
    quantity: z.int().min(0).max(MOST_QUANTITY),
  })
  .transform(({ id, sku, item, quantity }) => ({ item: { id: item?.id ?? sku ?? id ?? '' }, quantity }));
const IntentTerms = z.looseObject({
  merchant: MandateMerchant.optional(),
  line_items: z.array(IntentLine).optional(),
  cart: z.looseObject({ items: z.array(IntentLine) }).optional(),
});

/** As `termsOfCheckout`, of a checkout of Verifiable Intent. */
export function termsOfIntentCheckout(jwt: string): { readonly terms: CheckoutTerms } | { readonly fault: string } {
  const read = IntentTerms.safeParse(claimsOfJwt(jwt));
  if (!read.success) return { fault: `The checkout_jwt cannot be judged: it is malformed${placeOf(read.error)}.` };
  const { merchant, line_items: lines, cart } = read.data;
  return { terms: { merchant, line_items: lines ?? cart?.items ?? [] } };
}

/** Where an error is: ` at "payee.id": …`. */
export function placeOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join('.') ?? '';
  return path === '' ? '' : ` at "${path}": ${issue?.message}`;
}

/** Both have an id: by it. Otherwise by name and website, which both must have. */
export function isSameMerchant(one: MandateMerchant, other: MandateMerchant): boolean {
  if (one.id && other.id) return one.id === other.id;
  const { name, website } = one;
  return !!name && !!website && name === other.name && website === other.website;
}
