/** A merchant's signature with an id of its own serves the agent, and the context, that brought it first. */
import { findBringer, insertCartSignature } from '../../store/statements/purchases/cartSignatures.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';

export interface CartSignature {
  /** The hash of its id: the merchant chooses the text. */
  readonly jtiHash: string;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** @returns one sentence where another caller has brought it before */
export function* claimSignature(
  intent: IntentRow,
  merchant: string,
  { jtiHash, endsAt }: CartSignature,
): Script<string | undefined> {
  const { tenant_id: tenantId, agent_did: agentDid, context_id: contextId } = intent;
  const broughtBy = `${agentDid} ${contextId ?? ''}`;
  const first = yield* findBringer(tenantId, merchant, jtiHash);
  if (first !== undefined) {
    return first === broughtBy
      ? undefined
      : "The merchant's signature came in another context before; its jti serves one.";
  }
  yield* insertCartSignature({
    tenant_id: tenantId,
    merchant,
    jti_hash: jtiHash,
    brought_by: broughtBy,
    ends_at: endsAt,
  });
  return undefined;
}
