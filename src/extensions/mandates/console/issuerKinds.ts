/** Who signs mandates, and what the signature of each counts for. */
import type { MandateIssuer } from '../../../../client/operations.ts';

export const ISSUER_KINDS: Readonly<Record<MandateIssuer['kind'], readonly [name: string, vouches: string]>> = {
  'agent-provider': ['An agent’s provider', 'it vouches for its users; the policy still judges every purchase.'],
  'user-credential': ['A person’s credential', 'what it signs itself counts as the person’s touch.'],
  'card-issuer': ['A card issuer', 'it names the key of the person, who signs what may be bought.'],
};

export const ROOT_ALONE =
  'Everyone with a certificate below this root can sign. It stands for no person, so it begins mandates for an agent’s own money only.';
