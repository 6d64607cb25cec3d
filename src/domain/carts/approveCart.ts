/** A cart that is allowed: its approval token, what the purchase holds from then on, and the answer. */
import { type CartRequest, type CartResult, describeItems } from '../../../protocol/cart.ts';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { moveHold } from '../../store/statements/limits/limitBuckets.ts';
import {
  type ApprovalTokenRow,
  insertApprovalToken,
  markPresenceUsed,
  voidApprovalTokens,
} from '../../store/statements/purchases/approvalTokens.ts';
import { type IntentRow, updateHold } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { type DecisionDeps, recordVerdict } from '../evidence/recordEvent.ts';
import { tellAuthorizers } from '../purchases/authorize.ts';
import { approvalKeyOf, makeApprovalToken } from './approvalToken.ts';
import type { JudgedPurchase, ParsedCart } from './judgeCart.ts';

interface ApprovedCart {
  readonly cart: ParsedCart;
  readonly hpProof: CartRequest['hpProof'];
  readonly about: Readonly<Record<string, unknown>>;
  readonly rail: string;
  readonly formats: CartRequest['credentialFormats'];
}

/** Uses the presence proof up, voids the former token of the intent, and makes a new one. */
export function* approveCart(
  deps: DecisionDeps & Pick<Deps, 'hashToken' | 'newToken' | 'operations'>,
  loaded: JudgedPurchase,
  approved: ApprovedCart,
  now: number,
): Script<CartResult> {
  const { intent, agent, policy, binding, presence } = loaded;
  const { cart, about, rail } = approved;
  const { tenant_id: tenantId } = intent;
  if (presence.id !== undefined) yield* markPresenceUsed(tenantId, presence.id, now);
  if (loaded.hasLiveToken) yield* voidApprovalTokens(tenantId, intent.mandate_id);
  const approvalToken = makeApprovalToken(deps, now);
  const expiresAt = now + deps.settings.approvalTtlSeconds * 1000;
  const key = approvalKeyOf(deps, approvalToken);
  yield* insertApprovalToken(tokenRow(key, loaded, approved, { now, expiresAt }));
  yield* holdCart(loaded, cart, expiresAt);
  yield* tellAuthorizers(deps, intent, (each) => each.afterCart?.(intent, cart.totalMinor));
  const approvalTokenExpiresAt = isoTime(expiresAt);
  const data = compact({
    ...about,
    rail,
    presenceId: presence.id,
    approvals: presence.approvals,
    approvalExpiresAt: approvalTokenExpiresAt,
  });
  const event = { eventType: 'CART_VALIDATED', actorDid: agent.did, data } as const;
  const verdict = yield* recordVerdict(deps, tenantId, event, approved.formats, now);
  return compact({
    allowed: true as const,
    approvalToken,
    approvalTokenExpiresAt,
    railDecision: {
      rail,
      reason: reasonFor(rail, policy.compiled.rules.rails?.priorities),
      merchantConnected: binding?.railAccountId !== undefined,
      expiresAt: approvalTokenExpiresAt,
    },
    cartHash: cart.hash,
    verdict,
  });
}

function tokenRow(
  key: string,
  { intent, agent, binding, presence, paying, print }: JudgedPurchase,
  { cart, hpProof, rail }: ApprovedCart,
  { now, expiresAt }: { readonly now: number; readonly expiresAt: number },
): ApprovalTokenRow {
  return {
    token_hash: key,
    tenant_id: intent.tenant_id,
    intent_id: intent.mandate_id,
    agent_did: agent.did,
    status: 'LIVE',
    cart_hash: cart.hash,
    cart: cart.text,
    amount_minor: cart.totalMinor,
    currency: cart.currency,
    merchant: String(cart.merchant),
    rail,
    rail_account_id: binding?.railAccountId ?? null,
    presence_id: presence.id ?? null,
    hp_proof: presence.id === undefined ? null : canonical(hpProof),
    // What a person was shown, or a mandate names, is paid with, and nothing else.
    paying: presence.id === undefined && cart.isMandated !== true ? null : JSON.stringify(paying),
    print,
    description: describeItems(cart.items),
    created_at: now,
    expires_at: expiresAt,
  };
}

/** From the approval on the purchase holds the cart's total, at its merchant; its maximum again where the approval ends unused. */
function* holdCart(
  { intent, terms }: JudgedPurchase,
  { merchant, totalMinor }: ParsedCart,
  until: number,
): Script<void> {
  const hold = {
    held_minor: totalMinor,
    held_merchant: merchant ?? null,
    held_mcc: terms.mcc ?? null,
  };
  const first = { held_minor: intent.max_minor, held_merchant: intent.merchant_domain, held_mcc: intent.mcc };
  // Where the cart holds all of what the intent does, nothing is to be given back.
  const held = { ...intent, ...hold, held_until: isSameHold(hold, first) ? null : until };
  const isSame = isSameHold(hold, intent);
  if (isSame && held.held_until === intent.held_until) return;
  yield* updateHold(held);
  if (!isSame) yield* moveHold(intent, held);
}

type Hold = Pick<IntentRow, 'held_minor' | 'held_merchant' | 'held_mcc'>;

function isSameHold(one: Hold, other: Hold): boolean {
  return (
    one.held_minor === other.held_minor && one.held_merchant === other.held_merchant && one.held_mcc === other.held_mcc
  );
}

function reasonFor(rail: string, priorities: readonly string[] | undefined): string {
  return priorities?.includes(rail)
    ? 'first usable rail by policy priority'
    : 'first configured rail the policy allows';
}
