/** What accounting takes of payments besides what is shown of each: whose money, which category, by what name, and when it moved. */
import type { Payment } from '../../../protocol/payment.ts';
import { listPaymentEvents } from '../../store/statements/evidence/events.ts';
import { findPaymentHolders, type PaymentHolder } from '../../store/statements/purchases/payments.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { findPrincipal } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';

/** When money moved last, in milliseconds since the epoch. */
interface PaymentDates {
  readonly captured?: number;
  readonly refunded?: number;
}

export interface AccountingFacts {
  /** By their mandates. */
  readonly payments: ReadonlyMap<string, PaymentHolder>;
  readonly dates: ReadonlyMap<string, PaymentDates>;
  /** Names by DID; a mere name stands for itself. */
  readonly agents: ReadonlyMap<string, string>;
  readonly principals: ReadonlyMap<string, string>;
}

const MOVES = { PAYMENT_CAPTURED: 'captured', PAYMENT_REFUNDED: 'refunded' } as const;

export function* loadAccountingFacts(
  tenantId: string,
  shown: readonly Pick<Payment, 'mandateId' | 'agentDid' | 'transactionId'>[],
): Script<AccountingFacts> {
  if (shown.length === 0) return { payments: new Map(), dates: new Map(), agents: new Map(), principals: new Map() };
  const ids = shown.map(({ mandateId }) => mandateId);
  const found = yield* findPaymentHolders(tenantId, ids);
  const agents = new Map<string, string>();
  for (const did of new Set(shown.map(({ agentDid }) => agentDid))) {
    const agent = yield* findAgent(tenantId, did);
    if (agent !== undefined) agents.set(did, agent.display_name);
  }
  const principals = new Map<string, string>();
  for (const did of new Set(found.map((row) => row.principal_did))) {
    principals.set(did, (yield* findPrincipal(tenantId, did))?.name ?? did);
  }
  const dates = new Map<string, PaymentDates>();
  const transactions = [...new Set(shown.map(({ transactionId }) => transactionId))];
  for (const event of yield* listPaymentEvents(tenantId, transactions, Object.keys(MOVES))) {
    const { mandateId } = JSON.parse(event.data) as { readonly mandateId?: string };
    const move = MOVES[event.event_type as keyof typeof MOVES];
    if (mandateId !== undefined) dates.set(mandateId, { ...dates.get(mandateId), [move]: event.created_at });
  }
  return { payments: new Map(found.map((row) => [row.mandate_id, row])), dates, agents, principals };
}
