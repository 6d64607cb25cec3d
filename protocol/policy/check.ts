/** The input and result of policy checks. */
import type { ReasonDetail } from '../reason.ts';
import type { CompiledPolicy } from './compile.ts';
import type { LimitUse, Maximum } from './limitUse.ts';
import type { SameBefore } from './values/samePurchase.ts';

/** A purchase as the policy evaluates it. The domain is in its normal form (see MerchantDomain). */
export interface PolicyRequest {
  readonly amountMinor: number;
  /** ISO 4217 */
  readonly currency: string;
  readonly merchantDomain?: string | undefined;
  /** ISO 18245 */
  readonly mcc?: string | undefined;
  /** ISO 3166-1 alpha-2 */
  readonly country?: string | undefined;
}

export interface PolicyFacts {
  /** The limits over time that hold for the agent, the policy's velocity limit first. */
  readonly limits: readonly LimitUse[];
  /** True until a payment of this agent to this merchant was authorised. */
  readonly newMerchant: boolean;
  /** This agent's last paid amounts, at most 50, in the request's currency. */
  readonly paidAmountsMinor: readonly number[];
  /** How often the same was bought before; absent before there is a cart, and where no rule asks for it. */
  readonly sameBefore?: SameBefore | undefined;
}

export interface CheckInput {
  readonly policy: CompiledPolicy;
  readonly request: PolicyRequest;
  readonly facts: PolicyFacts;
  /** milliseconds since the epoch */
  readonly now: number;
  /** False when the policy has another currency: amounts cannot be compared then, and rules about them are skipped. */
  readonly comparable: boolean;
  /** What the limits over time say of the request. */
  readonly maxima: readonly Maximum[];
}

/** @returns why the rule refuses the request, or undefined when it does not or is not set */
export type Check = (input: CheckInput) => ReasonDetail | undefined;

/** What a rule compares, in figures where it has some. It judges nothing: whether the rule refuses, its check says. */
export interface Figures {
  /** The request’s value for this rule: an amount in major units, a number of purchases, or a name. */
  readonly asked?: number | string;
  readonly limit?: number;
  /** The limit less what is asked; negative where that is over it. */
  readonly left?: number;
  readonly currency?: string;
  /** What holds where the rule has nothing against the request. */
  readonly sentence: string;
}

/** Why a rule is not asked: it is not set, or the request has nothing that it is about. */
export interface SkipReason {
  readonly notAsked: string;
}

/** @returns what a rule compares, whether or not it refuses */
export type Measure = (input: CheckInput) => Figures | SkipReason;
