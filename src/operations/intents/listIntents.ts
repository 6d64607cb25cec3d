/** Shows intents: one, or the tenant's newest first. */

import { z } from 'zod';
import { Did } from '../../../protocol/credential/did.ts';
import {
  type IntentRecord,
  IntentRecord as IntentRecordSchema,
  IntentStatus,
  type IntentSummary,
  IntentSummary as IntentSummarySchema,
  intentStatusAt,
} from '../../../protocol/intent.ts';
import { amountFilters, fromMinor } from '../../../protocol/money.ts';
import { MerchantDomain } from '../../../protocol/policy/values/domain.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { inTimeOrder, isoTime, Time } from '../../../protocol/wire/time.ts';
import { actsFor } from '../../access/caller.ts';
import { amountsOf, shoppingOf } from '../../domain/purchases/purchaseFacts.ts';
import { listTransaction } from '../../store/statements/evidence/events.ts';
import {
  findIntent,
  type IntentRow,
  isIntentWalk,
  listIntents as selectIntents,
} from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import { byAgent, byMandateId, listing } from '../../usecase/list/listing.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

const GetIntent = z.object({ mandateId: z.string() });

export const getIntent = useCase({
  summary: 'Shows one intent.',
  input: GetIntent,
  output: IntentRecordSchema,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetIntent>, IntentRecord>(function* (_deps, caller, { mandateId }, now) {
    const intent = yield* findIntent(caller.tenantId, mandateId);
    if (intent === undefined || !actsFor(caller, intent.agent_did)) {
      throw new Fault('NOT_FOUND', `There is no intent ${mandateId}.`);
    }
    return compact({
      ...summarize(intent, now),
      reason: yield* reasonOf(intent),
      principalDid: intent.principal_did,
      merchantDomain: intent.merchant_domain ?? undefined,
      ...shoppingOf(intent),
      delegationId: intent.delegation_id ?? undefined,
      transactionId: intent.transaction_id,
      intentVc: JSON.parse(intent.credential),
      attestation: {
        policyId: intent.policy_id,
        policyVersion: intent.policy_version,
        policyHash: intent.policy_hash,
      },
    });
  }),
});

/** Why it ended before its time, as its event says. */
function* reasonOf({ tenant_id, transaction_id, mandate_id, status }: IntentRow): Script<IntentRecord['reason']> {
  if (status !== 'EXPIRED') return undefined;
  const events = (yield* listTransaction(tenant_id, transaction_id)).filter(
    (row) => row.event_type === 'INTENT_EXPIRED',
  );
  const ended = events.map(({ data }) => JSON.parse(data)).find(({ mandateId }) => mandateId === mandate_id);
  return IntentRecordSchema.shape.reason.safeParse(ended?.reason).data;
}

const ListIntents = inTimeOrder(
  PageRequest.extend({
    status: IntentStatus.optional(),
    agentDid: Did.optional(),
    merchant: MerchantDomain.optional().describe('The merchant that the intent names, by its domain.'),
    from: Time.optional(),
    to: Time.optional(),
    ...amountFilters,
  }),
);

export const listIntents = listing({
  summary: 'Lists intents, newest first.',
  input: ListIntents,
  item: IntentSummarySchema,
  permission: 'read',
  own: byAgent,
  order: byMandateId,
  isLong: (filter) => isIntentWalk({ ...filter, amount: amountsOf(filter) }),
  select: ({ tenantId }, filter, before, limit, now) =>
    selectIntents(tenantId, { ...filter, amount: amountsOf(filter) }, before, limit, now),
  show: summarize,
});

function summarize(intent: IntentRow, now: number): IntentSummary {
  return {
    mandateId: intent.mandate_id,
    status: intentStatusAt({ status: intent.status, expiresAt: intent.expires_at }, now),
    agentDid: intent.agent_did,
    maxAmount: fromMinor(intent.max_minor, intent.currency),
    currency: intent.currency,
    createdAt: isoTime(intent.created_at),
    expiresAt: isoTime(intent.expires_at),
  };
}
