/** Lists disputes: those of an agent, or all of the tenant's, newest first. A payment shows its own. */
import { Did } from '../../../protocol/credential/did.ts';
import { sumText, toMinor } from '../../../protocol/money.ts';
import { DisputeRecord, DisputeStatus } from '../../../protocol/payment.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { showDisputeRecord } from '../../domain/payments/showPayment.ts';
import { listDisputes as selectDisputes } from '../../store/statements/purchases/disputes.ts';
import { byAgent, byId, listing } from '../../usecase/list/listing.ts';

const ListDisputes = PageRequest.extend({
  status: DisputeStatus.optional(),
  agentDid: Did.optional(),
});

export const listDisputes = listing({
  summary: 'Lists disputes of payments, and banks’ inquiries, newest first.',
  input: ListDisputes,
  item: DisputeRecord,
  permission: 'read',
  own: byAgent,
  order: byId,
  select: ({ tenantId }, filter, before, limit) => selectDisputes(tenantId, filter, before, limit),
  show: showDisputeRecord,
  csv: {
    fileName: 'disputes.csv',
    columns: {
      openedAt: ({ openedAt }) => openedAt,
      status: ({ status }) => status,
      amount: ({ amount, currency }) => sumText(BigInt(toMinor(amount, currency, { allowZero: true })), currency),
      currency: ({ currency }) => currency,
      reason: ({ reason }) => reason,
      dueBy: ({ dueBy }) => dueBy,
      closedAt: ({ closedAt }) => closedAt,
      id: ({ id }) => id,
      railDisputeId: ({ railDisputeId }) => railDisputeId,
      mandateId: ({ mandateId }) => mandateId,
      agentDid: ({ agentDid }) => agentDid,
    },
  },
});
