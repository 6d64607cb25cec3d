/**
 * One rail round trip, for every operation: a first commit stores what will be asked, the rail is asked outside any
 * transaction, and a second commit records its answer. After a crash at any point, a worker completes the stored
 * attempt by the same functions.
 */

import type { SignedDocument } from '../../../protocol/credential/canonical.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import type { RailOperationName, RailOutcome } from '../../rails/rail.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findAsked, type RailAttemptRow } from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Answer, Call } from '../../usecase/call.ts';
import type { Deps } from '../../usecase/deps.ts';
import { closeCall, markCall, marked, openCall, releaseCall } from '../../usecase/exchange.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { type Loaders, loadOf, loadThen, type Run, writeLogged } from '../../usecase/useCase.ts';
import type { FormDeps } from '../credentials/handOut.ts';
import { loadsOfEvent } from '../evidence/recordEvent.ts';
import { answerHttpPayment } from './answerHttpPayment.ts';
import { askRail, checkAnswer, type RailCallOptions } from './askRail.ts';
import { type ReconcileInput, reconcileWithRail } from './convergePayment.ts';
import { recordOutcome } from './recordOutcome.ts';
import { loadPaymentAnswer, resultOfPayment } from './showPayment.ts';

export interface RailAttemptToSend {
  readonly attempt: RailAttemptRow;
  readonly rail: string;
}

/**
 * The result of a first commit: something to ask a rail, or an answer that needs none.
 * @property isOpen true where the same request may come again, and is judged anew: its answer is not kept under its key
 */
export type AttemptOrOutput<Output> = RailAttemptToSend | { readonly output: Output; readonly isOpen?: boolean };

/**
 * A use case that goes through a rail.
 * @param load what the first commit reads before it decides
 * @param begin the script of the first commit, with what was loaded
 */
export function throughRail<Input, Output, Facts extends object, Own extends Deps = Deps>(
  load: (deps: Own, caller: Caller, input: Input) => Loaders<Facts>,
  begin: (deps: Own, caller: Caller, input: Input, now: number, facts: Facts) => Script<AttemptOrOutput<Output>>,
): Run<Input, Output, Own> {
  return async (deps, call, input) => {
    const { caller } = call;
    const loaders = () => load(deps, caller, input);
    const body = (now: number) => loadThen(loaders, (facts) => begin(deps, caller, input, now, facts));
    const first = loadOf(deps, call, loaders);
    const begun = await deps.store.write(caller.tenantId, (now) => ask(deps, call, body, now), first);
    if ('answer' in begun) return begun.answer;
    const options = { now: begun.attempt.created_at };
    const rest = marked(call);
    const settled = await askAndRecord(deps, begun, options, (told, now, parts) =>
      answerCall<Output>(deps, rest, told, now, parts),
    );
    // Thrown only after the commit: a throw inside would roll back the record of the rail's answer.
    if (settled instanceof Fault) throw settled;
    return settled.answer;
  };
}

function* ask<Output>(
  deps: HookDeps,
  call: Call,
  body: (now: number) => Script<AttemptOrOutput<Output>>,
  now: number,
): Script<RailAttemptToSend | AnswerOfCall<Output>> {
  const stored = yield* openCall<Output>(deps, call, now);
  if (stored !== undefined) return { answer: stored };
  const begun = yield* body(now);
  if ('output' in begun) {
    const closed = begun.isOpen === true ? { ...call, idempotency: undefined } : call;
    return { answer: yield* closeCall(deps, closed, begun.output, now) };
  }
  yield* markCall(deps, call, begun.attempt, now);
  return begun;
}

function* answerCall<Output>(
  deps: HookDeps,
  call: Call,
  told: unknown,
  now: number,
  parts: readonly SignedDocument[] | undefined,
): Script<AnswerOfCall<Output> | Fault> {
  if (told instanceof Fault) {
    yield* releaseCall(call);
    return told;
  }
  return { answer: yield* closeCall(deps, call, told as Output, now, parts) };
}

interface AnswerOfCall<Output> {
  readonly answer: Answer<Output>;
}

type OnResponse<Result> = (told: unknown, now: number, parts?: readonly SignedDocument[]) => Script<Result>;

/**
 * Asks the rail and records its answer.
 * @param then runs in the commit of the answer, with the answer that the caller gets, and the signed documents in it
 */
export async function askAndRecord<Result>(
  deps: Deps,
  { attempt, rail }: RailAttemptToSend,
  options: RailCallOptions,
  then: OnResponse<Result>,
): Promise<Result> {
  const answered = await askRail(deps, rail, attempt, options);
  const { outcome: said, lookup } = await checkAnswer(deps, rail, attempt, answered, options.stop);
  const { tenant_id: tenantId, attempt_key: key } = attempt;
  const load = () => [findAsked(tenantId, key), ...loadsOfEvent(tenantId)];
  const script = (own: Deps, now: number) => record(own, { attempt, rail, said, lookup }, then, now);
  return writeLogged(deps, tenantId, script, load);
}

/** What a rail said, and what it then showed where it was looked up. */
interface AttemptResponse extends RailAttemptToSend {
  readonly said: RailOutcome;
  readonly lookup: ReconcileInput | undefined;
}

function* record<Result>(
  deps: Deps,
  { attempt, rail, said, lookup }: AttemptResponse,
  then: OnResponse<Result>,
  now: number,
): Script<Result> {
  const { tenant_id: tenantId, attempt_key: key, operation } = attempt;
  const recorded = yield* recordOutcome(deps, tenantId, key, said, now);
  if (recorded === undefined) {
    deps.log.warn('rail.afterReset', { rail, payment: attempt.payment_id, operation, ...endOf(said) });
    return yield* then(lostToReset(operation, said), now);
  }
  const payment =
    lookup === undefined ? recorded.payment : yield* reconcileWithRail(deps, recorded.payment, lookup, now);
  const told = yield* answerAttempt(deps, operation, payment, recorded.outcome, now);
  return yield* then(told, now, signedIn(told, payment));
}

/**
 * The caller's answer: the payment's current state, or the fault of a rail that refused.
 * @param outcome undefined where the rail has told of it by itself
 */
export function* answerAttempt(
  deps: FormDeps & Pick<Deps, 'operations' | 'rails' | 'sealer'>,
  operation: RailOperationName,
  payment: PaymentRow,
  outcome: RailOutcome | undefined,
  now: number,
): Script<unknown> {
  // A declined authorization is a result: the payment has failed, and says why.
  if (operation === 'authorize') {
    const isByGate = deps.rails.get(payment.rail)?.gate !== undefined;
    return isByGate ? yield* answerHttpPayment(deps, payment) : yield* resultOfPayment(deps, payment, now);
  }
  if (outcome?.kind === 'declined' || outcome?.kind === 'actionRequired') {
    return new Fault('CONFLICT', `The rail refused: ${outcome.message}`);
  }
  return yield* loadPaymentAnswer(payment);
}

/** The mandate's text is the row's, and is not written again. */
function signedIn(told: unknown, { credential }: PaymentRow): readonly SignedDocument[] {
  const { pmVc } = told as { readonly pmVc?: object };
  return pmVc === undefined ? [] : [{ document: pmVc, text: credential }];
}

/** How an operation ended at the rail. */
function endOf(outcome: RailOutcome): { readonly outcome: string; readonly railId?: string | undefined } {
  return compact({ outcome: outcome.kind, railId: 'railId' in outcome ? outcome.railId : undefined });
}

/** The caller's answer where the sandbox's data was reset while the rail was asked. */
function lostToReset(operation: RailOperationName, answered: RailOutcome): Fault {
  const { outcome, railId } = endOf(answered);
  const end = `its outcome there is "${outcome}"${railId === undefined ? '' : ` (${railId})`}`;
  return new Fault('CONFLICT', `The test data was reset while the rail was asked to ${operation}; ${end}. Begin anew.`);
}
