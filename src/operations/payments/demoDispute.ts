/** The sandbox's card holder disputes a payment, and the bank decides it. */

import { z } from 'zod';
import { formatMoney } from '../../../protocol/money.ts';
import { Payment } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { loadPayment } from '../../domain/payments/loadPayment.ts';
import { loadPaymentAnswer } from '../../domain/payments/showPayment.ts';
import { minorAt } from '../../domain/purchases/purchaseFacts.ts';
import { recordDispute } from '../../domain/railEvents/recordDispute.ts';
import { type DisputeRow, disputesOf } from '../../store/statements/purchases/disputes.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const ANSWER_DAYS = 14;
const DAY_MS = 24 * 3600 * 1000;

const DemoDispute = z.object({
  mandateId: z.string(),
  amount: z
    .number()
    .optional()
    .describe('How much is disputed; without it, what was captured and is neither refunded nor disputed.'),
  reason: z.string().min(1).max(100).default('fraudulent'),
});

export const demoDispute = useCase({
  summary: 'Disputes a captured payment, or a part of it, as the sandbox’s card holder.',
  input: DemoDispute,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  sandboxOnly: true,
  run: inOneCommit<z.output<typeof DemoDispute>, Payment>(function* (
    deps: EventDeps & Pick<Deps, 'keys'>,
    caller,
    { mandateId, amount, reason },
    { now },
  ) {
    const payment = yield* loadInSandbox(deps, caller, mandateId);
    const amountMinor = disputedAmount(payment, amount);
    const opened = {
      status: 'needs_response',
      reopens: false,
      toldAt: now,
      dueBy: now + ANSWER_DAYS * DAY_MS,
    } as const;
    const report = { ...opened, railDisputeId: deps.newId('dp_'), amountMinor, currency: payment.currency, reason };
    return yield* loadPaymentAnswer(yield* recordDispute(deps, payment, report, now));
  }),
});

const DemoDisputeEnd = z.object({
  mandateId: z.string(),
  disputeId: z.string().optional().describe('Which one; without it, the oldest that is open.'),
  outcome: z.enum(['won', 'lost']).describe('As the merchant sees it.'),
});

export const demoDisputeEnd = useCase({
  summary: 'Decides a dispute of a payment, as the card holder’s bank.',
  input: DemoDisputeEnd,
  output: Payment,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  sandboxOnly: true,
  run: inOneCommit<z.output<typeof DemoDisputeEnd>, Payment>(function* (
    deps: EventDeps & Pick<Deps, 'keys'>,
    caller,
    { mandateId, disputeId, outcome },
    { now },
  ) {
    const payment = yield* loadInSandbox(deps, caller, mandateId);
    const dispute = openDispute(yield* disputesOf([payment]), disputeId);
    const decided = { status: outcome, reopens: false, toldAt: now, dueBy: undefined, reason: undefined } as const;
    const amount = { amountMinor: dispute.amount_minor, currency: dispute.currency };
    const report = { ...decided, ...amount, railDisputeId: dispute.rail_dispute_id };
    return yield* loadPaymentAnswer(yield* recordDispute(deps, payment, report, now));
  }),
});

function* loadInSandbox({ keys: { demo } }: Pick<Deps, 'keys'>, caller: Caller, mandateId: string): Script<PaymentRow> {
  if (demo === undefined) throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
  return yield* loadPayment(caller, mandateId);
}

/** @throws Fault CONFLICT where nothing is left that could be disputed, BAD_REQUEST for more than that */
function disputedAmount(payment: PaymentRow, asked: number | undefined): number {
  const { status, currency } = payment;
  const left = payment.captured_minor - payment.refunded_minor - payment.disputed_minor;
  if (left <= 0) throw new Fault('CONFLICT', `A payment that is ${status} cannot be disputed.`);
  if (asked === undefined) return left;
  const amountMinor = minorAt('amount', asked, currency);
  if (amountMinor <= left) return amountMinor;
  const message = `must be at most the ${formatMoney(left, currency)} captured and neither refunded nor disputed`;
  throw new Fault('BAD_REQUEST', `The amount ${message}.`, [{ path: 'amount', message }]);
}

/** @throws Fault NOT_FOUND for one that the payment does not have, CONFLICT where it is not open */
function openDispute(disputes: readonly DisputeRow[], disputeId: string | undefined): DisputeRow {
  const named = disputes.filter(({ id }) => disputeId === undefined || id === disputeId);
  if (disputeId !== undefined && named.length === 0) {
    throw new Fault('NOT_FOUND', `This payment has no dispute ${disputeId}.`);
  }
  const open = named.find(({ closed_at }) => closed_at === null);
  if (open === undefined) throw new Fault('CONFLICT', 'No dispute of this payment is open.');
  return open;
}
