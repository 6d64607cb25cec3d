/** Verifies a receipt for a caller that has no JWT library at hand: nothing is stored. */
import { ReceiptVerification, VerifyReceipt } from '../../../protocol/ap2/paymentCredential.ts';
import { verifyReceipt as verify } from '../../../protocol/ap2/paymentReceipt.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

export const verifyReceipt = useCase({
  summary: 'Verifies a payment receipt of this node, by the key set that it publishes.',
  input: VerifyReceipt,
  output: ReceiptVerification,
  permission: 'read',
  showsOwn: true,
  run: inSteps<VerifyReceipt, ReceiptVerification>(
    async (deps: Pick<Deps, 'receiptSigner' | 'settings' | 'suite'>, _caller, { receipt, reference }) => {
      const expected = { keys: deps.receiptSigner.published, iss: deps.settings.baseUrl, reference };
      const check = verify(deps.suite, receipt, expected);
      return check.ok ? { valid: true, claims: compact(check.claims) } : { valid: false, reason: check.reason };
    },
  ),
});
