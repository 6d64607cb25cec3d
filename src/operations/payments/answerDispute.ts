/** The rail is given what answers a dispute: laid down there for a person to look at, or submitted, which can be done once. */
import { z } from 'zod';
import { disputeAnswer } from '../../../protocol/dispute/disputeAnswer.ts';
import { DisputeRecord } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { loadDisputePack } from '../../domain/bundles/loadDisputePack.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { type LoadedDispute, loadOpenDispute } from '../../domain/payments/loadOpenDispute.ts';
import { showDisputeRecord } from '../../domain/payments/showPayment.ts';
import { requireOwner } from '../../domain/people/requireOwner.ts';
import { paymentFacts } from '../../domain/purchases/purchaseFacts.ts';
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
  run: inSteps<AnswerDispute, DisputeRecord>(
    async (deps: CosignerDeps & EventDeps & Pick<Deps, 'rails'>, caller, { id, submit }) => {
      const { dispute, payment } = await deps.store.read(() => loadOpen(caller, id, submit));
      const { answerDispute: answer } = deps.rails.get(payment.rail) ?? {};
      if (answer === undefined) {
        throw new Fault('CONFLICT', `${payment.rail} takes no evidence from a node; send the dispute pack yourself.`);
      }
      const words = disputeAnswer(await loadDisputePack(deps, caller, dispute.mandate_id));
      await answer(dispute.rail_dispute_id, words, submit);
      if (submit) {
        const facts = { ...paymentFacts(payment), disputeId: id, railDisputeId: dispute.rail_dispute_id };
        const data = { ...facts, note: `Submitted by the node to ${payment.rail}.` };
        await deps.store.write(caller.tenantId, (now) =>
          recordAdminEvent(deps, caller, 'PAYMENT_DISPUTE_SUBMITTED', data, now),
        );
      }
      return showDisputeRecord(dispute);
    },
  ),
});

function* loadOpen(caller: Caller, id: string, submit: boolean): Script<LoadedDispute> {
  if (submit) yield* requireOwner(caller, 'submits what answers a dispute');
  return yield* loadOpenDispute(caller, id);
}
