/** In what the dialects of mandate chains differ, as data: how hops are joined, what a layer holds, how constraints are spelt. */
import type { ConstraintRules } from './constraint.ts';

/** One place in a chain. */
export interface Layer {
  /** The media types its JWT may name; any where there is no list. */
  readonly typ?: readonly string[];
  /** How many mandates `delegate_payload` has; 0 where the credential itself names the next key. */
  readonly mandates: 0 | 1 | 'pairs';
  /** Whether its mandates are open: each has constraints, and in `cnf` the key of the next layer. */
  readonly isOpen: boolean;
  /** Whether it is made for one verifier: with `iat`, `aud` and `nonce`. */
  readonly isPresented: boolean;
}

export interface ChainProfile {
  readonly name: 'ap2' | 'vi';
  /** What joins the hops of one text; absent where each layer is a text of its own. */
  readonly join?: '~~';
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
