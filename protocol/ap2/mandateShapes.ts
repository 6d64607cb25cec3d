/**
 * The mandates of AP2 v0.1 as its Python models write them: snake_case, null for what is absent, amounts as floats in the
 * currency's major unit. Only what the node reads is described; other members are kept and ignored.
 */
import { z } from 'zod';
import { Currency } from '../money.ts';
import { Fault } from '../wire/fault.ts';
import { detailsOf } from '../wire/issue.ts';
import { visibleName } from '../wire/plainText.ts';

/** ISO 8601. One without an offset is a time of day somewhere, so it is refused. */
const Moment = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with its offset' });
const Name = z.string().min(1).max(255);

const PaymentItem = z.looseObject({
  label: visibleName(500),
  amount: z.looseObject({ currency: Currency, value: z.number() }),
  pending: z.boolean().nullish(),
});
export type PaymentItem = z.infer<typeof PaymentItem>;

export const IntentMandate = z.looseObject({
  user_cart_confirmation_required: z.boolean().default(true),
  natural_language_description: visibleName(2000),
  merchants: z.array(z.string()).nullish(),
  skus: z.array(z.string()).nullish(),
  requires_refundability: z.boolean().nullish(),
  intent_expiry: Moment,
});

export const CartMandate = z.looseObject({
  contents: z.looseObject({
    id: Name,
    user_cart_confirmation_required: z.boolean(),
    payment_request: z.looseObject({
      details: z.looseObject({
        id: Name,
        display_items: z.array(PaymentItem).min(1).max(1000),
        total: PaymentItem,
      }),
    }),
    cart_expiry: Moment,
    merchant_name: visibleName(253),
  }),
  merchant_authorization: z.string().nullish(),
});
export type CartMandate = z.infer<typeof CartMandate>;

export const PaymentMandate = z.looseObject({
  payment_mandate_contents: z.looseObject({
    payment_details_id: Name,
    payment_details_total: PaymentItem,
    payment_response: z.looseObject({ details: z.record(z.string(), z.unknown()).nullish() }),
  }),
  user_authorization: z.unknown().optional(),
});

/**
 * @param path of the value, by which details name its members
 * @throws Fault BAD_REQUEST that names each member at fault
 */
export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = detailsOf(parsed.error, value).map((each) => ({
    ...each,
    path: each.path === '' ? path : `${path}.${each.path}`,
  }));
  throw new Fault('BAD_REQUEST', `${path} is malformed.`, details);
}

/** @throws Fault BAD_REQUEST about one member */
export function refuse(path: string, message: string): never {
  throw new Fault('BAD_REQUEST', `${path} ${message}.`, [{ path, message }]);
}
