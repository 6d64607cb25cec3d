/** Verifies the evidence chain, or a range of it. */
import { Verification, VerifyEvidence } from '../../../protocol/evidence/query.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { checkpointOver } from '../../domain/checkpoints/checkpointOver.ts';
import { CheckpointBook } from '../../domain/checkpoints/keptCheckpoints.ts';
import { type ChainBreak, chainLength, walkChain } from '../../domain/evidence/walkChain.ts';
import { firstIssuer } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

export const verifyEvidence = useCase({
  summary: 'Verifies the evidence chain, or a range of it, and names the first break.',
  input: VerifyEvidence,
  output: Verification,
  permission: 'read',
  run: inSteps<VerifyEvidence, Verification>(async (deps, caller, input) => {
    const length = await chainLength(deps, caller.tenantId);
    const fromSeq = input.fromSeq ?? 1;
    const toSeq = input.toSeq ?? length;
    if (toSeq > length) throw outOfRange('toSeq', `must not lie after the last event, ${length}`);
    if (input.fromSeq !== undefined && fromSeq > toSeq) {
      throw outOfRange(
        'fromSeq',
        `must not lie after ${input.toSeq === undefined ? `the last event, ${length}` : 'toSeq'}`,
      );
    }
    const kept = new CheckpointBook(deps, caller.tenantId);
    let broken: ChainBreak | undefined;
    for await (const piece of walkChain(deps, caller.tenantId, fromSeq, toSeq)) {
      // A checkpoint is over the chain from its first event on.
      broken = piece.broken ?? (fromSeq === 1 ? await kept.compare(piece.events) : undefined);
      if (broken !== undefined) break;
    }
    const output: Verification = {
      valid: broken === undefined,
      fromSeq,
      toSeq,
      eventsVerified: broken === undefined ? Math.max(0, toSeq - fromSeq + 1) : broken.brokenAtSeq - fromSeq,
      issuer: firstIssuer(deps),
      tenantId: caller.tenantId,
      // Nothing is signed over a chain that does not hold.
      checkpoint: broken === undefined ? await checkpointOver(deps, caller.tenantId, toSeq) : null,
      ...broken,
    };
    return output;
  }),
});

function outOfRange(path: 'fromSeq' | 'toSeq', message: string): Fault {
  return new Fault('BAD_REQUEST', `${path} ${message}.`, [{ path, message }]);
}
