/** How servers ask for money by HTTP: what the door for it needs of each protocol, which an extension brings. */
import type { HttpPaymentResult, ReceivedOffers, SettlementReport } from '../../protocol/httpPayment.ts';
import type { PaymentRow } from '../store/statements/purchases/payments.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from './deps.ts';

/** An offer that was read, as it is kept with its payment. */
export interface PaymentOffer {
  /** In minor units of `currency`, rounded up. */
  readonly amountMinor: number;
  /** ISO 4217 */
  readonly currency: string;
  /** As it stands on the wire, where that is less than a minor unit or no currency of ISO 4217. */
  readonly exact?: { readonly amount: string; readonly asset: string; readonly decimals: number };
  /** As the registry of merchants has it. */
  readonly payee: string;
  /** What tells the challenge from all others; absent where the protocol has none. */
  readonly challenge?: string;
  readonly challengeId?: string;
  /** Until when it can be paid, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** What the person and the evidence are shown of it: the server's own words. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What the rail needs of it besides amount and payee. */
  readonly request: Readonly<Record<string, string>>;
  /** What it is paid with, where the node has that itself; else what the agent names, or what is registered for it. */
  readonly instrument?: string;
  /** What the answer to the server repeats. */
  readonly received: Readonly<Record<string, unknown>>;
}

export interface OfferReading {
  /** Those that could be paid, the first first. */
  readonly offers: readonly PaymentOffer[];
  /** What was offered besides, a phrase each, such as `tempo/charge`. */
  readonly others: readonly string[];
  /** One sentence where all that could have been paid has ended. */
  readonly expired?: string;
  /** One sentence where what could have been paid is unusable. */
  readonly reason?: string;
}

/** What an agent tells of a settlement, as its protocol reads it. */
export type SettlementClaim =
  /** The merchant says that it was paid. How much, its word cannot make less. */
  | {
      readonly kind: 'paid';
      readonly reference?: string;
      readonly receipt: unknown;
      /** What the merchant has signed of it, with the key that it verifies by. */
      readonly signed?: object;
    }
  /** The merchant says that it was not. */
  | { readonly kind: 'unpaid'; readonly note: string }
  /** Nothing that says either; forPerson is true where a person has to do something at the merchant. */
  | { readonly kind: 'noted'; readonly note: string; readonly receipt?: unknown; readonly forPerson?: true };

type PaymentGrant = Extract<HttpPaymentResult, { readonly allowed: true }>;

/** Whose word a settlement is by: a merchant or an agent may only say that money was spent, and frees none. */
export type Attestant = 'chain' | 'rail' | 'merchant' | 'merchant_signed' | 'agent' | 'owner';

/** Who would pay, and what with where the agent names that. */
export interface PayingAgent {
  readonly tenantId: string;
  readonly agentDid: string;
  readonly principalDid: string;
  readonly instrument?: string | undefined;
}

/** By which the keys of merchants are found. */
export type ReportDeps = Pick<Deps, 'keys' | 'store' | 'suite'>;

export interface PaymentProtocol {
  /** Such as `mpp`. */
  readonly name: string;
  /** Its rail, which has a gate. */
  readonly rail: string;
  /** Whose word it is what that rail shows of a payment. */
  readonly attests: Extract<Attestant, 'chain' | 'rail'>;
  /** True where a reference of a receipt names one payment, and not a transaction in which there may be several. */
  readonly namesOne?: true;
  /** @param now milliseconds since the epoch @throws Fault BAD_REQUEST for what is malformed, such as an amount that is none */
  readOffers(received: ReceivedOffers, payer: PayingAgent, now: number): Script<OfferReading>;
  /** What is sent to the server. @param credential as the rail made it */
  answer(
    offer: PaymentOffer,
    credential: string,
  ): Pick<PaymentGrant, 'send' | 'credential' | 'paymentData' | 'paymentPayload'>;
  /** @throws Fault BAD_REQUEST for a report that is malformed, or is about another payment */
  readReport(
    offer: PaymentOffer,
    report: SettlementReport,
    payment: PaymentRow,
    deps: ReportDeps,
  ): SettlementClaim | Promise<SettlementClaim>;
}
