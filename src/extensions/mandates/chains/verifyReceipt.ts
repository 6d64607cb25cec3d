/** Verifies a receipt for a caller that has no JWT library at hand, and says what became of its payment since: nothing is stored. */
import { ReceiptVerification, VerifyReceipt } from '../../../../protocol/ap2/paymentCredential.ts';
import { verifyReceipt as verify } from '../../../../protocol/ap2/paymentReceipt.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { leftOut } from '../../../../protocol/wire/notCompared.ts';
import { actsFor } from '../../../access/caller.ts';
import { findPayment } from '../../../store/statements/purchases/payments.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { inOneRead, useCase } from '../../../usecase/useCase.ts';

export const verifyReceipt = useCase({
  summary:
    'Verifies a payment receipt of this node, by the key set that it publishes, and says the state of the payment now.',
  input: VerifyReceipt,
  output: ReceiptVerification,
  permission: 'read',
  showsOwn: true,
  run: inOneRead<VerifyReceipt, ReceiptVerification>(function* (
    deps: Pick<Deps, 'keys' | 'settings' | 'suite'>,
    caller,
    { receipt, reference },
  ) {
    const expected = { keys: deps.keys.receiptSigner.published, iss: deps.settings.baseUrl, reference };
    const check = verify(deps.suite, receipt, expected);
    const notCompared = leftOut({ reference });
    if (!check.ok) return { valid: false, reason: check.reason, notCompared };
    // A receipt of a refusal names a transaction in place of a payment.
    const payment = yield* findPayment(caller.tenantId, check.claims.payment_id);
    const paymentStatus = payment !== undefined && actsFor(caller, payment.agent_did) ? payment.status : undefined;
    return compact({ valid: true, claims: compact(check.claims), paymentStatus, notCompared });
  }),
});
