/** Why an intent cannot pay at a merchant, by what the node knows itself: then nothing is fetched from the merchant's site. */
import { findMismatch } from '../../../protocol/cart.ts';
import { intentStatusAt } from '../../../protocol/intent.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import { loadAgent } from '../agents/loadAgent.ts';
import { shoppingOf } from '../purchases/purchaseFacts.ts';

/** @param name as the merchant signed it; undefined where its cart has none */
export function* findObstacle(
  intent: IntentRow,
  merchant: string,
  name: string | undefined,
  now: number,
): Script<string | undefined> {
  const status = intentStatusAt({ status: intent.status, expiresAt: intent.expires_at }, now);
  if (status !== 'ACTIVE') return `the intent is ${status}`;
  const agent = yield* loadAgent(intent.tenant_id, intent.agent_did);
  if (agent.status !== 'ACTIVE') return `the agent is ${agent.status}`;
  const { merchants } = shoppingOf(intent);
  const merchantDomain = intent.merchant_domain ?? undefined;
  if (findMismatch({ merchantDomain, merchants }, merchant, name) === undefined) return undefined;
  return `the intent names ${merchantDomain ?? merchants?.join(', ')}`;
}
