/** Capture, cancel and refund. */
import { z } from 'zod';
import { ExternalEvidence, evidenceFacts, requireHappened } from '../../../protocol/external/reservation.ts';
import { IdempotencyKey } from '../../../protocol/intent.ts';
import { formatMoney } from '../../../protocol/money.ts';
import { Payment, type PaymentStatus } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { requirePayment } from '../../domain/payments/loadPayment.ts';
import { accountOf, captureEndOf, openAttempt } from '../../domain/payments/railAttempt.ts';
import { type AttemptOrOutput, throughRail } from '../../domain/payments/throughRail.ts';
import { minorAt } from '../../domain/purchases/purchaseFacts.ts';
import type { RailRequest } from '../../rails/rail.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { countAttempts, findOpenAttempt } from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { type Run, useCase } from '../../usecase/useCase.ts';

const Operation = z.object({ mandateId: z.string(), idempotencyKey: IdempotencyKey.optional() });
const OperationWithAmount = Operation.extend({ amount: z.number().optional() });
const Refund = OperationWithAmount.extend({
  evidence: ExternalEvidence.optional().describe(
    'Of a payment that was made elsewhere: what shows that money came back. A rail tells it itself.',
  ),
});
type OperationInput = z.output<typeof OperationWithAmount> & { readonly evidence?: ExternalEvidence | undefined };

interface OperationRule {
  readonly operation: 'capture' | 'cancel' | 'refund';
  /** States a payment may be in. */
  readonly from: readonly PaymentStatus[];
  /** The most it may be about, in minor units. */
  most(payment: PaymentRow): number;
  readonly limitName: string;
}

export const capturePayment = operation('Captures the authorized amount, or part of it.', OperationWithAmount, {
  operation: 'capture',
  from: ['AUTHORIZED'],
  most: (payment) => payment.amount_minor,
  limitName: 'authorized',
});

export const cancelPayment = operation('Cancels an authorization and releases what it reserved.', Operation, {
  operation: 'cancel',
  from: ['AUTHORIZED'],
  most: (payment) => payment.amount_minor,
  limitName: 'authorized',
});

export const refundPayment = operation('Refunds the captured amount, or part of it.', Refund, {
  operation: 'refund',
  // The rail says whether a disputed payment can still be refunded.
  from: ['CAPTURED', 'PARTIALLY_REFUNDED', 'DISPUTED'],
  most: (payment) => payment.captured_minor - payment.refunded_minor,
  limitName: 'captured and not yet refunded',
});

function operation<Input extends OperationInput>(summary: string, input: z.ZodType<Input>, rule: OperationRule) {
  return useCase({
    summary,
    input,
    output: Payment,
    permission: 'write',
    faults: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    run: operate(rule),
  });
}

function loadOperated(_deps: unknown, { tenantId }: Caller, { mandateId }: OperationInput) {
  return { payment: findPayment(tenantId, mandateId), open: findOpenAttempt(tenantId, mandateId) };
}

/** @throws Fault CONFLICT for a payment in another state, captured too late, or with an operation under way, BAD_REQUEST for too much */
function operate(rule: OperationRule): Run<OperationInput, Payment> {
  return throughRail(
    loadOperated,
    function* (deps, caller, input: OperationInput, now, { payment: found, open }): Script<AttemptOrOutput<Payment>> {
      const payment = requirePayment(caller, found, input.mandateId);
      requireAsked(deps, rule, payment);
      if (!rule.from.includes(payment.status)) {
        throw new Fault('CONFLICT', `A payment that is ${payment.status} cannot be put to ${rule.operation}.`);
      }
      if (rule.operation === 'capture') requireInTime(payment, now);
      if (open !== undefined) throw new Fault('CONFLICT', `A ${open.operation} of this payment is still under way.`);
      const amountMinor = amountOf(rule, payment, input.amount);
      const account = yield* accountOf(payment);
      const ordinal = yield* countAttempts(caller.tenantId, payment.mandate_id);
      const key = `${payment.mandate_id}:${rule.operation}:${ordinal}`;
      requireHappened('evidence.occurredAt', input.evidence?.occurredAt, now);
      const evidence = evidenceOf(deps, payment, input);
      const asked = { key, operation: rule.operation, request: { amountMinor, account, evidence } };
      return { attempt: yield* openAttempt(deps, payment, asked, now), rail: payment.rail };
    },
  );
}

/** @throws Fault CONFLICT for what the merchant does, who was paid with what the rail made, and for what no rail can take back */
function requireAsked({ rails }: Pick<Deps, 'rails'>, { operation }: OperationRule, { rail }: PaymentRow): void {
  const gate = rails.get(rail)?.gate;
  if (gate === undefined || (operation === 'cancel' && gate.cancels)) return;
  if (gate.isElsewhere === true) {
    // What came back is recorded; what was paid, or was not, has words of its own.
    if (operation === 'refund') return;
    const told = operation === 'capture' ? 'a commit' : 'a release';
    throw new Fault(
      'CONFLICT',
      `No ${operation} of a payment by ${rail}: it is made elsewhere, and ${told} of its reservation tells what became of it.`,
    );
  }
  const reason =
    operation === 'cancel' ? 'nothing takes back what it has signed' : `the merchant does that, which it pays`;
  throw new Fault('CONFLICT', `No ${operation} of a payment by ${rail}: ${reason}.`);
}

/** What shows a refund of a payment elsewhere. @throws Fault BAD_REQUEST for one of a rail, which tells it itself */
function evidenceOf(
  { rails }: Pick<Deps, 'rails'>,
  { rail }: PaymentRow,
  { evidence }: OperationInput,
): RailRequest['evidence'] {
  if (evidence === undefined) return undefined;
  if (rails.get(rail)?.gate?.isElsewhere === true) return { ...evidenceFacts(evidence) } as Record<string, string>;
  const message = `must be absent: ${rail} itself tells what came back`;
  throw new Fault('BAD_REQUEST', `The evidence ${message}.`, [{ path: 'evidence', message }]);
}

/** @throws Fault CONFLICT once the time is over that the mandate gives; the hold is canceled then */
function requireInTime(payment: PaymentRow, now: number): void {
  const end = captureEndOf(payment);
  if (end > now) return;
  throw new Fault('CONFLICT', `This payment could be captured until ${isoTime(end)}; it has to be bought anew.`);
}

/** The amount asked for in minor units, or all there is. @throws Fault BAD_REQUEST for more than there is */
function amountOf(rule: OperationRule, payment: PaymentRow, asked: number | undefined): number {
  const most = rule.most(payment);
  if (asked === undefined) return most;
  const amountMinor = minorAt('amount', asked, payment.currency);
  if (amountMinor <= most) return amountMinor;
  const message = `must be at most the ${formatMoney(most, payment.currency)} ${rule.limitName}`;
  throw new Fault('BAD_REQUEST', `The amount ${message}.`, [{ path: 'amount', message }]);
}
