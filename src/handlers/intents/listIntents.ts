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
import { fromMinor } from '../../../protocol/money.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Page, PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import { findIntent, type IntentRow, listIntents as selectIntents } from '../../store/statements/purchases/intents.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneRead, useCase } from '../core/useCase.ts';

const GetIntent = z.object({ mandateId: z.string() });

export const getIntent = useCase({
  summary: 'Shows one intent.',
  input: GetIntent,
  output: IntentRecordSchema,
  permission: 'read',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetIntent>, IntentRecord>(function* (_deps, caller, { mandateId }, now) {
    const intent = yield* findIntent(caller.tenantId, mandateId);
    if (intent === undefined || (caller.did !== undefined && caller.did !== intent.agent_did)) {
      throw new Fault('NOT_FOUND', `There is no intent ${mandateId}.`);
    }
    return {
      ...summarize(intent, now),
      principalDid: intent.principal_did,
      ...(intent.merchant_domain === null ? {} : { merchantDomain: intent.merchant_domain }),
      transactionId: intent.transaction_id,
      intentVc: JSON.parse(intent.credential),
      attestation: {
        policyId: intent.policy_id,
        policyVersion: intent.policy_version,
        policyHash: intent.policy_hash,
      },
    };
  }),
});

const ListIntents = PageRequest.extend({ status: IntentStatus.optional(), agentDid: Did.optional() });

export const listIntents = useCase({
  summary: 'Lists intents, newest first.',
  input: ListIntents,
  output: pageOf(IntentSummarySchema),
  permission: 'read',
  run: inOneRead<z.output<typeof ListIntents>, Page<IntentSummary>>(function* (_deps, caller, input, now) {
    const agentDid = caller.did ?? input.agentDid;
    const before = positionOf(z.string(), input.cursor);
    const filter = { status: input.status, agentDid };
    const rows = yield* selectIntents(caller.tenantId, filter, before, input.limit + 1, now);
    return toPage(
      rows,
      input.limit,
      (row) => summarize(row, now),
      (row) => row.mandate_id,
    );
  }),
});

function summarize(intent: IntentRow, now: number): IntentSummary {
  return {
    mandateId: intent.mandate_id,
    status: intentStatusAt({ status: intent.status, expiresAt: intent.expires_at }, now),
    agentDid: intent.agent_did,
    maxAmount: fromMinor(intent.max_minor, intent.currency),
    currency: intent.currency,
    createdAt: new Date(intent.created_at).toISOString(),
    expiresAt: new Date(intent.expires_at).toISOString(),
  };
}
