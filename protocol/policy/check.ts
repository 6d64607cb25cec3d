/** What a policy check sees and says. Each family of rules has a file of its own; evaluate.ts puts them in order. */
import type { ReasonDetail } from '../reason.ts';
import type { CompiledLimit } from './checks/velocity.ts';
import type { CompiledPolicy } from './compile.ts';

/** A purchase as the policy sees it. The domain is in its normal form, as MerchantDomain leaves it. */
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

/** The other purchases in a limit's window, without the one that is judged. */
export interface VelocityUse {
  readonly limit: CompiledLimit;
  readonly count: number;
  /** in the request's currency */
  readonly amountMinor: number;
}

export interface PolicyFacts {
  readonly velocity: readonly VelocityUse[];
  /** True until a payment of this agent to this merchant was authorised. */
  readonly newMerchant: boolean;
  /** This agent's last paid amounts, at most 50, in the request's currency. */
  readonly paidAmountsMinor: readonly number[];
}

export const PRESENCE_CAUSES = ['threshold', 'new_merchant', 'anomaly', 'manual'] as const;
export type PresenceCause = (typeof PRESENCE_CAUSES)[number];

export interface CheckInput {
  readonly policy: CompiledPolicy;
  readonly request: PolicyRequest;
  readonly facts: PolicyFacts;
  /** milliseconds since the epoch */
  readonly now: number;
  /** False when the policy is in another currency: amounts cannot be compared then, and rules about them are skipped. */
  readonly comparable: boolean;
}

/** @returns what is wrong with the request, or undefined when the rule holds or there is none */
export type Check = (input: CheckInput) => ReasonDetail | undefined;
