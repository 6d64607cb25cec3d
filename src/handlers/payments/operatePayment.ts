/** Capture, cancel and refund: one commit to say what will be asked, the rail, one commit for what it answered. */
import { z } from 'zod';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { IdempotencyKey } from '../../../protocol/intent.ts';
import { formatMoney } from '../../../protocol/money.ts';
import { Payment, type PaymentStatus } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { RailRequest } from '../../rails/rail.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import {
  countAttempts,
  findOpenAttempt,
  findRailAttempt,
  insertRailAttempt,
  type RailAttemptRow,
} from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { minorAt } from '../core/minorAmount.ts';
import { type Run, useCase } from '../core/useCase.ts';
import { askRail, claimedUntil } from './askRail.ts';
import { loadPayment } from './listPayments.ts';
import { recordOutcome } from './recordOutcome.ts';
import { showPayment } from './showPayment.ts';

const Operation = z.object({ mandateId: z.string(), idempotencyKey: IdempotencyKey.optional() });
const OperationWithAmount = Operation.extend({ amount: z.number().optional() });
type OperationInput = z.output<typeof OperationWithAmount>;

interface OperationRule {
  readonly operation: 'capture' | 'cancel' | 'refund';
  /** States a payment may be in. */
  readonly from: readonly PaymentStatus[];
  /** The most it may be about, in minor units. */
  most(payment: PaymentRow): number;
  readonly limitName: string;
}

export const capturePayment = useCase({
  summary: 'Takes the authorized amount, or part of it.',
  input: OperationWithAmount,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: operate({
    operation: 'capture',
    from: ['AUTHORIZED'],
    most: (payment) => payment.amount_minor,
    limitName: 'authorized',
  }),
});

export const cancelPayment = useCase({
  summary: 'Lets go of an authorization and of what it reserved.',
  input: Operation,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: operate({
    operation: 'cancel',
    from: ['AUTHORIZED'],
    most: (payment) => payment.amount_minor,
    limitName: 'authorized',
  }),
});

export const refundPayment = useCase({
  summary: 'Gives the captured amount back, or part of it.',
  input: OperationWithAmount,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: operate({
    operation: 'refund',
    from: ['CAPTURED', 'PARTIALLY_REFUNDED'],
    most: (payment) => payment.captured_minor - payment.refunded_minor,
    limitName: 'captured and not yet refunded',
  }),
});

function operate(rule: OperationRule): Run<OperationInput, Payment> {
  return async (deps, caller, input, envelope) => {
    const begun = await deps.store.write(caller.tenantId, function* () {
      const now = deps.clock();
      const stored = yield* envelope.open(now);
      if (stored !== undefined) return { wire: stored };
      const attempt = yield* begin(deps, caller, input, rule, now);
      yield* envelope.mark(attempt.row.attempt_key, now);
      return attempt;
    });
    if ('wire' in begun) return begun;
    const outcome = await askRail(deps, begun.rail, begun.row);
    const settled = await deps.store.write(caller.tenantId, function* () {
      const now = deps.clock();
      const payment = yield* recordOutcome(deps, caller.tenantId, begun.row.attempt_key, outcome, now);
      if (outcome.kind === 'declined' || outcome.kind === 'actionRequired') {
        yield* envelope.release();
        return { declined: outcome.message };
      }
      const output = showPayment(payment);
      return { wire: yield* envelope.close(output, now), output };
    });
    if ('declined' in settled) throw new Fault('CONFLICT', `The rail refused: ${settled.declined}`);
    return settled;
  };
}

function* begin(
  deps: Deps,
  caller: Caller,
  input: OperationInput,
  rule: OperationRule,
  now: number,
): Script<{ readonly row: RailAttemptRow; readonly rail: string }> {
  const payment = yield* loadPayment(caller, input.mandateId);
  if (!rule.from.includes(payment.status)) {
    throw new Fault('CONFLICT', `A payment that is ${payment.status} cannot be put to ${rule.operation}.`);
  }
  const open = yield* findOpenAttempt(caller.tenantId, payment.mandate_id);
  if (open !== undefined) throw new Fault('CONFLICT', `A ${open.operation} of this payment is still under way.`);
  const most = rule.most(payment);
  const amountMinor = input.amount === undefined ? most : minorAt('amount', input.amount, payment.currency);
  if (amountMinor > most) {
    const message = `must be at most the ${formatMoney(most, payment.currency)} ${rule.limitName}`;
    throw new Fault('BAD_REQUEST', `The amount ${message}.`, [{ path: 'amount', message }]);
  }
  const account = yield* accountOf(payment);
  const request: RailRequest = {
    amountMinor,
    currency: payment.currency,
    merchant: payment.merchant,
    ...(payment.rail_id === null ? {} : { railId: payment.rail_id }),
    ...(account === undefined ? {} : { account }),
    mandateId: payment.mandate_id,
    intentId: payment.intent_id,
    transactionId: payment.transaction_id,
  };
  const ordinal = yield* countAttempts(caller.tenantId, payment.mandate_id);
  const row: RailAttemptRow = {
    attempt_key: `${payment.mandate_id}:${rule.operation}:${ordinal}`,
    tenant_id: caller.tenantId,
    payment_id: payment.mandate_id,
    operation: rule.operation,
    parameters: canonical(request),
    state: 'OPEN',
    tries: 0,
    node_id: deps.nodeId,
    next_at: claimedUntil(deps, now),
    created_at: now,
    flagged_at: null,
  };
  yield* insertRailAttempt(row);
  return { row, rail: payment.rail };
}

/** The merchant's account as it was when the payment was authorized, whatever the registry says now. */
function* accountOf(payment: PaymentRow): Script<string | undefined> {
  const authorization = yield* findRailAttempt(payment.mandate_id);
  return authorization && RailRequest.parse(JSON.parse(authorization.parameters)).account;
}
