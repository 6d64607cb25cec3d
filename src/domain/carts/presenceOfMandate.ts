/** A closed mandate that a person signed by a credential of their own shows their presence at exactly that purchase. */
import type { CartRequest } from '../../../protocol/cart.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { Holder } from '../../store/statements/people/passkeys.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { Paying } from '../instruments/chooseInstrument.ts';
import { issuePresence } from '../passkeys/verifyPresence.ts';

interface SignedPurchase {
  readonly cart: { readonly hash: string };
  readonly signedByPerson?: { readonly principalDid: string | undefined; readonly credentialId: string } | undefined;
  /** Whose presence counts. */
  readonly approver: Holder;
  /** Where the policy asks for the touches of certain people, which a mandate is none of. */
  readonly isQuorum: boolean;
  readonly paying: Paying;
}

/** @returns undefined where no person signed it, or one whose word does not count for this money */
export function* presenceOfMandate(
  deps: Pick<Deps, 'issuer' | 'newId' | 'suite'>,
  intent: IntentRow,
  { cart, signedByPerson, approver, isQuorum, paying }: SignedPurchase,
  now: number,
): Script<CartRequest['hpProof']> {
  if (signedByPerson === undefined || isQuorum) return undefined;
  const { principalDid } = signedByPerson;
  // A credential that is known as one principal's is no touch for the money of an agent or of another principal.
  const isTheirs = principalDid === undefined ? approver.kind === 'agent' : principalDid === intent.principal_did;
  if (!isTheirs) return undefined;
  const subject = compact({
    agentDid: intent.agent_did,
    principalDid: approver.kind === 'principal' ? approver.did : undefined,
    instrument: paying.instrument,
    intentId: intent.mandate_id,
    cartHash: cart.hash,
  });
  return yield* issuePresence(deps, intent.tenant_id, subject, signedByPerson.credentialId, now);
}
