/** What is wrong with a chain of mandates, in words, with the clause of the standard that it breaks. */
import type { ReasonCode } from '../reason.ts';

/** How UCP names some of it to businesses (dev.ucp.shopping.ap2_mandate). */
export type UcpError =
  | 'mandate_invalid_signature'
  | 'mandate_expired'
  | 'mandate_scope_mismatch'
  | 'agent_missing_key'
  | 'merchant_authorization_invalid'
  | 'merchant_authorization_missing';

export interface Violation {
  readonly code: ReasonCode;
  /** One sentence. */
  readonly detail: string;
  /** Of which standard, such as `RFC 9901 section 7.1`. */
  readonly clause: string;
  /** The hop it is found in, from 0; absent for what is between the chain and what the verifier expects. */
  readonly hop?: number;
  readonly ucp?: UcpError;
}
