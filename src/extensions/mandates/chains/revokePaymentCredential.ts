/** Gives a payment credential back before it is paid with: its intent ends, and what it counted in the mandate's limits is free again. */
import { RevokedPaymentCredential, RevokePaymentCredential } from '../../../../protocol/ap2/paymentCredential.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { actsFor } from '../../../access/caller.ts';
import { approvalKeysOf } from '../../../domain/carts/approvalToken.ts';
import { endIntent } from '../../../domain/intents/endIntent.ts';
import { findApproved } from '../../../store/statements/purchases/approvalTokens.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import { inOneCommit, useCase } from '../../../usecase/useCase.ts';

export const revokePaymentCredential = useCase({
  summary: 'Gives a payment credential back before it is paid with; its checkout stays used.',
  input: RevokePaymentCredential,
  output: RevokedPaymentCredential,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<RevokePaymentCredential, RevokedPaymentCredential>(function* (
    deps: EventDeps & Pick<Deps, 'hashToken' | 'operations'>,
    caller,
    { approvalToken },
    { now },
  ) {
    const found = yield* findApproved(caller.tenantId, approvalKeysOf(deps, approvalToken));
    const isCredential = found !== undefined && found.intent.by_mandate !== null && found.intent.delegation_id === null;
    if (!isCredential || !actsFor(caller, found.approval.agent_did)) {
      throw new Fault('NOT_FOUND', 'There is no such payment credential.');
    }
    if (found.approval.status === 'USED') throw new Fault('CONFLICT', 'This payment credential was paid with before.');
    yield* endIntent(deps, { tenantId: caller.tenantId, mandateId: found.intent.mandate_id }, 'withdrawn', now);
    return { revoked: true };
  }),
});
