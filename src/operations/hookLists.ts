/** Which functions are told of what has happened, in which order: sessions before tasks, as an answer counts before it ends. */

import { delegationAuthorizer } from '../domain/delegations/judgeDelegation.ts';
import { loadsOfEvent } from '../domain/evidence/recordEvent.ts';
import { endCredentialsOfKey } from '../domain/mandates/endMandateIssuer.ts';
import { chainAuthorizer } from '../domain/mandates/judgeChain.ts';
import { useAuthorizer } from '../domain/mandateUses/countUses.ts';
import { tellOfOutcome } from '../domain/purchases/authorize.ts';
import { advanceSessionOfCall, joinSessionOfCall, sessionLoads } from '../domain/sessions/joinSession.ts';
import { mandateExchanges } from '../domain/tasks/ap2Exchange.ts';
import {
  concludeTaskOfCall,
  holdTaskOfCall,
  settleTaskOfPayment,
  settleTasksOfApproval,
  tellTasksOfTouch,
} from '../domain/tasks/concludeTask.ts';
import { purchaseExchanges } from '../domain/tasks/exchanges.ts';
import { checkoutAuthorizer } from '../domain/ucp/mandatesOfPayment.ts';
import type { Hooks } from '../usecase/hooks.ts';

export const hookLists: Hooks = {
  authorizers: [delegationAuthorizer, chainAuthorizer, useAuthorizer, checkoutAuthorizer],
  exchanges: new Map([...purchaseExchanges, ...mandateExchanges].map((row) => [row.kind, row])),
  loadsOfCall: [sessionLoads, eventLoads],
  onOpen: [joinSessionOfCall],
  onRailWait: [holdTaskOfCall],
  onRepeat: [concludeTaskOfCall],
  onClose: [advanceSessionOfCall, concludeTaskOfCall],
  afterApprovalStep: [tellTasksOfTouch],
  afterDecision: [settleTasksOfApproval],
  afterKeyEnd: [endCredentialsOfKey],
  // A task shows the receipt and the mandates that were made.
  afterOutcome: [tellOfOutcome, settleTaskOfPayment],
};

function eventLoads({ caller }: Parameters<Hooks['loadsOfCall'][number]>[0]) {
  return loadsOfEvent(caller.tenantId);
}
