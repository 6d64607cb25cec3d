/** Which functions are told of what has happened, in which order: sessions before tasks, as an answer counts before it ends. */

import { eventAhead } from '../domain/evidence/recordEvent.ts';
import { advanceSessionOfCall, joinSessionOfCall, sessionReads } from '../domain/sessions/joinSession.ts';
import { concludeTaskOfCall, holdTaskOfCall } from '../domain/tasks/concludeTask.ts';
import { settleTaskOfPayment, settleTasksOfApproval } from '../domain/tasks/settleTasks.ts';
import type { Hooks } from '../usecase/hooks.ts';

export const hookLists: Hooks = {
  readsOfCall: [sessionReads, eventReads],
  onOpen: [joinSessionOfCall],
  onHold: [holdTaskOfCall],
  onRepeat: [concludeTaskOfCall],
  onClose: [advanceSessionOfCall, concludeTaskOfCall],
  afterDecision: [settleTasksOfApproval],
  afterOutcome: [settleTaskOfPayment],
};

function eventReads({ caller }: Parameters<Hooks['readsOfCall'][number]>[0]) {
  return eventAhead(caller.tenantId);
}
