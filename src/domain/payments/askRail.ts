/** Asks a rail. A rail that does not answer gives, for any cause, the outcome `unknown`. */
import { type Rail, type RailAttempt, RailOutcome, RailSnapshot } from '../../rails/rail.ts';
import { findHttpPayment } from '../../store/statements/purchases/httpPayments.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { RailAttemptRow } from '../../store/statements/purchases/railAttempts.ts';
import type { Deps } from '../../usecase/deps.ts';
import { credentialIn } from './answerHttpPayment.ts';
import type { ReconcileInput } from './convergePayment.ts';
import { requestOf } from './railAttempt.ts';

/** After this many tries without an answer, the attempt is also looked up at the rail. */
const LOOKUP_AFTER_TRIES = 3;

type Unknown = Extract<RailOutcome, { kind: 'unknown' }>;

/** When a question is asked. */
export interface RailCallOptions {
  /** The database's time, in milliseconds since the epoch. */
  readonly now: number;
  /** Ends the waiting, where the answer is not needed so much that it may delay the end of the process. */
  readonly stop?: AbortSignal;
}

export async function askRail(
  deps: Pick<Deps, 'log' | 'metrics' | 'rails' | 'sealer' | 'settings' | 'store'>,
  railId: string,
  row: RailAttemptRow,
  options: RailCallOptions,
): Promise<RailOutcome> {
  const rail = deps.rails.get(railId);
  if (rail === undefined) return { kind: 'unknown', reason: `The rail ${railId} is not configured.` };
  const outcome = await ask(deps, rail, row, options);
  deps.metrics.rail(railId, row.operation, outcome.kind);
  return outcome;
}

/**
 * Sends the attempt; where that gets no answer either, looks it up. A rail remembers an idempotency key for a day: within
 * it, sending the same bytes again has one effect; after it, sending could charge twice, so the attempt is only looked up.
 */
async function ask(
  deps: Pick<Deps, 'log' | 'sealer' | 'settings' | 'store'>,
  rail: Rail,
  row: RailAttemptRow,
  { now, stop }: RailCallOptions,
): Promise<RailOutcome> {
  const { resendSeconds, giveUpSeconds } = deps.settings.rail;
  const request = requestOf(row);
  const { attempt_key: key, operation, created_at: createdAt } = row;
  const ageSeconds = (now - createdAt) / 1000;
  // Canceling a hold twice has one effect, and no caller will ask again for a cancellation that the node began.
  const maySend = ageSeconds < resendSeconds || request.reason !== undefined;
  const asked = rail.gate === undefined ? request : { ...request, credential: await credentialFor(deps, row) };
  const sent = maySend
    ? await inTime(deps, rail, stop, async () => RailOutcome.parse(await rail[operation](key, asked)))
    : undefined;
  if (sent !== undefined && (sent.kind !== 'unknown' || row.tries < LOOKUP_AFTER_TRIES)) return sent;
  const attempt: RailAttempt = { key, operation, request: asked, createdAt };
  const found = await inTime(deps, rail, stop, async (signal) =>
    RailOutcome.optional().parse(await rail.status(attempt, signal())),
  );
  if (found !== undefined) return found;
  if (sent !== undefined) return sent;
  if (ageSeconds < giveUpSeconds) return { kind: 'unknown', reason: 'The rail does not know of it so far.' };
  return { kind: 'declined', code: 'no_answer', message: 'The rail never answered, and knows nothing of it.' };
}

/** What a rail with a gate made for a payment before, since only that tells the payment there. */
async function credentialFor(
  deps: Pick<Deps, 'sealer' | 'store'>,
  { tenant_id, payment_id }: { readonly tenant_id: string; readonly payment_id: string },
): Promise<string | undefined> {
  const row = await deps.store.read(() => findHttpPayment(tenant_id, payment_id));
  return row && credentialIn(deps, row);
}

/** What the rail shows of a payment; `unknown` where it could not be asked. */
type RailLookup =
  | { readonly kind: 'found'; readonly snapshot: RailSnapshot | undefined }
  /** The rail has nothing to show, as only this node changes its payments. */
  | { readonly kind: 'notMirrored' }
  | Unknown;

/** @param railId the rail's id of the payment @param payment undefined where only the rail's notice names it */
export async function lookUpAtRail(
  deps: Deps,
  railName: string,
  railId: string,
  payment: Pick<PaymentRow, 'mandate_id' | 'tenant_id'> | undefined,
  stop?: AbortSignal,
): Promise<RailLookup> {
  const rail = deps.rails.get(railName);
  if (rail === undefined) return { kind: 'unknown', reason: `The rail ${railName} is not configured.` };
  const named = payment && { tenant_id: payment.tenant_id, payment_id: payment.mandate_id };
  const credential = rail.gate === undefined || named === undefined ? undefined : await credentialFor(deps, named);
  if (rail.snapshot === undefined) return { kind: 'notMirrored' };
  const { snapshot } = rail;
  return inTime(deps, rail, stop, async (signal) => ({
    kind: 'found' as const,
    snapshot: RailSnapshot.optional().parse(await snapshot(railId, signal(), credential)),
  }));
}

/** Waits for a rail as long as its time-out. The signal ends what would go on afterwards, and is made where it is asked for. */
async function inTime<Answer>(
  deps: Pick<Deps, 'log' | 'settings'>,
  rail: Rail,
  stop: AbortSignal | undefined,
  question: (signal: () => AbortSignal) => Promise<Answer>,
): Promise<Answer | Unknown> {
  const { timeoutSeconds } = deps.settings.rail;
  let isOver = false;
  let ended: AbortController | undefined;
  const signal = () => {
    if (isOver) return AbortSignal.abort();
    ended ??= new AbortController();
    return ended.signal;
  };
  let end = (_reason: string) => {};
  const late = new Promise<Unknown>((resolve) => {
    end = (reason) => {
      isOver = true;
      ended?.abort();
      resolve({ kind: 'unknown', reason });
    };
  });
  const timer = setTimeout(() => end(`No answer within ${timeoutSeconds} s.`), timeoutSeconds * 1000);
  const stopping = () => end('The node was stopped.');
  stop?.addEventListener('abort', stopping);
  if (stop?.aborted === true) stopping();
  const answer = await Promise.race([late, question(signal)]).catch((error: unknown): Unknown => {
    deps.log.warn('rail.failed', { rail: rail.id, error: String(error) });
    return { kind: 'unknown', reason: 'The rail could not be reached.' };
  });
  clearTimeout(timer);
  stop?.removeEventListener('abort', stopping);
  return answer;
}

interface RailAnswer {
  /** `unknown` where the rail could not be looked at: it is asked again, and looked at again. */
  readonly outcome: RailOutcome;
  readonly lookup?: ReconcileInput;
}

/**
 * Looks at the rail where its answer alone does not say how a payment stands: a refused capture, cancellation or refund may have been
 * refused because the payment is no longer what this node takes it for.
 */
export async function checkAnswer(
  deps: Deps,
  rail: string,
  attempt: RailAttemptRow,
  outcome: RailOutcome,
  stop: AbortSignal | undefined,
): Promise<RailAnswer> {
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
): Promise<RailAnswer> {
  const lookup = await lookUpAtRail(deps, rail, String(before.rail_id), before, stop);
  if (lookup.kind === 'notMirrored') return { outcome };
  if (lookup.kind === 'unknown') {
    const said = 'message' in outcome ? `The rail refused (${outcome.message})` : 'The rail answered';
    return { outcome: { kind: 'unknown', reason: `${said}, and could not be looked at: ${lookup.reason}` } };
  }
  const { snapshot } = lookup;
  if (outcome.kind !== 'ok') return { outcome, lookup: { before, snapshot } };
  return { outcome: { ...outcome, refundedMinor: snapshot?.refundedMinor ?? before.refunded_minor } };
}
