/** An agent tells what became of a payment by HTTP: the merchant's receipt, or that none came. */
import { SettlementReport } from '../../../protocol/httpPayment.ts';
import { Payment } from '../../../protocol/payment.ts';
import { findSentPayment, recordNote, recordPaid } from '../../domain/httpPayments/settlement.ts';
import { offerOf, protocolOf } from '../../domain/payments/answerHttpPayment.ts';
import { lookUpAtRail } from '../../domain/payments/askRail.ts';
import { cancelAtRail } from '../../domain/payments/cancelAtRail.ts';
import { reconcileWithRail } from '../../domain/payments/convergePayment.ts';
import { requirePayment } from '../../domain/payments/loadPayment.ts';
import { loadPaymentAnswer } from '../../domain/payments/showPayment.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { inSteps, useCase, writeLogged } from '../../usecase/useCase.ts';

export const settleHttpPayment = useCase({
  summary: 'Tells what became of a payment by HTTP, and shows the payment as it stands then.',
  input: SettlementReport,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inSteps(async (deps, caller, input: SettlementReport) => {
    const sent = await deps.store.read(() => findSentPayment(caller, input));
    const protocol = protocolOf(deps, sent.row.protocol);
    const claim = await protocol.readReport(offerOf(sent.row), input, sent.payment, deps);
    const { tenant_id: tenantId, mandate_id: mandateId } = sent.payment;
    await writeLogged(deps, tenantId, function* (own, now) {
      const standing = yield* findSentPayment(caller, { ...input, mandateId });
      if (claim.kind === 'paid') yield* recordPaid(own, standing, claim, now);
      else yield* recordNote(own, standing, claim, now);
    });
    if (claim.kind !== 'paid') await lookAfter(deps, sent.payment, claim.kind === 'unpaid');
    return deps.store.read(function* () {
      const payment = requirePayment(caller, yield* findPayment(tenantId, mandateId), mandateId);
      return yield* loadPaymentAnswer(payment);
    });
  }),
});

/** What the merchant says is no proof: the rail takes back what it made, or shows that it was used. */
async function lookAfter(
  deps: Parameters<typeof lookUpAtRail>[0],
  payment: PaymentRow,
  isUnpaid: boolean,
): Promise<void> {
  const { tenant_id: tenantId, mandate_id: mandateId, rail, rail_id: railId } = payment;
  if (isUnpaid && deps.rails.get(rail)?.gate?.cancels === true) {
    await cancelAtRail(deps, payment);
    return;
  }
  if (railId === null) return;
  const lookup = await lookUpAtRail(deps, rail, railId, payment, deps.stopping);
  if (lookup.kind !== 'found') return;
  await writeLogged(deps, tenantId, function* (own, now) {
    const before = yield* findPayment(tenantId, mandateId);
    if (before === undefined) return;
    yield* reconcileWithRail(own, before, { before: payment, snapshot: lookup.snapshot }, now);
  });
}
