/** The parts of requests, answers and records that the oracle reads, as the interface describes them. What else is there stays unread. */
import { z } from 'zod';

const Policy = z.object({ policyId: z.string(), policyVersion: z.int(), policyHash: z.string() }).partial();

export const IntentAsked = z.object({
  agentDid: z.string(),
  principalDid: z.string(),
  request: z.object({
    maxAmount: z.number(),
    currency: z.string(),
    vendorHints: z.object({ domain: z.string().optional() }).optional(),
  }),
});

export const CartAsked = z.object({
  intentVc: z.object({ credentialSubject: z.object({ mandateId: z.string() }) }),
  cartVc: z.looseObject({
    issuanceDate: z.string().optional(),
    expirationDate: z.string().optional(),
    credentialSubject: z.object({
      merchant: z.string(),
      items: z.array(z.object({ price: z.number(), quantity: z.number() })),
      total: z.number(),
      currency: z.string(),
    }),
  }),
  hpProof: z
    .object({
      id: z.string(),
      agentDid: z.string(),
      intentId: z.string().optional(),
      cartHash: z.string().optional(),
      expiresAt: z.string(),
    })
    .optional(),
});

export type CartAsked = z.output<typeof CartAsked>;

export const PaymentAsked = z.object({ approvalToken: z.string() });
export const AgentNamed = z.object({ did: z.string() });

/** What limits counted at a decision, as its event says it. */
const LimitUse = z.array(z.object({ name: z.string(), purchases: z.int(), amount: z.number() }));
export type LimitUse = z.output<typeof LimitUse>;

/** How often the same was bought before, as the event of a decision says it. */
const SameBefore = z.object({ count: z.int() }).optional();

const Subject = z.object({ mandateId: z.string(), agentDid: z.string() });

export const IntentAllowed = z.object({
  allowed: z.literal(true),
  intentVc: z.object({ credentialSubject: Subject.extend({ maxAmount: z.number(), currency: z.string() }) }),
});
export const Refused = z.object({ allowed: z.literal(false), reasonCodes: z.array(z.string()).min(1) });
export const CartAllowed = z.object({
  allowed: z.literal(true),
  approvalToken: z.string(),
  approvalTokenExpiresAt: z.string(),
  cartHash: z.string(),
});
export const Paid = z.object({
  pmVc: z.object({
    credentialSubject: Subject.extend({ intentId: z.string(), amount: z.number(), currency: z.string() }),
  }),
  railResponse: z.object({ status: z.string() }),
});

/** A policy as it is written and shown. */
export const PolicyShown = z.looseObject({
  id: z.string(),
  version: z.int(),
  hash: z.string(),
  rules: z.unknown().optional(),
  isActive: z.boolean().optional(),
});

const Maxima = z.object({ maxTransactions: z.number().optional(), maxAmount: z.number().optional() });

export const AgentLimitOf = Maxima.extend({
  /** Where it is there, the maxima beside it stand in for the policy's limit of velocity. */
  timeWindow: z.string().optional(),
  /** Where they are there, they stand in for the policy's limits of each agent. */
  limits: z
    .array(
      Maxima.extend({
        name: z.string(),
        currency: z.string().optional(),
        window: z.string(),
        timezone: z.string().optional(),
        scope: z.literal('agent').optional(),
        merchant: z.string().optional(),
        category: z.string().optional(),
        action: z.enum(['deny', 'presence']).optional(),
      }),
    )
    .optional(),
});
export type AgentLimit = z.output<typeof AgentLimitOf>;

export const Event = z.object({
  id: z.string(),
  seq: z.int(),
  eventType: z.string(),
  actorDid: z.string(),
  data: z.record(z.string(), z.unknown()),
  hashPrev: z.string(),
  hashCurr: z.string(),
  createdAt: z.string(),
});
export type Event = z.output<typeof Event>;

const read = new WeakMap<object, Event>();

/** An event of the books, which several laws read. @throws Error for what has another form */
export function eventOf(given: unknown): Event {
  const known = typeof given === 'object' && given !== null ? read.get(given) : undefined;
  if (known !== undefined) return known;
  const event = Event.parse(given);
  read.set(given as object, event);
  return event;
}

/** The facts of events by their type, as far as a model of the purchases needs them. */
export const FACTS = {
  INTENT: Policy.extend({
    agentDid: z.string(),
    principalDid: z.string(),
    mandateId: z.string(),
    maxAmount: z.number(),
    currency: z.string(),
    merchantDomain: z.string().optional(),
    mcc: z.string().optional(),
    country: z.string().optional(),
    hpRequired: z.boolean().optional(),
    expiresAt: z.string().optional(),
    delegationId: z.string().optional(),
    reasonCodes: z.array(z.string()).optional(),
    limitUse: LimitUse.default([]),
  }),
  CART: Policy.extend({
    intentId: z.string(),
    cartHash: z.string(),
    amount: z.number(),
    currency: z.string(),
    merchant: z.string().optional(),
    /** The merchant's, where the intent has another one or none. */
    mcc: z.string().optional(),
    country: z.string().optional(),
    approvalExpiresAt: z.string().optional(),
    presenceId: z.string().optional(),
    stage: z.string().optional(),
    /** Of a cart that the node has made, since a server asked for money by HTTP: by which protocol, and who is paid. */
    source: z.string().optional(),
    payee: z.string().optional(),
    reasonCodes: z.array(z.string()).optional(),
    sameBefore: SameBefore,
    limitUse: LimitUse.default([]),
  }),
  PAYMENT: Policy.extend({
    mandateId: z.string(),
    intentId: z.string(),
    amount: z.number(),
    currency: z.string(),
    merchant: z.string(),
    cartHash: z.string().optional(),
    rail: z.string().optional(),
    /** Whose word it is that money moved, where no rail says it. */
    attested: z.string().optional(),
    captured: z.number().optional(),
    refunded: z.number().optional(),
    sameBefore: SameBefore,
    limitUse: LimitUse.default([]),
  }),
  ENDED: z.object({ mandateId: z.string(), reason: z.string().optional() }),
  AGENT: z.object({ agentDid: z.string(), velocity: AgentLimitOf.optional() }),
  PRINCIPAL: z.object({ principalDid: z.string(), agents: z.array(z.string()).optional() }),
  POLICY: Policy.extend({ isActive: z.boolean() }).required(),
} as const;

export const PaymentBooked = z.object({
  mandateId: z.string(),
  intentId: z.string(),
  agentDid: z.string(),
  status: z.string(),
  rail: z.string().optional(),
  amount: z.number(),
  currency: z.string(),
  captured: z.number(),
  refunded: z.number(),
  disputed: z.number().default(0),
  disputes: z
    .array(z.object({ railDisputeId: z.string(), amount: z.number(), currency: z.string(), status: z.string() }))
    .default([]),
  attention: z.object({ reason: z.string() }).optional(),
});
export type PaymentBooked = z.output<typeof PaymentBooked>;
export const IntentBooked = z.object({ mandateId: z.string(), status: z.string(), agentDid: z.string() });

/** What all credentials of the issuer have. */
export const Signed = z.looseObject({
  issuer: z.string(),
  issuanceDate: z.string(),
  proof: z.looseObject({ created: z.string(), jws: z.string() }),
});

export const IssuerRotated = z.object({
  from: z.string(),
  to: z.string(),
  rotation: z.looseObject({ from: z.string(), to: z.string(), proof: z.looseObject({ created: z.string() }) }),
});

export const MerchantBound = z.object({ id: z.string(), domain: z.string(), did: z.string() });
export const InclusionShown = z.object({ hashCurr: z.string(), proof: z.array(z.string()) });
export const ConsistencyShown = z.object({ proof: z.array(z.string()) });
export const BundleShown = z.object({ events: z.array(z.looseObject({ seq: z.int(), hashCurr: z.string() })) });

/** An attempt at a delivery, as the log shows it. */
export const AttemptBooked = z.object({
  webhookId: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  attempt: z.int(),
  status: z.int().nullish(),
});
export type AttemptBooked = z.output<typeof AttemptBooked>;

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
});
export type Webhook = z.output<typeof Webhook>;
