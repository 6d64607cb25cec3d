/**
 * An approval token becomes a signed payment mandate, and the rail is asked to hold the money. Token, mandate and
 * attempt are on disk before the rail hears of them.
 */
import { PaymentRequest, PaymentResult } from '../../../protocol/payment.ts';
import { withOpenList } from '../../domain/credentials/handOut.ts';
import { judgePayment, loadApproved } from '../../domain/payments/judgePayment.ts';
import { throughRail } from '../../domain/payments/throughRail.ts';
import { decision } from '../../usecase/useCase.ts';

export const mandatePayment = decision({
  summary: 'Exchanges an approval token for a signed payment mandate and asks the rail to authorize the payment.',
  input: PaymentRequest,
  output: PaymentResult,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  secretAnswer: true,
  run: withOpenList(throughRail(loadApproved, judgePayment)),
});
