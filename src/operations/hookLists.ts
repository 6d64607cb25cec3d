/** Which functions are told of what has happened, in which order: sessions before tasks, as an answer counts before it ends. */

import { loadsOfEvent } from '../domain/evidence/recordEvent.ts';
import { tellOfOutcome } from '../domain/purchases/authorize.ts';
import { advanceSessionOfCall, joinSessionOfCall, sessionLoads } from '../domain/sessions/joinSession.ts';
import {
  concludeTaskOfCall,
  holdTaskOfCall,
  settleTaskOfPayment,
  settleTasksOfApproval,
  tellTasksOfTouch,
} from '../domain/tasks/concludeTask.ts';
import { purchaseExchanges } from '../domain/tasks/exchanges.ts';
import type { Hooks } from '../usecase/hooks.ts';

export const hookLists: Hooks = {
  authorizers: [],
  exchanges: new Map(purchaseExchanges.map((row) => [row.kind, row])),
  loadsOfCall: [sessionLoads, eventLoads],
  onOpen: [joinSessionOfCall],
  onRailWait: [holdTaskOfCall],
  onRepeat: [concludeTaskOfCall],
  onClose: [advanceSessionOfCall, concludeTaskOfCall],
  afterApprovalStep: [tellTasksOfTouch],
  afterDecision: [settleTasksOfApproval],
  afterKeyEnd: [],
  // A task shows the receipt and the mandates that were made.
  afterOutcome: [tellOfOutcome, settleTaskOfPayment],
};

function eventLoads({ caller }: Parameters<Hooks['loadsOfCall'][number]>[0]) {
  return loadsOfEvent(caller.tenantId);
}
