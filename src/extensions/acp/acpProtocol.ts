/** How a shop of ACP is answered, and what it tells then. A session is no answer of a 402: it is read by its own operation. */
import { readCompletion } from '../../../protocol/acp/completionReport.ts';
import { paymentDataOf } from '../../../protocol/acp/sessionOffer.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { PaymentProtocol } from '../../usecase/paymentProtocol.ts';

/** What is kept of a session. */
export interface AcpRecord {
  readonly sessionId: string;
  readonly handlerId: string;
}

/** A session is no answer of a 402, so that no offer is read of one. */
export const acpProtocol: PaymentProtocol = {
  name: 'acp',
  rail: 'SPT_RAIL',
  attests: 'rail',
  *readOffers() {
    return { offers: [], others: [] };
  },
  answer({ received }, credential) {
    const { handlerId } = received as unknown as AcpRecord;
    const paymentData = paymentDataOf(handlerId, credential);
    return { send: { body: { payment_data: paymentData } }, paymentData };
  },
  readReport({ received }, report, { merchant }) {
    const { sessionId } = received as unknown as AcpRecord;
    const claim = readCompletion(report, sessionId, merchant);
    if (claim.kind === 'refused') {
      const { path, reason } = claim;
      throw new Fault('BAD_REQUEST', `${path} ${reason}.`, [{ path, message: reason }]);
    }
    if (claim.kind !== 'paid') return claim;
    return compact({ kind: 'paid' as const, reference: claim.reference, receipt: claim.order });
  },
};
