/** In what the dialects of mandate chains differ, as data: how hops are joined, what a layer holds, how constraints are spelt. */
import type { ConstraintRules } from './constraint.ts';
import type { SdAlgorithm } from './sdHash.ts';

/** One place in a chain. */
export interface Layer {
  /** What the standard calls it, where it has a name. */
  readonly name?: string;
  /** The media types its JWT may name; any where there is no list. */
  readonly typ?: readonly string[];
  /** How many mandates `delegate_payload` has; 0 where the credential itself names the next key. */
  readonly mandates: 0 | 1 | 'pairs';
  /** Whether its mandates are open: each has constraints, and in `cnf` the key of the next layer. */
  readonly isOpen: boolean;
  /** Whether it is made for one verifier: with `iat`, `aud` and `nonce`. */
  readonly isPresented: boolean;
  /** How long its JWT may be good for, from `iat` to `exp`, in seconds; both are not needed where there is no bound. */
  readonly mostSeconds?: number;
}

export interface ChainProfile {
  readonly name: 'ap2' | 'vi';
  /** The clauses that say what a mandate must have, and that an unknown constraint counts as broken. */
  readonly clauses: { readonly mandate: string; readonly unknownConstraint: string };
  /** Whether each header names its key, by the `kid` that the hop before gives it. */
  readonly namesKeys: boolean;
  /** Whether `delegate_payload` may disclose other objects beside mandates, such as the merchant that was chosen. */
  readonly hasSelections: boolean;
  /** What joins the hops of one text; absent where each layer is a text of its own. */
  readonly join?: '~~';
  /** By which algorithms digests may be. */
  readonly algorithms: readonly SdAlgorithm[];
  /** Which claims may bind a hop to the one before. */
  readonly bindings: readonly ('sd_hash' | 'issuer_jwt_hash')[];
  /** Whether top-level `_sd` may name once more what `delegate_payload` names. */
  readonly mirroredSd: boolean;
  /** What the types of constraints begin with, before `payment.` and `checkout.`. */
  readonly prefix: '' | 'mandate.';
  /** What a payment's constraint names of the open checkout mandate. */
  readonly reference: 'sd_hash' | 'digest';
  /** In what unit of its currency a budget is stated. */
  readonly budgetUnit: 'major' | 'minor';
  readonly constraints: ConstraintRules;
}
