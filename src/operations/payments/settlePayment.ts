/** The owner says how a payment ended that its merchant settles, or has seen how it did, where neither the rail nor a chain can be asked any more. */
import { z } from 'zod';
import { formatMoney } from '../../../protocol/money.ts';
import { Payment } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { actedBy, recordNodeEvent } from '../../domain/evidence/recordEvent.ts';
import { requirePayment } from '../../domain/payments/loadPayment.ts';
import { canceled, captured, transition, unflagPayment } from '../../domain/payments/recordOutcome.ts';
import { loadPaymentAnswer } from '../../domain/payments/showPayment.ts';
import { minorAt, paymentFacts } from '../../domain/purchases/purchaseFacts.ts';
import { saveExternalAmount } from '../../store/statements/purchases/externalPayments.ts';
import { findHttpPayment } from '../../store/statements/purchases/httpPayments.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { closeRailAttempt, findOpenAttempt } from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const SettlePayment = z.strictObject({
  mandateId: z.string(),
  status: z
    .enum(['CAPTURED', 'CANCELED'])
    .describe(
      'Whether the money was taken; CANCELED frees it. One that has ended, and is left to a person, keeps its end.',
    ),
  amount: z.number().optional().describe('What was taken; all that was authorized when absent.'),
  note: z.string().trim().min(1).max(500).describe('How the owner knows; it stands in the evidence.'),
});

export const settlePayment = useCase({
  summary: 'Says how a payment ended that its merchant settles, where nothing can be asked about it any more.',
  input: SettlePayment,
  output: Payment,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof SettlePayment>, Payment>(function* (
    deps: HookDeps & Pick<Deps, 'rails'>,
    caller,
    input,
    { now },
  ) {
    const { mandateId, status, note } = input;
    if (input.amount !== undefined && status === 'CANCELED') throw noAmount();
    const payment = requirePayment(caller, yield* findPayment(caller.tenantId, mandateId), mandateId);
    const isElsewhere = deps.rails.get(payment.rail)?.gate?.isElsewhere === true;
    const isTold = isElsewhere || (yield* findHttpPayment(caller.tenantId, mandateId)) !== undefined;
    // What was released of a payment elsewhere may have been paid all the same.
    const isLate = isElsewhere && payment.status === 'CANCELED' && status === 'CAPTURED';
    const isOpen = payment.status === 'AUTHORIZED' || (isElsewhere && payment.status === 'UNKNOWN');
    if (isTold && !isOpen && !isLate && payment.attention !== null)
      return yield* loadPaymentAnswer(yield* confirm(deps, caller, { payment, input, isElsewhere }, now));
    if (!isTold || !(isOpen || isLate)) {
      const message =
        'Only a payment that a server asked for by HTTP, or that is made elsewhere, and that is open or left to a person, is settled by its owner.';
      throw new Fault('CONFLICT', isTold ? `${message} This one is ${payment.status}.` : message);
    }
    const amountMinor =
      input.amount === undefined ? payment.amount_minor : minorAt('amount', input.amount, payment.currency);
    // The node asks no more: what comes later from the rail or the chain is compared with the owner's word, and left to a person.
    const open = yield* findOpenAttempt(caller.tenantId, mandateId);
    if (open !== undefined) yield* closeRailAttempt(open.attempt_key, null);
    const change =
      status === 'CANCELED'
        ? canceled(payment, 'owner', isElsewhere)
        : captured(payment, amountMinor, now, isElsewhere);
    if (change === undefined) throw new Error('what is authorized can be captured');
    if (isElsewhere && status === 'CAPTURED') yield* saveExternalAmount(caller.tenantId, mandateId, amountMinor);
    const facts = { ...change.facts, note, by: actedBy(caller) };
    const settled = yield* transition(deps, payment, { ...change, facts, attested: 'owner' }, now);
    return yield* loadPaymentAnswer(settled);
  }),
});

interface ConfirmedPayment {
  readonly payment: PaymentRow;
  readonly input: z.output<typeof SettlePayment>;
  readonly isElsewhere: boolean;
}

/**
 * The owner has seen what was left to them of a payment that has ended: it stays as it is.
 * @throws Fault CONFLICT for another end, or another amount, than it has
 */
function* confirm(
  deps: HookDeps,
  caller: Caller,
  { payment, input: { status, amount, note }, isElsewhere }: ConfirmedPayment,
  now: number,
): Script<PaymentRow> {
  const { currency, captured_minor: told, mandate_id: mandateId } = payment;
  const isSame = (payment.status === 'CANCELED') === (status === 'CANCELED');
  if (!isSame || (amount !== undefined && minorAt('amount', amount, currency) !== told)) {
    const how = `This one is ${payment.status}, with ${formatMoney(told, currency)} paid`;
    const more = isElsewhere ? `; what was paid beyond that is reserved with tops ${mandateId}` : '';
    throw new Fault('CONFLICT', `A payment that has ended is settled as it is. ${how}${more}.`);
  }
  const data = { ...paymentFacts(payment), note, by: actedBy(caller), attested: 'owner' };
  yield* recordNodeEvent(deps, payment.tenant_id, 'PAYMENT_NOTED', data, now);
  return yield* unflagPayment(payment);
}

function noAmount(): Fault {
  const message = 'is of a payment that was taken; of one that was not, nothing was';
  return new Fault('BAD_REQUEST', `amount ${message}.`, [{ path: 'amount', message }]);
}
