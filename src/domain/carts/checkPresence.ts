/** Whether a person was present for a cart: the proof must hold, be this node's own, and be unused. */
import type { CartRequest } from '../../../protocol/cart.ts';
import { canonicalText, hashText } from '../../../protocol/credential/canonical.ts';
import { retirementFault } from '../../../protocol/evidence/rotation.ts';
import { peopleText } from '../../../protocol/policy/values/approvalStep.ts';
import { HpProof, type PresenceApproval, presenceFault } from '../../../protocol/presence.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isId } from '../../../protocol/wire/id.ts';
import type { Holder } from '../../store/statements/people/passkeys.ts';
import { wasPresenceIssued } from '../../store/statements/people/presenceIssued.ts';
import { wasPresenceUsed } from '../../store/statements/purchases/approvalTokens.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import { type Deps, issuersOf } from '../../usecase/deps.ts';
import { type Circle, countPresent } from '../approvals/quorum.ts';
import type { PaymentMethod } from '../instruments/chooseInstrument.ts';
import { issuePresence } from '../passkeys/verifyPresence.ts';

export interface PresenceCheck {
  readonly verdict: 'none' | 'valid' | { readonly fault: string };
  readonly id: string | undefined;
  /** The touches of several people that a valid one shows. */
  readonly approvals?: readonly PresenceApproval[] | undefined;
}

export function* checkPresence(
  deps: Pick<Deps, 'evidence' | 'issuer' | 'keys' | 'suite'>,
  intent: IntentRow,
  given: {
    readonly cartHash: string;
    readonly hpProof: CartRequest['hpProof'];
    readonly bound: boolean;
    /** Whose passkeys count. */
    readonly approver: Holder;
    /** Where the policy says how many people must approve. */
    readonly circle: Circle | undefined;
    readonly paying: PaymentMethod;
    readonly now: number;
  },
): Script<PresenceCheck> {
  if (given.hpProof === undefined) return { verdict: 'none', id: undefined };
  const isStored = yield* isStoredPresence(deps, intent.tenant_id, given.hpProof);
  const fault = presenceFault(
    deps.suite,
    given.hpProof,
    {
      agentDid: intent.agent_did,
      intentId: intent.mandate_id,
      cartHash: given.cartHash,
      principalDid: given.approver.kind === 'principal' ? given.approver.did : undefined,
      instrument: given.paying.instrument,
      bound: given.bound,
      isStored,
      trustedIssuers: issuersOf(deps),
      demoIssuer: deps.keys.demo?.presence.did,
    },
    given.now,
  );
  if (fault !== undefined) return refused(fault);
  const shown = HpProof.parse(given.hpProof);
  const { id, issuer, verifiedAt, proof, approvals } = shown;
  const late = retirementFault(deps.evidence.rotations, issuer, [verifiedAt, proof.created]);
  if (late !== undefined) return refused(`The presence proof does not hold: ${late}.`);
  // A key can be stolen: what the node did not issue itself is not believed, by any signature.
  const isDemo = issuer === deps.keys.demo?.presence.did;
  if (!isDemo && !isStored) return refused('The presence proof was not issued by this node.');
  if (yield* wasPresenceUsed(intent.tenant_id, id)) return refused('The presence proof was used before.');
  const tooFew = yield* tooFewFault(deps, given.circle, shown);
  return tooFew === undefined ? { verdict: 'valid', id, approvals } : refused(tooFew);
}

/**
 * Whether a proof is, member for member, one that this node signed for the tenant. The demo person's are not stored. What is no id of a
 * proof gets to no statement.
 */
export function* isStoredPresence(
  deps: Pick<Deps, 'keys' | 'suite'>,
  tenantId: string,
  hpProof: Readonly<Record<string, unknown>>,
): Script<boolean> {
  const { id, issuer } = hpProof;
  if (issuer === deps.keys.demo?.presence.did || typeof id !== 'string' || !isId('hp_', id)) return false;
  const text = canonicalText(hpProof, []);
  return text !== undefined && (yield* wasPresenceIssued(tenantId, id, hashText(deps.suite, text)));
}

/** @returns one sentence where a proof shows fewer people than the policy asks for */
function* tooFewFault(
  deps: Pick<Deps, 'keys'>,
  circle: Circle | undefined,
  proof: HpProof,
): Script<string | undefined> {
  if (circle === undefined) return undefined;
  const shown = yield* countPresent(deps, circle, proof);
  if (shown >= circle.quorum.people) return undefined;
  const needed = `The purchase takes the approval of ${peopleText(circle.quorum)}; the presence proof shows ${shown}.`;
  return `${needed} Send the cart without it to get a link for them.`;
}

function refused(fault: string): PresenceCheck {
  return { verdict: { fault }, id: undefined };
}

interface SignedPurchase {
  readonly cart: { readonly hash: string };
  readonly signedByPerson?: { readonly principalDid: string | undefined; readonly credentialId: string } | undefined;
  /** Whose presence counts. */
  readonly approver: Holder;
  /** Where the policy asks for the touches of certain people, which a mandate is none of. */
  readonly isQuorum: boolean;
  readonly paying: PaymentMethod;
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
