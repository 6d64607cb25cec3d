/** Verifies a chain of mandates for its bearer: nothing is spent, counted or recorded. */
import { MandateVerification, VerifyMandate, verifyMandateAt } from '../../../protocol/sdjwt/mandateVerification.ts';
import { nativeSignatureCheck } from '../../crypto/nativeJwk.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

export const verifyMandate = useCase({
  summary: 'Verifies a chain of mandates of AP2 or Verifiable Intent, hop by hop, and names the clause that is broken.',
  input: VerifyMandate,
  output: MandateVerification,
  permission: 'read',
  showsOwn: true,
  run: inSteps<VerifyMandate, MandateVerification>(async (deps: Pick<Deps, 'suite' | 'clock'>, _caller, input) =>
    verifyMandateAt(input, deps.clock(), nativeSignatureCheck(deps.suite)),
  ),
});
