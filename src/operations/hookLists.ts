/** Which functions of the kernel are told of what has happened, in which order; those of extensions come after them. */

import { delegationAuthorizer } from '../domain/delegations/judgeDelegation.ts';
import { loadsOfEvent } from '../domain/evidence/recordEvent.ts';
import { endCredentialsOfKey } from '../domain/mandates/endMandateIssuer.ts';
import { chainAuthorizer } from '../domain/mandates/judgeChain.ts';
import { useAuthorizer } from '../domain/mandateUses/countUses.ts';
import { tellOfOutcome } from '../domain/purchases/authorize.ts';
import { advanceSessionOfCall, joinSessionOfCall, sessionLoads } from '../domain/sessions/joinSession.ts';
import { mandateExchanges } from '../domain/tasks/ap2Exchange.ts';
import { purchaseExchanges } from '../domain/tasks/exchanges.ts';
import { checkoutAuthorizer } from '../domain/ucp/mandatesOfPayment.ts';
import type { Hooks } from '../usecase/hooks.ts';

export const hookLists: Hooks = {
  authorizers: [delegationAuthorizer, chainAuthorizer, useAuthorizer, checkoutAuthorizer],
  exchanges: new Map([...purchaseExchanges, ...mandateExchanges].map((row) => [row.kind, row])),
  loadsOfCall: [sessionLoads, eventLoads],
  onOpen: [joinSessionOfCall],
  onRailWait: [],
  onRepeat: [],
  onClose: [advanceSessionOfCall],
  afterApprovalStep: [],
  afterDecision: [],
  afterKeyEnd: [endCredentialsOfKey],
  afterAgentEnd: [],
  afterOutcome: [tellOfOutcome],
};

function eventLoads({ caller }: Parameters<Hooks['loadsOfCall'][number]>[0]) {
  return loadsOfEvent(caller.tenantId);
}
