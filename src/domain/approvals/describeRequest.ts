/** A request as the approval extension of A2A tells of it: the action, what a passkey would sign, and who may decide. */

import { approvalUrl } from '../../../protocol/approval.ts';
import type { ApprovalRequest } from '../../../protocol/approvals/approvalRequest.ts';
import type { CartSubject } from '../../../protocol/cart.ts';
import { canonical, hashText } from '../../../protocol/credential/canonical.ts';
import { readCoseKey } from '../../../protocol/credential/coseKey.ts';
import { fromBase64url } from '../../../protocol/credential/encodings.ts';
import { thumbprint } from '../../../protocol/jwk/jwk.ts';
import { formatMoney, fromMinor } from '../../../protocol/money.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { ApprovalRequestRow } from '../../store/statements/people/approvals.ts';
import type { PasskeyRow } from '../../store/statements/people/passkeys.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { PaymentMethod } from '../instruments/chooseInstrument.ts';
import { listApprovingPasskeys } from '../passkeys/holder.ts';
import { approverOf, loadGovernance } from '../principals/governance.ts';
import { cartMandateIn, checkoutIn, type StoredCart } from '../purchases/storedCart.ts';
import { circleOf, listCandidatePasskeys } from './quorum.ts';

/** Characters of a document that goes with the request; the caller has sent it, and others ask for it. */
const MOST_DOCUMENT = 8192;
/** Items that the summary names. */
const MOST_ITEMS = 3;

/** What a passkey signs the hash of. */
export function bindingOf(request: ApprovalRequestRow, decision: 'approve' | 'deny') {
  const { instrument } = JSON.parse(request.paying ?? '{}') as PaymentMethod;
  return compact({
    agentDid: request.agent_did,
    principalDid: request.principal_did,
    intentId: request.intent_id,
    cartHash: request.cart_hash,
    amount: fromMinor(request.amount_minor, request.currency),
    currency: request.currency,
    merchant: request.merchant,
    instrument,
    decision,
  });
}

export function* describeRequest(
  deps: Pick<Deps, 'policies' | 'settings' | 'suite'>,
  request: ApprovalRequestRow,
): Script<ApprovalRequest> {
  const approver = approverOf(request, yield* loadGovernance(request.tenant_id, request));
  const circle = yield* circleOf(deps, request);
  const passkeys =
    circle === undefined
      ? yield* listApprovingPasskeys(request.tenant_id, approver)
      : yield* listCandidatePasskeys(circle);
  const { people = 1 } = circle?.quorum ?? {};
  return {
    id: request.id,
    action: {
      type: 'payment',
      summary: summaryOf(request),
      ...documentOf(deps, request),
      documentHash: request.cart_hash,
    },
    binding: bindingOf(request, 'approve'),
    approvers: approversOf(deps, passkeys, approver.did),
    quorum: 1,
    ...(people > 1 && { people }),
    url: approvalUrl(deps.settings.baseUrl, request.id),
    createdAt: isoTime(request.created_at),
    expiresAt: isoTime(request.expires_at),
  };
}

function summaryOf({ amount_minor, currency, merchant, items }: ApprovalRequestRow): string {
  const named = (JSON.parse(items) as CartSubject['items']).map(
    ({ name, quantity }) => `${quantity} × ${inertText(name).slice(0, 80) || '(no name)'}`,
  );
  const more = named.length > MOST_ITEMS ? [`${named.length - MOST_ITEMS} more`] : [];
  return `${formatMoney(amount_minor, currency)} at ${merchant}: ${[...named.slice(0, MOST_ITEMS), ...more].join(', ')}`;
}

/** What the hash of the request is of. */
function documentOf(
  { suite }: Pick<Deps, 'suite'>,
  { cart, merchant, cart_hash }: ApprovalRequestRow,
): { readonly document?: Readonly<Record<string, unknown>> } {
  const stored = JSON.parse(cart) as StoredCart;
  const document = documentIn(stored, merchant);
  const text = canonical(document);
  return text.length <= MOST_DOCUMENT && hashText(suite, text) === cart_hash ? { document } : {};
}

function documentIn(stored: StoredCart, merchant: string): Readonly<Record<string, unknown>> {
  const kept = checkoutIn(stored);
  if (kept !== undefined) {
    const { ap2: _ap2, ...checkout } = kept.checkout;
    return { merchant, checkout };
  }
  const mandate = cartMandateIn(stored);
  const { proof: _proof, ...credential } = stored;
  return mandate === undefined ? credential : { merchant, contents: mandate.contents };
}

function approversOf(
  { suite }: Pick<Deps, 'suite'>,
  passkeys: readonly PasskeyRow[],
  approver: string,
): ApprovalRequest['approvers'] {
  const keys = new Map<string, string[]>([[approver, []]]);
  for (const { holder_did: did, public_key } of passkeys) {
    const jwk = readCoseKey(fromBase64url(public_key) ?? new Uint8Array())?.jwk;
    keys.set(did, [...(keys.get(did) ?? []), ...(jwk === undefined ? [] : [thumbprint(suite, jwk)])]);
  }
  // Where others are asked, the approver without a passkey is none of them.
  const isAsked = ([did, known]: readonly [string, readonly string[]]) => known.length > 0 || did === approver;
  return [...keys].filter(isAsked).map(([id, known]) => (known.length === 0 ? { id } : { id, keys: known }));
}
