/**
 * What a message asks for: the data part that names an exchange, and what stands beside it. Parts that the node does not know
 * are ignored.
 */
import { z } from 'zod';
import type { Ap2CartRequest } from '../ap2/ap2Request.ts';
import { Ap2About } from '../ap2/intentMandate.ts';
import { PaymentCredentialRequest } from '../ap2/paymentCredential.ts';
import { CartRequest } from '../cart.ts';
import { RailName } from '../instrument.ts';
import { IntentRequest } from '../intent.ts';
import { PaymentRequest } from '../payment.ts';
import { Fault } from '../wire/fault.ts';
import { anyObject } from '../wire/json.ts';
import type { TaskMessage } from './task.ts';

type Members = Readonly<Record<string, unknown>>;

/** The data parts that begin an exchange, by the kind of task they begin. */
const EXCHANGES = {
  'countersign.intent': 'intent',
  'countersign.cart': 'cart',
  'countersign.payment': 'payment',
  'countersign.purchase': 'purchase',
  'ap2.mandates.IntentMandate': 'intent',
  'ap2.mandates.CartMandate': 'cart',
  'ap2.mandates.PaymentMandate': 'payment',
  'ap2.mandates.PaymentMandateSdJwt': 'cart',
  'countersign.verifiableIntent': 'cart',
} as const;
type ExchangeName = keyof typeof EXCHANGES;
/** A chain of payment mandates of AP2 v0.2; the others are of v0.1. */
const CHAIN = 'ap2.mandates.PaymentMandateSdJwt';
/** The chain of checkout mandates that may stand beside it. */
const CHECKOUT_CHAIN = 'ap2.mandates.CheckoutMandateSdJwt';
type Ap2Name = Exclude<Extract<ExchangeName, `ap2.${string}`>, typeof CHAIN>;
export const TASK_KINDS = [
  'intent',
  'cart',
  'payment',
  'purchase',
] as const satisfies readonly (typeof EXCHANGES)[ExchangeName][];
export type TaskKind = (typeof TASK_KINDS)[number];

/** What a purchase begins with. */
const PurchaseBegun = z.object({ intent: IntentRequest, instrument: RailName.optional() });
/** What a purchase goes on with, once the shop has signed the cart. */
const PurchaseCart = z.object({
  cartVc: anyObject(),
  hpProof: anyObject().optional(),
  credentialFormats: CartRequest.shape.credentialFormats,
});
/** What a task that waits for the person may be sent, in place of the touch. */
const Touched = z.looseObject({ hpProof: anyObject() });

/** An exchange, parsed. */
export type Exchange =
  | { readonly kind: 'intent'; readonly input: IntentRequest }
  | { readonly kind: 'cart'; readonly input: CartRequest }
  | { readonly kind: 'payment'; readonly input: PaymentRequest }
  | { readonly kind: 'purchase'; readonly input: IntentRequest; readonly instrument?: string | undefined }
  /** A cart of AP2, and the intent that it is for. */
  | { readonly kind: 'ap2Cart'; readonly input: Ap2CartRequest }
  /** A chain of mandates of AP2 v0.2, or the layers of Verifiable Intent. */
  | { readonly kind: 'chain'; readonly input: PaymentCredentialRequest }
  /** A mandate of AP2, and what stands beside it. */
  | { readonly kind: 'ap2'; readonly name: Ap2Name; readonly mandate: Members; readonly about: unknown }
  /** Goes on with a purchase that waits for its cart. */
  | { readonly kind: 'cartOfPurchase'; readonly input: z.infer<typeof PurchaseCart> }
  /** Asks for nothing: it is said to a task, and changes nothing of it. */
  | { readonly kind: 'words' }
  /** Goes on with a task that waits for the person. */
  | { readonly kind: 'touch'; readonly hpProof: Readonly<Record<string, unknown>> };

interface Named {
  readonly name: ExchangeName;
  readonly body: unknown;
  /** Where it stands in the message. */
  readonly path: string;
}

/**
 * The data part of a message that names an exchange.
 * @returns undefined where none does
 * @throws Fault BAD_REQUEST where there are several
 */
export function namedExchange({ parts }: Pick<TaskMessage, 'parts'>): Named | undefined {
  const found = parts.flatMap(({ data }, at) =>
    Object.entries(membersOf(data)).flatMap(([name, body]) =>
      Object.hasOwn(EXCHANGES, name)
        ? [{ name: name as ExchangeName, body, path: `message.parts.${at}.data.${name}` }]
        : [],
    ),
  );
  const [first, second] = found;
  if (first !== undefined && second !== undefined) {
    const message = `asks for a second exchange; this message has ${first.name} already`;
    throw new Fault('BAD_REQUEST', `${second.path}: ${message}`, [{ path: second.path, message }]);
  }
  return first;
}

const LIMITS = 'countersign.limits';
/** The data part that answers it. */
export const LIMITS_RESULT = 'countersign.limitsResult';

/** What a message asks about limits, and where that stands in it. @returns undefined for one that does not ask, or asks for more */
export function askedLimits(message: Pick<TaskMessage, 'parts'>): Omit<Named, 'name'> | undefined {
  const at = message.parts.findIndex(({ data }) => Object.hasOwn(membersOf(data), LIMITS));
  if (at === -1 || namedExchange(message) !== undefined) return undefined;
  return { body: membersOf(message.parts[at]?.data)[LIMITS], path: `message.parts.${at}.data.${LIMITS}` };
}

const ABOUT = 'countersign.about';

/** The members of what stands beside mandates; each exchange checks the values of its own. */
export const AboutMembers = z.object(
  Object.fromEntries(
    [...Object.keys(Ap2About.shape), ...Object.keys(PaymentCredentialRequest.shape), 'intentId'].map((name) => [
      name,
      z.unknown().optional(),
    ]),
  ),
);

/** What stands beside mandates of AP2: who buys, for whom, and for how much. */
export function aboutIn({ parts }: Pick<TaskMessage, 'parts'>): unknown {
  const memberIn = (name: string) =>
    parts.map(({ data }) => membersOf(data)[name]).find((member) => member !== undefined);
  const [about, checkoutMandate] = [memberIn(ABOUT), memberIn(CHECKOUT_CHAIN)];
  return checkoutMandate === undefined ? about : { ...membersOf(about), checkoutMandate };
}

/** What of the data parts no exchange is made of. */
export function otherParts({ parts }: Pick<TaskMessage, 'parts'>): readonly unknown[] {
  return parts.flatMap(({ data }) => {
    if (data === undefined) return [];
    const members = Object.entries(membersOf(data));
    if (members.length === 0) return [data];
    const others = members.filter(
      ([name]) => name !== ABOUT && name !== CHECKOUT_CHAIN && !Object.hasOwn(EXCHANGES, name),
    );
    return others.length === 0 ? [] : [Object.fromEntries(others)];
  });
}

/**
 * The schema that an exchange is parsed by, and what it means.
 * @param continues whether the message goes on with a task
 * @param prover the DID that its sender has proven, which it need not name again
 */
export function schemaOf(
  name: ExchangeName,
  body: unknown,
  {
    continues,
    prover,
    about,
  }: { readonly continues: boolean; readonly prover: string | undefined; readonly about: unknown },
): z.ZodType<Exchange> {
  const filled = (input: unknown) => (prover === undefined ? input : namedBy(prover, input));
  if (continues && isTouch(body)) return Touched.transform(({ hpProof }): Exchange => ({ kind: 'touch', hpProof }));
  switch (name) {
    case 'countersign.intent':
      return z.preprocess(filled, IntentRequest).transform((input): Exchange => ({ kind: 'intent', input }));
    case 'countersign.cart':
      return CartRequest.transform((input): Exchange => ({ kind: 'cart', input }));
    case 'ap2.mandates.IntentMandate':
    case 'ap2.mandates.CartMandate':
    case 'ap2.mandates.PaymentMandate':
      return anyObject().transform((mandate): Exchange => ({ kind: 'ap2', name, mandate, about }));
    case CHAIN:
      return z
        .preprocess((chain) => filled({ ...membersOf(about), paymentMandate: chain }), PaymentCredentialRequest)
        .transform((input): Exchange => ({ kind: 'chain', input }));
    case 'countersign.verifiableIntent':
      return z
        .preprocess((layers) => filled({ ...membersOf(about), verifiableIntent: layers }), PaymentCredentialRequest)
        .transform((input): Exchange => ({ kind: 'chain', input }));
    case 'countersign.payment':
      return PaymentRequest.transform((input): Exchange => ({ kind: 'payment', input }));
    case 'countersign.purchase':
      if (continues) return PurchaseCart.transform((input): Exchange => ({ kind: 'cartOfPurchase', input }));
      return PurchaseBegun.extend({ intent: z.preprocess(filled, IntentRequest) }).transform(
        ({ intent, instrument }): Exchange => ({ kind: 'purchase', input: intent, instrument }),
      );
  }
}

/** A proof of presence and no cart: what a task that waits for the person is sent. */
function isTouch(body: unknown): boolean {
  const { hpProof, cartVc } = membersOf(body);
  return hpProof !== undefined && cartVc === undefined;
}

/** Who proved a DID buys for itself, unless it says otherwise. */
function namedBy(did: string, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const { agentDid = did, principalDid = agentDid } = input as Readonly<Record<string, unknown>>;
  return { ...input, agentDid, principalDid };
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
