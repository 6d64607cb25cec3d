/** What the node itself knows of a chain that holds: whether it was used, what is left of its limits, and who is paid. */
import { type ChainTerms, chainTerms } from '../../../../protocol/ap2/chainTerms.ts';
import { MANDATE_NONCE } from '../../../../protocol/ap2/mandateChallenge.ts';
import { payeeDomain, refuseOtherDomain } from '../../../../protocol/ap2/payee.ts';
import { isPayable } from '../../../../protocol/ap2/paymentCredential.ts';
import type { ReasonDetails } from '../../../../protocol/reason.ts';
import { confirmationKey } from '../../../../protocol/sdjwt/hop.ts';
import type { MandateChain } from '../../../../protocol/sdjwt/mandateChain.ts';
import { ClosedPayment } from '../../../../protocol/sdjwt/mandateContent.ts';
import { type ClosingKey, findClosingKey, refuseOtherAgent } from '../../../domain/agents/closingKey.ts';
import { findNamed, payerOnly, railsFor } from '../../../domain/instruments/chooseInstrument.ts';
import { type CurrentPolicy, mustHaveNonce } from '../../../domain/policies/loadFacts.ts';
import { findMandateChallenge } from '../../../store/statements/purchases/mandateChallenges.ts';
import { findMandateUse, type MandateUseRow, wasLeafUsed } from '../../../store/statements/purchases/mandateUses.ts';
import { findMerchant } from '../../../store/statements/registry/merchants.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import { type CountedMandate, loadCounted, refuseUses } from '../uses/countUses.ts';
import type { MandateTrust } from './mandateTrust.ts';
import type { PresentedPurchase } from './presentation.ts';

export interface ExaminedMandate {
  readonly payment: ClosedPayment;
  readonly amountMinor: number;
  readonly currency: string;
  /** Undefined where the payee has no domain. */
  readonly merchant: string | undefined;
  /** What may be used for its checkout once. */
  readonly key: string;
  /** An earlier presentation for the same checkout. */
  readonly use: MandateUseRow | undefined;
  readonly counted: readonly CountedMandate[];
  /** The key of the agent that closed it. */
  readonly closingKey: ClosingKey | undefined;
  /** What it is judged by once more when it is paid. */
  readonly terms: ChainTerms;
  /** Why it is refused. */
  readonly details: ReasonDetails;
}

type ExamineDeps = Pick<EventDeps, 'suite' | 'settings'> & Pick<Deps, 'rails'>;

export function* examineMandate(
  deps: ExamineDeps,
  presented: PresentedPurchase,
  { chain, trust }: { readonly chain: MandateChain; readonly trust: MandateTrust },
  policy: CurrentPolicy,
): Script<ExaminedMandate> {
  const { agent, principalDid } = presented;
  const { tenant_id: tenantId } = agent;
  const { now } = presented.moment;
  const payment = ClosedPayment.parse(chain.content);
  const { amount: amountMinor, currency } = payment.payment_amount;
  const merchant = yield* domainOf(tenantId, payment.payee);
  const key = keyOfUse(chain, trust);
  const use = yield* findMandateUse(tenantId, key, chain.transactionId);
  const counted = yield* loadCounted(tenantId, chain, now);
  const closingKey = yield* findClosingKey(deps, tenantId, chain.closingKey);
  const details: ReasonDetails = {
    ...refuseUses(counted, { amountMinor, currency }, now),
    ...(yield* refuseInstrument(deps, presented, payment, policy)),
    ...(yield* refuseNonce(tenantId, presented, mustHaveNonce(deps, policy.compiled))),
    ...(merchant === undefined ? { MERCHANT_UNVERIFIED: { message: NO_DOMAIN } } : {}),
    ...refuseOtherDomain(chain.open, payment.payee),
    ...(isPayable(amountMinor) ? {} : { MANDATE_INVALID: { message: 'Its amount cannot be paid.' } }),
    ...(chain.transactionId.length > SHA256_CHARACTERS ? { MANDATE_INVALID: { message: OTHER_HASH } } : {}),
    ...refuseOtherAgent(closingKey, agent),
    ...refuseOtherMoney(trust.issuer, principalDid),
    ...presented.read.details,
  };
  if ((use !== undefined && use.status !== 'PENDING') || (yield* wasLeafUsed(tenantId, chain.leafJwtHash))) {
    details.MANDATE_USED = { message: 'This mandate was used for this checkout before.' };
  }
  const about = { mandateIssuerId: trust.issuer.id, instrument: payment.payment_instrument.id };
  const terms = chainTerms(chain, about);
  return { payment, amountMinor, currency, merchant, key, use, counted, closingKey, terms, details };
}

/** In base64url. By SHA-384 and SHA-512, which a token may use, one checkout would have two names more and be paid by each. */
const SHA256_CHARACTERS = 43;
const OTHER_HASH =
  'Its transaction_id must be the SHA-256 of the checkout JWT: by another hash the checkout could be paid again.';
const OWN_NONCE =
  'The policy asks for a nonce of this node: POST /ap2/mandate-challenges gives one, which the agent signs into the last mandate.';
const NO_DOMAIN = 'The payee has no website that names a domain, and no id of a merchant that is bound here.';

function* domainOf(tenantId: string, payee: ClosedPayment['payee']): Script<string | undefined> {
  const domain = payeeDomain(payee);
  if (domain !== undefined || !payee.id?.startsWith('mch_')) return domain;
  return (yield* findMerchant(tenantId, payee.id))?.domain;
}

/**
 * What may be used once for a checkout: the first open mandate, by what its JWT signs (with its signature, which has two forms, a
 * checkout could be paid twice); where there is none, the key that closed it, which can sign it again. In Verifiable Intent that is the
 * person's key: the card issuer's is that of many people, of whom one would use up another one's checkout.
 */
function keyOfUse({ limits: [first], credential }: MandateChain, { jwk }: MandateTrust): string {
  if (first !== undefined) return first.jwtHash;
  const signer = credential === undefined ? jwk : (confirmationKey(credential) ?? jwk);
  return `direct ${'x' in signer ? signer.x : ''}`;
}

/** What the closed mandate names is charged: what the payer has registered, or the rail knows by its name. */
function* refuseInstrument(
  deps: Pick<Deps, 'rails'>,
  { agent, principalDid, principal }: PresentedPurchase,
  { payment_instrument: { id } }: ClosedPayment,
  { compiled }: CurrentPolicy,
): Script<ReasonDetails> {
  const payer = payerOnly(agent.did, principalDid, principal);
  const paying = yield* findNamed(deps, agent.tenant_id, railsFor(deps, compiled)[0], payer, id);
  if (paying !== undefined) return {};
  const message = `The mandate is paid with ${id}, which is no instrument of ${payer.agentDid}; POST /ap2/admin/instruments registers one.`;
  return { CONSTRAINT_VIOLATED: { message } };
}

/** A credential of a person begins what is bought with that person's money alone. */
export function refuseOtherMoney(
  { principal_did: own }: Pick<MandateTrust['issuer'], 'principal_did'>,
  principalDid: string,
): ReasonDetails {
  if (own === null || own === principalDid) return {};
  return {
    MANDATE_INVALID: { message: `Its issuer is a credential of ${own}, and begins no mandate for another one.` },
  };
}

/**
 * A challenge of the node serves once, and the agent that asked for it; another nonce is the caller's own.
 * @param isRequired whether the policy takes no other one
 */
function* refuseNonce(
  tenantId: string,
  { input, moment }: PresentedPurchase,
  isRequired: boolean,
): Script<ReasonDetails> {
  const { nonce, agentDid } = input;
  if (!nonce.startsWith(MANDATE_NONCE)) return isRequired ? { MANDATE_INVALID: { message: OWN_NONCE } } : {};
  const challenge = yield* findMandateChallenge(tenantId, nonce);
  const fault =
    challenge === undefined || challenge.agent_did !== agentDid
      ? 'The nonce is none that this node gave to this agent.'
      : challenge.used_at !== null
        ? 'The nonce was used before; ask for another one.'
        : challenge.expires_at <= moment.now
          ? 'The nonce has expired; ask for another one.'
          : undefined;
  return fault === undefined ? {} : { MANDATE_INVALID: { message: fault } };
}
