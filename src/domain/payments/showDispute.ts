/** A dispute as callers see it. */

import { fromMinor } from '../../../protocol/money.ts';
import type { Dispute, DisputeRecord } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { DisputeRow } from '../../store/statements/purchases/disputes.ts';

export function showDispute(row: DisputeRow): Dispute {
  return compact({
    id: row.id,
    railDisputeId: row.rail_dispute_id,
    amount: fromMinor(row.amount_minor, row.currency),
    currency: row.currency,
    reason: row.reason ?? undefined,
    status: row.status,
    dueBy: isoTime(row.due_by),
    openedAt: isoTime(row.opened_at),
    closedAt: isoTime(row.closed_at),
  });
}

export function showDisputeRecord(row: DisputeRow): DisputeRecord {
  return { ...showDispute(row), mandateId: row.mandate_id, agentDid: row.agent_did };
}
