/**
 * Looks at the rail where its answer alone does not say how a payment stands: a refused capture, cancellation or refund may
 * have been refused because the payment is no longer what this node takes it for.
 */
import type { RailOutcome } from '../../rails/rail.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { RailAttemptRow } from '../../store/statements/purchases/railAttempts.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { PaymentSight } from './adoptSight.ts';
import { lookAtRail } from './askRail.ts';
import { requestOf } from './railAttempt.ts';

interface Checked {
  /** `unknown` where the rail could not be looked at: it is asked again, and looked at again. */
  readonly outcome: RailOutcome;
  readonly sight?: PaymentSight;
}

export async function checkAnswer(
  deps: Deps,
  rail: string,
  attempt: RailAttemptRow,
  outcome: RailOutcome,
  stop: AbortSignal | undefined,
): Promise<Checked> {
  const { operation, tenant_id: tenantId, payment_id: paymentId } = attempt;
  const isRefused = outcome.kind === 'declined' || outcome.kind === 'actionRequired';
  // A rail repeats its answer to a repeated refund, though the refund may have failed since.
  const isRepeated = outcome.kind === 'ok' && operation === 'refund' && attempt.tries > 0;
  if (operation === 'authorize' || requestOf(attempt).reason === 'late' || !(isRefused || isRepeated))
    return { outcome };
  const before = await deps.store.read(() => findPayment(tenantId, paymentId));
  if (before === undefined || before.rail_id === null) return { outcome };
  if (isRepeated && before.refund_failed_at === null) return { outcome };
  return look(deps, rail, before, outcome, stop);
}

async function look(
  deps: Deps,
  rail: string,
  before: PaymentRow,
  outcome: RailOutcome,
  stop: AbortSignal | undefined,
): Promise<Checked> {
  const sight = await lookAtRail(deps, rail, String(before.rail_id), stop);
  if (sight.kind === 'own') return { outcome };
  if (sight.kind === 'unknown') {
    const said = 'message' in outcome ? `The rail refused (${outcome.message})` : 'The rail answered';
    return { outcome: { kind: 'unknown', reason: `${said}, and could not be looked at: ${sight.reason}` } };
  }
  const { snapshot } = sight;
  if (outcome.kind !== 'ok') return { outcome, sight: { before, snapshot } };
  return { outcome: { ...outcome, refundedMinor: snapshot?.refundedMinor ?? before.refunded_minor } };
}
