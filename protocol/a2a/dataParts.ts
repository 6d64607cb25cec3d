/**
 * What a message asks for: the data part that names an exchange, and what stands beside it. Parts that the node does not know
 * are ignored.
 */
import { z } from 'zod';
import { AskLimits, type LimitStates } from '../agentLimits.ts';
import { CartRequest } from '../cart.ts';
import { extensionParts, extensionQuestions } from '../extensions.ts';
import { HttpPaymentRequest } from '../httpPayment.ts';
import { RailName } from '../instrument.ts';
import { IntentRequest } from '../intent.ts';
import { PaymentRequest } from '../payment.ts';
import { limitsSentence } from '../policy/limitUse.ts';
import { Fault } from '../wire/fault.ts';
import { anyObject } from '../wire/json.ts';
import type { CartOfPurchase, Exchange, ExchangePart, PartContext, TouchOfTask } from './exchangePart.ts';
import type { Question } from './question.ts';
import type { TaskMessage } from './task.ts';

type Members = Readonly<Record<string, unknown>>;

export interface IntentExchange extends Exchange {
  readonly kind: 'intent';
  readonly input: IntentRequest;
}

export interface CartExchange extends Exchange {
  readonly kind: 'cart';
  readonly input: CartRequest;
}

export interface PaymentExchange extends Exchange {
  readonly kind: 'payment';
  readonly input: PaymentRequest;
}

export interface PurchaseExchange extends Exchange {
  readonly kind: 'purchase';
  readonly input: IntentRequest;
  readonly instrument?: string | undefined;
}

export interface HttpPaymentExchange extends Exchange {
  readonly kind: 'httpPayment';
  readonly input: HttpPaymentRequest;
}

/** What a purchase begins with. */
const NewPurchase = z.object({ intent: IntentRequest, instrument: RailName.optional() });
/** What a purchase goes on with, once the shop has signed the cart. */
const PurchaseCart = z.object({
  cartVc: anyObject(),
  hpProof: anyObject().optional(),
  credentialFormats: CartRequest.shape.credentialFormats,
});
/** What a task that waits for the person may be sent, in place of the touch. */
const Touch = z.looseObject({ hpProof: anyObject() });

const kernelParts: readonly ExchangePart[] = [
  {
    name: 'countersign.intent',
    schema: ({ filled }) =>
      z.preprocess(filled, IntentRequest).transform((input): IntentExchange => ({ kind: 'intent', input })),
  },
  {
    name: 'countersign.cart',
    schema: () => CartRequest.transform((input): CartExchange => ({ kind: 'cart', input })),
  },
  {
    name: 'countersign.payment',
    schema: () => PaymentRequest.transform((input): PaymentExchange => ({ kind: 'payment', input })),
  },
  {
    name: 'countersign.purchase',
    schema: ({ continues, filled }) =>
      continues
        ? PurchaseCart.transform((input): CartOfPurchase => ({ kind: 'cartOfPurchase', input }))
        : NewPurchase.extend({ intent: z.preprocess(filled, IntentRequest) }).transform(
            ({ intent, instrument }): PurchaseExchange => ({ kind: 'purchase', input: intent, instrument }),
          ),
  },
  {
    name: 'countersign.httpPayment',
    schema: ({ filled }) =>
      z
        .preprocess(filled, HttpPaymentRequest)
        .transform((input): HttpPaymentExchange => ({ kind: 'httpPayment', input })),
  },
];

const PARTS: ReadonlyMap<string, ExchangePart> = new Map(
  [...kernelParts, ...extensionParts].map((part) => [part.name, part]),
);
/** Members that stand beside those that ask for something and belong to them, each with what it must be. */
export const besideMembers: ReadonlyMap<string, z.ZodType> = new Map(
  [...PARTS.values()].flatMap(({ beside = {} }) => Object.entries(beside)),
);

interface NamedPart {
  readonly part: ExchangePart;
  readonly body: unknown;
  /** Where it stands in the message. */
  readonly path: string;
}

/**
 * The data part of a message that names an exchange.
 * @returns undefined where none does
 * @throws Fault BAD_REQUEST where there are several
 */
export function namedExchange({ parts }: Pick<TaskMessage, 'parts'>): NamedPart | undefined {
  const found = parts.flatMap(({ data }, at) =>
    Object.entries(membersOf(data)).flatMap(([name, body]) => {
      const part = PARTS.get(name);
      return part === undefined ? [] : [{ part, body, path: `message.parts.${at}.data.${name}` }];
    }),
  );
  const [first, second] = found;
  if (first !== undefined && second !== undefined) {
    const message = `asks for a second exchange; this message has ${first.part.name} already`;
    throw new Fault('BAD_REQUEST', `${second.path}: ${message}`, [{ path: second.path, message }]);
  }
  return first;
}

/** What is left of the limits of an agent. */
const limitsQuestion: Question = {
  name: 'countersign.limits',
  resultName: 'countersign.limitsResult',
  operation: 'showLimits',
  schema: (prover) =>
    z.preprocess((body) => (prover === undefined ? body : { agentDid: prover, ...Object(body) }), AskLimits),
  sentence: (result) => limitsSentence((result as LimitStates).limits),
};

const QUESTIONS: readonly Question[] = [limitsQuestion, ...extensionQuestions];

interface AskedQuestion extends Omit<NamedPart, 'part'> {
  readonly question: Question;
}

/**
 * The question of a message, and where it stands in it.
 * @param extensions that the node runs with, by name
 * @returns undefined for a message that asks none, or asks for more
 */
export function askedQuestion(
  message: Pick<TaskMessage, 'parts'>,
  extensions: readonly string[],
): AskedQuestion | undefined {
  if (namedExchange(message) !== undefined) return undefined;
  for (const question of QUESTIONS) {
    if (question.extension !== undefined && !extensions.includes(question.extension)) continue;
    const at = message.parts.findIndex(({ data }) => Object.hasOwn(membersOf(data), question.name));
    if (at === -1) continue;
    const body = membersOf(message.parts[at]?.data)[question.name];
    return { question, body, path: `message.parts.${at}.data.${question.name}` };
  }
  return undefined;
}

/** The members of a message that stand beside the one that asks, by their names; of several of one name the first. */
export function besideIn({ parts }: Pick<TaskMessage, 'parts'>): Members {
  const found = parts.flatMap(({ data }) =>
    Object.entries(membersOf(data)).filter(([name]) => besideMembers.has(name)),
  );
  return Object.fromEntries(found.reverse());
}

/** What of the data parts no exchange is made of. */
export function otherParts({ parts }: Pick<TaskMessage, 'parts'>): readonly unknown[] {
  return parts.flatMap(({ data }) => {
    if (data === undefined) return [];
    const members = Object.entries(membersOf(data));
    if (members.length === 0) return [data];
    const others = members.filter(([name]) => !besideMembers.has(name) && !PARTS.has(name));
    return others.length === 0 ? [] : [Object.fromEntries(others)];
  });
}

/**
 * The schema that a data part is parsed by, and what it means.
 * @param continues whether the message goes on with a task
 * @param prover the DID that its sender has proven, which it need not name again
 * @param beside as besideIn gives it
 */
export function schemaOf(
  { part, body }: Pick<NamedPart, 'part' | 'body'>,
  { continues, prover, beside }: Pick<PartContext, 'continues' | 'beside'> & { readonly prover: string | undefined },
): z.ZodType<Exchange> {
  if (continues && isTouch(body)) return Touch.transform(({ hpProof }): TouchOfTask => ({ kind: 'touch', hpProof }));
  const filled = (input: unknown) => (prover === undefined ? input : namedBy(prover, input));
  return part.schema({ continues, filled, beside });
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
