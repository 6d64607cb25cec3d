/** The rail is given what answers a dispute: laid down there for a person to look at, or submitted, which can be done once. */
import { z } from 'zod';
import { disputeAnswer } from '../../../protocol/dispute/disputeAnswer.ts';
import { DisputeRecord } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { loadDisputePack } from '../../domain/bundles/loadDisputePack.ts';
import { actedBy } from '../../domain/evidence/recordEvent.ts';
import { type LoadedDispute, loadOpenDispute } from '../../domain/payments/loadOpenDispute.ts';
import { recordSubmissions } from '../../domain/payments/recordSubmissions.ts';
import { showDisputeRecord } from '../../domain/payments/showPayment.ts';
import { requireOwner } from '../../domain/people/requireOwner.ts';
import type { Rail } from '../../rails/rail.ts';
import { type DisputeRow, findDispute, updateSubmission } from '../../store/statements/purchases/disputes.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';
import type { CosignerDeps } from '../../usecase/watch.ts';

const AnswerDispute = z.strictObject({
  id: z.string(),
  submit: z
    .boolean()
    .default(false)
    .describe(
      'Whether the bank gets it, which only an OWNER may say; else it is laid down at the rail, and can be changed there.',
    ),
});
type AnswerDispute = z.output<typeof AnswerDispute>;

export const answerDispute = useCase({
  summary: 'Gives the rail what answers a dispute: laid down for a person to look at, or submitted to the bank.',
  input: AnswerDispute,
  output: DisputeRecord,
  permission: 'admin',
  stepUp: true,
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: inSteps<AnswerDispute, DisputeRecord>(async (deps: AnswerDeps, caller, { id, submit }) => {
    const { dispute, payment } = await deps.store.read(() => loadOpen(caller, id, submit));
    const rail = deps.rails.get(payment.rail);
    const { answerDispute: answer } = rail ?? {};
    if (answer === undefined) {
      throw new Fault('CONFLICT', `${payment.rail} takes no evidence from a node; send the dispute pack yourself.`);
    }
    const words = disputeAnswer(await loadDisputePack(deps, caller, dispute.mandate_id));
    const give = () => answer(dispute.rail_dispute_id, words, submit);
    if (submit) await submitMarked(deps, caller, dispute, { give, count: rail?.countSubmissions });
    else await give();
    return showDisputeRecord(dispute);
  }),
});

type AnswerDeps = CosignerDeps & EventDeps & Pick<Deps, 'rails'>;

interface RailQuestions {
  give(): Promise<number>;
  readonly count: Rail['countSubmissions'];
}

/**
 * The dispute is marked before the rail is asked: where the record of its answer is lost, a look at the rail or its notice makes up for it.
 * A refusal may be of what was submitted a moment before, by a request whose own record was lost.
 */
async function submitMarked(
  deps: AnswerDeps,
  caller: Caller,
  { id, rail_dispute_id: railDisputeId }: DisputeRow,
  { give, count }: RailQuestions,
): Promise<void> {
  const { tenantId } = caller;
  const by = actedBy(caller);
  const before = await deps.store.write(tenantId, (now) => markSubmission(caller, id, by, now));
  try {
    const submissions = Math.max(await give(), before.submissions + 1);
    await deps.store.write(tenantId, (now) => recordSubmissions(deps, before, submissions, now, by));
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'CONFLICT') throw error;
    const submissions = (await count?.(railDisputeId)) ?? before.submissions;
    await deps.store.write(tenantId, (now) => endSubmission(deps, before, submissions, now));
    throw error;
  }
}

/** @returns the dispute as it was before */
function* markSubmission(caller: Caller, id: string, by: object, now: number): Script<DisputeRow> {
  const { dispute } = yield* loadOpen(caller, id, true);
  // The mark of one whom the rail has not answered yet stays: what the rail turns out to have was theirs.
  const { submitting_at: at, submitting_by: whose } = dispute;
  yield* updateSubmission({ ...dispute, submitting_at: now, submitting_by: at === null ? JSON.stringify(by) : whose });
  return dispute;
}

/** Of what the rail has refused: where it had it before, that is recorded, and else the mark of this request ends. */
function* endSubmission(deps: EventDeps, before: DisputeRow, submissions: number, now: number): Script<void> {
  yield* recordSubmissions(deps, before, submissions, now);
  const dispute = yield* findDispute(before, before.rail_dispute_id);
  if (dispute === undefined || dispute.submitting_at === null || before.submitting_at !== null) return;
  yield* updateSubmission({ ...dispute, submitting_at: null, submitting_by: null });
}

function* loadOpen(caller: Caller, id: string, submit: boolean): Script<LoadedDispute> {
  if (submit) yield* requireOwner(caller, 'submits what answers a dispute');
  return yield* loadOpenDispute(caller, id);
}
