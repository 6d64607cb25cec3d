/** Verifies a chain of mandates for its bearer: nothing is spent, counted or recorded. */
import { MandateVerification, VerifyMandate, verifyMandateAt } from '../../../../protocol/sdjwt/mandateVerification.ts';
import { nativeSignatureCheck } from '../../../crypto/nativeJwk.ts';
import { findMandateIssuers } from '../../../store/statements/registry/mandateIssuers.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { inSteps, useCase } from '../../../usecase/useCase.ts';
import { findTrust } from './mandateTrust.ts';

type VerifyDeps = Pick<Deps, 'store' | 'suite' | 'clock'>;

export const verifyMandate = useCase({
  summary: 'Verifies a chain of mandates of AP2 or Verifiable Intent, hop by hop, and names the clause that is broken.',
  input: VerifyMandate,
  output: MandateVerification,
  permission: 'read',
  showsOwn: true,
  run: inSteps<VerifyMandate, MandateVerification>(async (deps: VerifyDeps, { tenantId }, input) => {
    const { trustedJwk, profile } = input;
    const issuers = trustedJwk === undefined ? await deps.store.read(() => findMandateIssuers(tenantId)) : [];
    const isSigned = nativeSignatureCheck(deps.suite);
    const now = deps.clock();
    const at = input.at === undefined ? now : input.at * 1000;
    const signs = profile === 'vi' ? 'cards' : 'mandates';
    return verifyMandateAt(input, now, isSigned, (root) => findTrust(issuers, root, at, isSigned, signs)?.jwk);
  }),
});
