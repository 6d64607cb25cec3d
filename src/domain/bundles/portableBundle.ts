/** Collects everything that proves one transaction to a reader who knows only the issuer's DID. */

import { toBase64 } from '../../../protocol/credential/encodings.ts';
import { signDocument } from '../../../protocol/credential/proof.ts';
import { BUNDLE_FORMAT, type PortableBundle } from '../../../protocol/evidence/bundle.ts';
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { inclusionProof } from '../../../protocol/evidence/log/merkle.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { CheckpointRow } from '../../store/statements/evidence/checkpoints.ts';
import { listTransaction } from '../../store/statements/evidence/events.ts';
import { type ApprovalTokenRow, findApprovalTokenOfCart } from '../../store/statements/purchases/approvalTokens.ts';
import { findIntent } from '../../store/statements/purchases/intents.ts';
import { findPaymentOfTransaction } from '../../store/statements/purchases/payments.ts';
import { findPolicyVersion } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { CosignerDeps } from '../../usecase/watch.ts';
import { cosignedCheckpoint } from '../checkpoints/cosignedCheckpoint.ts';
import { loadTree } from '../checkpoints/evidenceTree.ts';
import { formsAgain } from '../credentials/handOut.ts';
import { showEvent } from '../evidence/showEvidence.ts';
import { cartMandateIn, checkoutIn, type StoredCart } from '../purchases/storedCart.ts';

/** @returns undefined when there is no such transaction */
export async function portableBundle(
  deps: CosignerDeps,
  tenantId: string,
  transactionId: string,
): Promise<PortableBundle | undefined> {
  const checkpoint = await coveringCheckpoint(deps, tenantId, transactionId);
  if (checkpoint === undefined) return undefined;
  const content = await deps.store.read(() => collect(deps, tenantId, transactionId, checkpoint));
  const created = new Date(deps.clock()).toISOString();
  const sealed = signDocument(deps.suite, deps.issuer, content, { created, proofPurpose: 'assertionMethod' });
  // A bundle has one form: its members in canonical order (RFC 8785).
  return JSON.parse(sealed.text) as PortableBundle;
}

/** A checkpoint that is over the whole transaction, cosigned where it can be. */
async function coveringCheckpoint(
  deps: CosignerDeps,
  tenantId: string,
  transactionId: string,
): Promise<CheckpointRow | undefined> {
  const newest = (await deps.store.read(() => listTransaction(tenantId, transactionId))).at(-1);
  return newest === undefined ? undefined : cosignedCheckpoint(deps, tenantId, newest.seq);
}

function* collect(
  deps: Pick<Deps, 'evidence' | 'issuer' | 'settings' | 'suite'>,
  tenantId: string,
  transactionId: string,
  checkpoint: CheckpointRow,
): Script<Omit<PortableBundle, 'proof'>> {
  const all = (yield* listTransaction(tenantId, transactionId)).map(showEvent);
  // Events after the checkpoint belong to the next bundle.
  const events = all.filter(({ seq }) => seq <= checkpoint.size);
  const { credentials, presence } = yield* collectMandates(tenantId, transactionId, events);
  const positions = events.map(({ seq }) => seq - 1);
  const tree = yield* loadTree(deps, tenantId, checkpoint.size, positions);
  return compact({
    format: BUNDLE_FORMAT,
    issuer: deps.issuer.did,
    rotations: [...deps.evidence.rotations],
    tenantId,
    transactionId,
    eventCount: events.length,
    events,
    credentials,
    forms: handedForms(deps, credentials, events),
    policies: yield* collectPolicies(tenantId, events),
    presence,
    checkpoint: checkpoint.note,
    inclusion: positions.map((position) => inclusionProof(position, checkpoint.size, tree).map(toBase64)),
  });
}

function* collectMandates(
  tenantId: string,
  transactionId: string,
  events: readonly EvidenceEvent[],
): Script<Pick<PortableBundle, 'credentials' | 'presence'>> {
  const factsOf = (type: string) => events.findLast(({ eventType }) => eventType === type)?.data;
  const intentFacts = factsOf('INTENT_ISSUED');
  const paid = factsOf('PM_ISSUED');
  const cartFacts = paid ?? factsOf('CART_VALIDATED');
  const intent = intentFacts === undefined ? undefined : yield* findIntent(tenantId, String(intentFacts.mandateId));
  const approval =
    intent === undefined || cartFacts === undefined
      ? undefined
      : yield* findApprovalTokenOfCart(tenantId, intent.mandate_id, String(cartFacts.cartHash));
  const payment = paid === undefined ? undefined : yield* findPaymentOfTransaction(tenantId, transactionId);
  return {
    credentials: compact({
      intent: intent && JSON.parse(intent.credential),
      ...cartIn(approval),
      payment: payment && JSON.parse(payment.credential),
    }),
    ...(typeof approval?.hp_proof === 'string' ? { presence: JSON.parse(approval.hp_proof) } : {}),
  };
}

/** The forms that were handed out with the mandates. Those of a former key cannot be signed again, and are left out. */
function handedForms(
  deps: Pick<Deps, 'issuer' | 'settings' | 'suite'>,
  { intent, payment }: PortableBundle['credentials'],
  events: readonly EvidenceEvent[],
): PortableBundle['forms'] {
  const factsOf = (type: string) => events.findLast(({ eventType }) => eventType === type)?.data;
  const forms = compact({
    intent: intent && formsAgain(deps, intent, factsOf('INTENT_ISSUED')),
    payment: payment && formsAgain(deps, payment, factsOf('PM_ISSUED')),
  });
  return Object.keys(forms).length === 0 ? undefined : forms;
}

function cartIn(
  approval: ApprovalTokenRow | undefined,
): Pick<PortableBundle['credentials'], 'cart' | 'cartMandate' | 'checkout'> {
  if (approval === undefined) return {};
  const cart = JSON.parse(approval.cart) as StoredCart;
  const checkout = checkoutIn(cart)?.checkout;
  if (checkout !== undefined) return { checkout };
  const cartMandate = cartMandateIn(cart);
  // A cart without its authorization is never approved.
  if (cartMandate !== undefined) return { cartMandate: cartMandate as PortableBundle['credentials']['cartMandate'] };
  return { cart: cart as PortableBundle['credentials']['cart'] };
}

function* collectPolicies(tenantId: string, events: readonly EvidenceEvent[]): Script<PortableBundle['policies']> {
  const policies = new Map<string, PortableBundle['policies'][number]>();
  for (const { data } of events) {
    if (typeof data.policyId !== 'string' || typeof data.policyVersion !== 'number') continue;
    const { policyId, policyVersion } = data;
    const row = yield* findPolicyVersion(tenantId, policyId, policyVersion);
    if (row === undefined) continue;
    const rules = JSON.parse(row.rules) as Record<string, unknown>;
    policies.set(`${policyId} ${policyVersion}`, { policyId, policyVersion, policyHash: row.hash, rules });
  }
  return [...policies.values()];
}
